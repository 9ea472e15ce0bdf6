import { binary } from '../../probes/expressions.js'
import { filterRelation } from '../../rule/filter-relation.js'

export const filterMonotone = filterRelation({
  id: 'filter-monotone',
  statement: '`P and Q` gives no row that `P` does not give, and `P or Q` gives each that `P` gives.',
  advice:
    'Look at how conditions are joined: one more with `and` cannot add rows, one more with `or` cannot take any away.',
  clauses: ['filter.logical'],
  covers: ['filter.and', 'filter.or'],
  severity: 'must',
  cost: 3,
  weight: 1,
  conditions: 2,
  isSupported: ({ has }) => has('and') && has('or'),
  filters: ([p, q]) => p && q && [p, binary('and', p, q), binary('or', p, q)],
  compare: ([one, both, either]) => {
    if (one === undefined || both === undefined || either === undefined) return undefined
    const surplus = [...both.keys].filter(key => !one.keys.has(key))
    const missing = [...one.keys].filter(key => !either.keys.has(key))
    if (surplus.length + missing.length === 0) return undefined
    const message =
      surplus.length > 0 ? 'One more condition with `and` added rows.' : 'One more condition with `or` took rows away.'
    return { message, missing, surplus }
  },
})
