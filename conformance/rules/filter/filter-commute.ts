import { binary } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterCommute = filterRelation({
  id: 'filter-commute',
  statement: '`P or Q` and `Q or P` give the same rows.',
  advice: 'Look at how joins are translated: an operand may be lost, or written where it does not belong.',
  clauses: ['filter.logical'],
  covers: ['filter.or'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('or'),
  filters: ([p, q]) => p && q && [binary('or', p, q), binary('or', q, p)],
  compare: mustBeEqual('`P or Q` and `Q or P` gave different rows.'),
})
