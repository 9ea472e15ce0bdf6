import { not } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

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
  isSupported: ({ has }) => has('not'),
  filters: ([p]) => p && [p, not(not(p))],
  compare: mustBeEqual('`not (not P)` gave other rows than `P`.'),
})
