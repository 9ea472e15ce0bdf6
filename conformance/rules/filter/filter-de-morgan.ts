import { binary, not } from '../../query/build.js'
import { filterRelation, unequal } from '../../relation/filter-relation.js'

export const filterDeMorgan = filterRelation({
  id: 'filter-de-morgan',
  statement: '`not (P or Q)` and `not P and not Q` give the same rows.',
  advice: 'Look at what `not` does to a group in parentheses, and to rows on which a part is null.',
  clauses: ['filter.logical'],
  covers: ['filter.not', 'filter.and', 'filter.or'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 2,
  needs: ({ has }) => has('not') && has('and') && has('or'),
  filters: ([p, q]) => p && q && [not(binary('or', p, q)), binary('and', not(p), not(q))],
  differs: unequal('`not (P or Q)` and `not P and not Q` gave different rows.'),
})
