import { not } from '../../query/build.js'
import { filterRelation, unequal } from '../../relation/filter-relation.js'

export const filterDoubleNegation = filterRelation({
  id: 'filter-double-negation',
  statement: '`not (not P)` gives the rows that `P` gives.',
  advice: 'Look at whether the second `not` is read, and at null: `not` of null is null.',
  clauses: ['filter.logical'],
  covers: ['filter.not'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 1,
  needs: ({ has }) => has('not'),
  filters: ([p]) => p && [p, not(not(p))],
  differs: unequal('`not (not P)` gave other rows than `P`.'),
})
