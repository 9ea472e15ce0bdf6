import fc from 'fast-check'
import type { SearchExpression } from '../ast.js'

const term: fc.Arbitrary<SearchExpression> = fc
  .constantFrom('blue', '1984', "Daniel's", 'AND', 'OR', 'NOT', 'not', 'a:b', 'größe', '100%', 'a+b&c', '@x=1')
  .map(text => ({ kind: 'term', text }))
const phrase: fc.Arbitrary<SearchExpression> = fc
  .constantFrom('displayName:wa', 'blue green', ' ', "a'b", '(', ';', ')', '\\')
  .map(text => ({ kind: 'phrase', text }))

/** Searches as they may stand anywhere, also within the options of another option. */
export const searchArbitrary: fc.Arbitrary<SearchExpression> = fc.letrec<{ search: SearchExpression }>(tie => ({
  search: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    term,
    phrase,
    tie('search').map((operand): SearchExpression => ({ kind: 'not', operand })),
    fc
      .record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('search'), right: tie('search') })
      .map((binary): SearchExpression => binary),
  ),
})).search
