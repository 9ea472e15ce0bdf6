import { canonical } from './canonical.mjs'
import { NoCounterpart } from './tree.mjs'

/**
 * A filter parser under measurement.
 *
 * @typedef {object} Parser
 * @property {string} name
 * @property {(text: string) => string} prepare what `parse` has to be given for a filter; not timed
 * @property {(input: string) => unknown} parse the parser's own call, and nothing else: this is what is timed
 * @property {(result: unknown) => import('./tree.mjs').Expression} tree its tree as ours; not timed
 * @property {(tree: import('./tree.mjs').Expression) => import('./tree.mjs').Expression} [expected] the expected tree in
 *   a form that means the same and that the parser's own tree can state
 *
 * @typedef {object} Case
 * @property {string} text a well-formed filter
 * @property {import('./tree.mjs').Expression} tree what it means
 * @property {readonly string[]} malformed variants of it that are no filters
 *
 * @typedef {object} Verdict
 * @property {readonly Case[]} right
 * @property {readonly Failure[]} wrong accepted, but the tree means something else
 * @property {readonly Failure[]} refused
 * @property {readonly string[]} accepted malformed filters that it accepted
 *
 * @typedef {{ readonly text: string, readonly why: string }} Failure
 */

/**
 * Holds a parser against a corpus: right is what has the expected tree, and nothing else.
 *
 * @param {Parser} parser
 * @param {readonly Case[]} corpus
 * @returns {Verdict}
 */
export function judge(parser, corpus) {
  const right = []
  const wrong = []
  const refused = []
  for (const filter of corpus) {
    const { outcome, why } = judgeOne(parser, filter)
    if (outcome === 'right') right.push(filter)
    else (outcome === 'wrong' ? wrong : refused).push({ text: filter.text, why })
  }
  const malformed = corpus.flatMap(filter => filter.malformed)
  const accepted = malformed.filter(text => 'result' in attempt(parser, text))
  return { right, wrong, refused, accepted }
}

function judgeOne(parser, { text, tree }) {
  const { result, error } = attempt(parser, text)
  if (error !== undefined) return { outcome: 'refused', why: error.message }
  try {
    const found = canonical(parser.tree(result))
    const expected = canonical(parser.expected?.(tree) ?? tree)
    return found === expected ? { outcome: 'right' } : { outcome: 'wrong', why: found }
  } catch (problem) {
    if (problem instanceof NoCounterpart) return { outcome: 'wrong', why: problem.message }
    throw problem
  }
}

/** Whatever a parser throws counts as a refusal; so does an answer of nothing. */
function attempt(parser, text) {
  try {
    const result = parser.parse(parser.prepare(text))
    return result === undefined ? { error: new Error('no result') } : { result }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}
