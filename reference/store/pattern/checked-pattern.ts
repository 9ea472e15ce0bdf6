import { compilePattern, EvaluationError, type PatternNode, parsePattern } from '../../../runtime/query/index.js'
import { malformedQuery, unsupportedQuery } from '../query-faults.js'
import { atomSet } from './character-set.js'

/** A pattern that both engines can match in moments. */
export interface CheckedPattern {
  readonly source: string
  readonly node: PatternNode
}

/**
 * Within these an automaton of the pattern is made in well under a second; without them some patterns of a line would keep an
 * engine busy for minutes. They are the same for both engines, so that their answers are.
 */
const limits = {
  atoms: 1_000,
  atomsTimesDistinct: 200_000,
  ranges: 20_000,
  skips: 200,
  skipsSquaredTimesDistinct: 500_000,
  assertions: 200,
  loopedAssertions: 8,
  /** For each all characters there are have to be looked through when it comes for the first time. */
  properties: 20,
}

const property = /\\[pP]\{[^}]*\}/g

/**
 * A regular expression of ECMAScript, taken apart.
 *
 * @param option that it stands in, for messages: `$filter`
 * @throws {RequestFault} when it is none, has what cannot be matched in time linear in the text, or is too large
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
export function checkedPattern(source: string, option: string): CheckedPattern {
  requireValid(source, option)
  const node = matchable(source, option)
  if (new Set(source.match(property)).size > limits.properties || isTooLarge(node)) {
    throw unsupportedQuery(
      option,
      'The pattern is too large for the store: it has too many optional or repeated parts, or properties of characters.',
    )
  }
  return { source, node }
}

/** Its syntax tree, if a matcher can be made of it. */
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
      `${JSON.stringify(source)} is no regular expression of ECMAScript: ${reasonOf(error)}.`,
    )
  }
}

/** `Invalid regular expression: /(/u: Unterminated group` says at its end what is wrong. */
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

/** What makes a pattern expensive for an engine that builds an automaton of it; repeated parts count as often. */
interface PatternSize {
  /** Characters and classes. */
  readonly atoms: number
  /** Different ones. */
  readonly distinct: number
  /** Ranges of characters, as they are written. */
  readonly ranges: number
  /** Parts that may be passed over. */
  readonly skips: number
  readonly assertions: number
  /** Assertions that are repeated. */
  readonly loopedAssertions: number
}

/** Copies that stand behind one another in what is written of a repetition. */
const copiesWritten = 255

/** Measures a pattern without writing out what it repeats. */
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
        // Engines pass over the rest of optional copies at once, unless each may be empty by itself.
        size.skips += times * (isEmpty && !isEndless ? part.most - part.least : 1)
        return isEmpty || part.least === 0
      }
    }
  }
  visit(node, 1, false)
  return { ...size, distinct: sources.size }
}
