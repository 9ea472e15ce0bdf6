import { binary } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterAbsorb = filterRelation({
  id: 'filter-absorb',
  statement: '`P or P and Q` returns the same rows as `P`.',
  advice: '`and` binds tighter than `or`. Look at precedence, and look for dropped operands.',
  aspects: ['filter.logical'],
  covers: ['filter.and', 'filter.or'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('and') && has('or'),
  filters: ([p, q]) => p && q && [p, binary('or', p, binary('and', p, q))],
  compare: mustBeEqual('`P or P and Q` and `P` returned different rows.'),
})
