/**
 * Characters that a terminal interprets, or that hide or reorder the text around them: controls, separators of lines,
 * format characters such as direction marks, halves of surrogate pairs.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/**
 * The text with such characters as escapes, `\u001B`, so that text from elsewhere can control neither a terminal nor how a
 * report reads. In a JSON document, the escapes mean the same characters.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, escaped)
}

/** The same, but line feeds stay. */
export function visibleLines(text: string): string {
  return text.replace(hidden, character => (character === '\n' ? character : escaped(character)))
}

/**
 * What an error in a module of the user says, with the places in their files: without the frames of Node.js, of Specwright and of
 * other packages.
 */
export function userError(error: unknown): string {
  if (!(error instanceof Error)) return visibleLines(String(error))
  const lines = (error.stack ?? error.message).split('\n')
  return visibleLines(lines.filter(line => !foreignFrame.test(line)).join('\n'))
}

const foreignFrame = /^\s+at .*(?:\bnode:|[\\/]node_modules[\\/]|<anonymous>\)?$|\(index \d+\)$)/

/** A select graphic rendition of ours: bold, dim, a colour, or the end of it. */
const style = /\x1B\[(?:0|1|2|3[0-7]|1;3[0-7])m/g

/**
 * What a terminal may receive: line feeds, tabs, joined emoji, and styles if it has colours. This is the last line of
 * defence: what writes a styled text makes the parts of others visible first.
 */
export function terminalText(text: string, hasColour: boolean): string {
  const plain = (part: string): string =>
    part.replace(hidden, character => (passing.has(character) ? character : escaped(character)))
  if (!hasColour || !text.includes('\x1B')) return plain(text)
  const styles = text.match(style) ?? []
  return text
    .split(style)
    .map((part, index) => plain(part) + (styles[index] ?? ''))
    .join('')
}

/** A joiner connects several emoji to one. It is harmless elsewhere. */
const joiner = '\u200D'

const passing: ReadonlySet<string> = new Set(['\n', '\t', joiner])

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}`
  }).join('')
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
