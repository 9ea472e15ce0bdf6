import { canonical } from './canonical.mjs'
import { NoCounterpart } from './tree.mjs'

/**
 * What a parser made of one text. `accepted` is said of malformed filters, `right` and `wrong` of well-formed ones.
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

/** Whatever a parser throws counts as a refusal; so does an answer of nothing. */
function parsed(parser, text) {
  try {
    return parser.parse(parser.prepare(text))
  } catch {
    return undefined
  }
}
