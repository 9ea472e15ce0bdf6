import { canonical } from './canonical.mjs'
import { NoCounterpart } from './tree.mjs'

/**
 * The outcome of parsing one text. `accepted` is for malformed filters, `right` and `wrong` are for well-formed ones.
 *
 * @typedef {'right' | 'wrong' | 'accepted' | 'refused'} Outcome
 */

/**
 * @param {import('./parsers.mjs').Parser} parser
 * @param {import('./corpus.mjs').Trial} trial
 * @returns {Outcome}
 */
export function attempt(parser, { text, tree }) {
  const result = parsed(parser, text)
  if (result === undefined) return 'refused'
  if (tree === undefined) return 'accepted'
  try {
    return canonical(parser.tree(result)) === canonical(parser.expected?.(tree) ?? tree) ? 'right' : 'wrong'
  } catch (problem) {
    if (problem instanceof NoCounterpart) return 'wrong'
    throw problem
  }
}

/** An exception of a parser counts as a rejection, and so does an empty result. */
function parsed(parser, text) {
  try {
    return parser.parse(parser.prepare(text))
  } catch {
    return undefined
  }
}
