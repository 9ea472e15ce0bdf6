import type { PatternNode } from '../../runtime/query/index.js'
import { atomSet, type CharacterSet } from './character-set.js'

/** The largest repetition count that the engine accepts. */
const maxRepetition = 255

const never = '(?:(?!))'

/** With the collation "C", word characters are those of ECMAScript. */
const assertions: ReadonlyMap<string, string> = new Map([
  ['^', '(?:\\A)'],
  ['$', '(?:\\Z)'],
  ['\\b', '(?:\\y)'],
  ['\\B', '(?:\\Y)'],
])

/**
 * Translates an ECMAScript pattern to an advanced regular expression of PostgreSQL that matches in the same texts, for any
 * locale and Unicode version of the engine. All classes become ranges of code points. It is irrelevant which part of a text
 * matches, so that groups do not capture and repetitions are greedy.
 *
 * @see PostgreSQL documentation, 9.7.3 (POSIX regular expressions)
 */
export function regularExpression(node: PatternNode): string {
  switch (node.kind) {
    case 'atom':
      return bracketed(atomSet(node.source))
    case 'assertion':
      return assertions.get(node.source) ?? never
    case 'sequence':
      return `(?:${node.nodes.map(regularExpression).join('')})`
    case 'alternatives':
      return node.nodes.length === 1
        ? node.nodes.map(regularExpression).join('')
        : `(?:${node.nodes.map(regularExpression).join('|')})`
    case 'repeat':
      return repeated(regularExpression(node.node), node.least, node.most)
  }
}

function repeated(part: string, least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) {
    if (least <= 1) return `${part}${least === 0 ? '*' : '+'}`
    return `(?:${times(part, least, exactly)}${part}*)`
  }
  return `(?:${times(part, least, exactly)}${times(part, most - least, atMost)})`
}

const exactly = (count: number): string => `{${count}}`
const atMost = (count: number): string => `{0,${count}}`

function times(part: string, count: number, quantifier: (count: number) => string): string {
  const whole = `${part}${quantifier(maxRepetition)}`.repeat(Math.floor(count / maxRepetition))
  const rest = count % maxRepetition
  return rest === 0 ? whole : `${whole}${part}${quantifier(rest)}`
}

/** A bracket expression without U+0000 and surrogates, which no stored text contains. */
function bracketed(set: CharacterSet): string {
  const ranges = set.flatMap(([first, last]) => [
    ...between(Math.max(first, 0x01), Math.min(last, 0xd7_ff)),
    ...between(Math.max(first, 0xe0_00), last),
  ])
  return ranges.length === 0 ? never : `[${ranges.join('')}]`
}

function between(first: number, last: number): readonly string[] {
  if (first > last) return []
  return [first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`]
}

function escaped(codePoint: number): string {
  const character = String.fromCodePoint(codePoint)
  if (/^[0-9A-Za-z]$/.test(character)) return character
  const hex = codePoint.toString(16)
  return codePoint > 0xff_ff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}
