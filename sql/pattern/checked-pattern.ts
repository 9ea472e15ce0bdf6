import { compilePattern, EvaluationError, type PatternNode, parsePattern } from '../../runtime/query/index.js'
import { malformedQuery, unsupportedQuery } from '../query-faults.js'
import { atomSet, type CharacterSet } from './character-set.js'

/** A pattern that both engines can match quickly. */
export interface CheckedPattern {
  readonly source: string
  readonly node: PatternNode
}

/**
 * Within these limits, an engine builds the automaton of a pattern in well under a second. Without them, a pattern of one
 * line can keep it busy for minutes. The limits are the same for both engines, so that both give the same answers.
 */
const limits = {
  atoms: 1_000,
  atomsTimesDistinct: 200_000,
  ranges: 20_000,
  skips: 200,
  skipsSquaredTimesDistinct: 500_000,
  assertions: 200,
  loopedAssertions: 8,
  /** The first use of each property examines all characters. */
  properties: 20,
}

const property = /\\[pP]\{[^}]*\}/g

/**
 * Parses an ECMAScript regular expression.
 *
 * @param option the query option that contains it, for messages: `$filter`
 * @throws {RequestFault} if it is invalid, cannot be matched in linear time, or is too large
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function checkedPattern(source: string, option: string): CheckedPattern {
  requireValid(source, option)
  const node = matchable(source, option)
  if (new Set(source.match(property)).size > limits.properties || isTooLarge(node)) {
    throw unsupportedQuery(
      option,
      'The pattern is too large for the store: it has too many optional or repeated parts, or too many character properties.',
    )
  }
  return { source, node }
}

/** The syntax tree, if the pattern can be compiled to a matcher. */
function matchable(source: string, option: string): PatternNode {
  try {
    const node = parsePattern(source)
    compilePattern(node)
    return node
  } catch (error) {
    if (error instanceof EvaluationError) throw unsupportedQuery(option, error.message)
    throw error
  }
}

function requireValid(source: string, option: string): void {
  try {
    new RegExp(source, 'u')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw malformedQuery(
      option,
      `${JSON.stringify(source)} is not an ECMAScript regular expression: ${reasonOf(error)}.`,
    )
  }
}

/** The reason is at the end of the message: `Invalid regular expression: /(/u: Unterminated group`. */
function reasonOf({ message }: SyntaxError): string {
  return message.slice(message.lastIndexOf(': ') + 2)
}

function isTooLarge(node: PatternNode): boolean {
  const { atoms, distinct, ranges, skips, assertions, loopedAssertions } = patternSize(node)
  return (
    atoms > limits.atoms ||
    atoms * distinct > limits.atomsTimesDistinct ||
    ranges > limits.ranges ||
    skips > limits.skips ||
    skips ** 2 * distinct > limits.skipsSquaredTimesDistinct ||
    assertions > limits.assertions ||
    loopedAssertions > limits.loopedAssertions
  )
}

/** The measures that determine the size of an automaton. Repeated parts count each time. */
interface PatternSize {
  /** Characters and character classes. */
  readonly atoms: number
  /** Different atoms. */
  readonly distinct: number
  /** Ranges of characters. */
  readonly ranges: number
  /** Parts that can be skipped. */
  readonly skips: number
  readonly assertions: number
  /** Assertions inside a repetition. */
  readonly loopedAssertions: number
}

/** The largest repetition count that PostgreSQL accepts. Larger repetitions are written as several copies. */
const copiesWritten = 255

/** Measures a pattern without expanding its repetitions. */
function patternSize(node: PatternNode): PatternSize {
  const sources = new Set<string>()
  const size = { atoms: 0, ranges: 0, skips: 0, assertions: 0, loopedAssertions: 0 }
  const visit = (part: PatternNode, times: number, isLooped: boolean): boolean => {
    switch (part.kind) {
      case 'atom':
        sources.add(part.source)
        size.atoms += times
        size.ranges += atomSet(part.source).length * Math.ceil(times / copiesWritten)
        return false
      case 'assertion':
        size.assertions += times
        if (isLooped) size.loopedAssertions += times
        return true
      case 'sequence':
        return part.nodes.map(each => visit(each, times, isLooped)).every(isEmpty => isEmpty)
      case 'alternatives': {
        const isEmpty = part.nodes.map(each => visit(each, times, isLooped)).includes(true)
        if (isEmpty && part.nodes.length > 1) size.skips += times
        return isEmpty
      }
      case 'repeat': {
        const isEndless = part.most === Number.POSITIVE_INFINITY
        const isEmpty = visit(part.node, times * (isEndless ? part.least + 1 : part.most), isLooped || part.most > 1)
        // Engines skip the remaining optional copies at once, unless a copy can be empty.
        size.skips += times * (isEmpty && !isEndless ? part.most - part.least : 1)
        return isEmpty || part.least === 0
      }
    }
  }
  visit(node, 1, false)
  return { ...size, distinct: sources.size }
}

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
