import { binary } from '../../probes/expressions.js'
import { filterRelation } from '../../rule/filter-relation.js'

export const filterMonotone = filterRelation({
  id: 'filter-monotone',
  statement: '`P and Q` returns only rows that `P` returns, and `P or Q` returns every row that `P` returns.',
  advice: 'Look at how you combine conditions: `and` cannot add rows, and `or` cannot remove any.',
  aspects: ['filter.logical'],
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
      surplus.length > 0 ? 'An additional `and` condition added rows.' : 'An additional `or` condition removed rows.'
    return { message, missing, surplus }
  },
})
