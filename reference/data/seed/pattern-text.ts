import { parsePattern } from '../../../runtime/query/evaluate/pattern/parse-pattern.js'
import type { PatternNode } from '../../../runtime/query/evaluate/pattern/syntax.js'

/** Texts that match a pattern, numbered. */
export interface PatternTexts {
  /** How many there are; may be infinite. */
  readonly count: number
  /** The text of a number from 0 on; other numbers give other texts. */
  readonly text: (index: number) => string
}

/** How often something is repeated that may be repeated without end. */
const wished = [6, 8, 12, 16, 4, 2, 1, 0]

/**
 * Texts that match a regular expression and have so many characters; undefined when none were found: patterns that need
 * characters beyond ASCII, or that look around.
 */
export function patternTexts(pattern: string, least: number, most: number): PatternTexts | undefined {
  const expression = new RegExp(pattern, 'u')
  const tree = treeOf(pattern)
  for (const repeats of tree === undefined ? [] : wished) {
    const slots = tree === undefined ? [] : slotsOf(tree, repeats)
    if (slots.length < least || slots.length > most || slots.some(slot => slot.length === 0)) continue
    const texts = { count: slots.reduce((product, slot) => product * slot.length, 1), text: textOf(slots) }
    if (expression.test(texts.text(0))) return texts
  }
  return undefined
}

function treeOf(pattern: string): PatternNode | undefined {
  try {
    return parsePattern(pattern)
  } catch {
    return undefined
  }
}

/** The characters that may stand at each position. */
function slotsOf(node: PatternNode, repeats: number): readonly string[] {
  switch (node.kind) {
    case 'assertion':
      return []
    case 'atom':
      return [charactersOf(node.source)]
    case 'sequence':
      return node.nodes.flatMap(part => slotsOf(part, repeats))
    case 'alternatives': {
      const [first] = node.nodes
      return first === undefined ? [] : slotsOf(first, repeats)
    }
    case 'repeat': {
      const count = Math.min(node.most, Math.max(node.least, repeats), 64)
      return Array.from({ length: count }, () => slotsOf(node.node, repeats)).flat()
    }
  }
}

const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(index + 0x21)).join('')

/** Those characters of ASCII that an atom matches: letters of one case and digits when it matches them, else what there is. */
function charactersOf(source: string): string {
  const expression = new RegExp(`^(?:${source})$`, 'u')
  const matching = [...printable].filter(character => expression.test(character))
  const letters = [/[a-z]/, /[A-Z]/].find(letter => matching.some(character => letter.test(character)))
  const familiar = matching.filter(character => letters?.test(character) || /\d/.test(character))
  return (familiar.length > 1 ? familiar : matching).join('')
}

/** Writes a number with the characters of each position as its digits. */
function textOf(slots: readonly string[]): (index: number) => string {
  return index => {
    let rest = index
    let text = ''
    for (const slot of [...slots].reverse()) {
      text = (slot[rest % slot.length] ?? '') + text
      rest = Math.floor(rest / slot.length)
    }
    return text
  }
}
