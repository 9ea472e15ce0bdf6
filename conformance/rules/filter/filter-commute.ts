import { binary } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterCommute = filterRelation({
  id: 'filter-commute',
  statement: '`P or Q` and `Q or P` return the same rows.',
  advice: 'Look at how you translate joins: an operand may be lost or end up in the wrong place.',
  aspects: ['filter.logical'],
  covers: ['filter.or'],
  severity: 'must',
  cost: 2,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('or'),
  filters: ([p, q]) => p && q && [binary('or', p, q), binary('or', q, p)],
  compare: mustBeEqual('`P or Q` and `Q or P` returned different rows.'),
})
