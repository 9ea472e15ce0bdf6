import { parsePattern } from '../../../runtime/query/evaluate/pattern/parse-pattern.js'
import { compilePattern } from '../../../runtime/query/evaluate/pattern/program.js'
import type { PatternNode } from '../../../runtime/query/evaluate/pattern/syntax.js'
import { EvaluationError } from '../../../runtime/query/index.js'
import { malformed, unsupported } from '../filter/unsupported.js'
import { patternSize } from './pattern-size.js'

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
    throw unsupported(
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
    if (error instanceof EvaluationError) throw unsupported(option, error.message)
    throw error
  }
}

function requireValid(source: string, option: string): void {
  try {
    new RegExp(source, 'u')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw malformed(option, `${JSON.stringify(source)} is no regular expression of ECMAScript: ${reasonOf(error)}.`)
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
