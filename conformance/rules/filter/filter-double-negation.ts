import { not } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterDoubleNegation = filterRelation({
  id: 'filter-double-negation',
  statement: '`not (not P)` returns the same rows as `P`.',
  advice: 'Check that the second `not` is parsed, and check null handling: `not null` is null.',
  aspects: ['filter.logical'],
  covers: ['filter.not'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 1,
  isSupported: ({ has }) => has('not'),
  filters: ([p]) => p && [p, not(not(p))],
  compare: mustBeEqual('`not (not P)` and `P` returned different rows.'),
})
