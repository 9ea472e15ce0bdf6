/**
 * Characters that a terminal interprets or hides: controls, line separators, direction marks, invisible
 * format characters, halves of surrogate pairs.
 */
const hidden =
  /[\0-\x1F\x7F-\x9F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** The text with such characters as escapes, `\u001B`, so that text from a spec cannot control the terminal. */
export function visibleText(text: string): string {
  return text.replace(hidden, character => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
}

/** Breaks each line of a text at blanks; a word that is longer than a line stays whole. */
export function wrapText(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap(whole => {
    const lines: string[] = []
    for (const word of whole.split(' ')) {
      const last = lines.at(-1)
      if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
      else lines.push(word)
    }
    return lines
  })
}

/** One character as a person sees it, and how much room it takes in a terminal. */
export interface DisplayCell {
  /** Offset in the line, in UTF-16 code units. */
  readonly start: number
  /** What is shown for it. */
  readonly shown: string
  /** In columns. */
  readonly width: number
}

const tab = '    '

/** It joins several emoji into one. Between emoji it is harmless. */
const joiner = '\u200D'

const wide =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u

const onlyMarks = /^\p{M}+$/u

let segmenter: Intl.Segmenter | undefined

/** Splits a line into what a terminal shows of it. */
export function displayCells(line: string): readonly DisplayCell[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(line), ({ segment, index }) => {
    if (segment === '\t') return { start: index, shown: tab, width: tab.length }
    const shown = segment.split(joiner).map(visibleText).join(joiner)
    const isChanged = shown !== segment || segment === joiner
    if (isChanged) return { start: index, shown: visibleText(segment), width: visibleText(segment).length }
    return { start: index, shown, width: onlyMarks.test(segment) ? 0 : wide.test(segment) ? 2 : 1 }
  })
}
