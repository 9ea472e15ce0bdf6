import type { Expression } from '../../../runtime/query/index.js'
import { binary } from '../../probes/expressions.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterSplit = filterRelation({
  id: 'filter-split',
  statement: '`p ge v` returns the same rows as `p gt v or p eq v`, and `p le v` the same rows as `p lt v or p eq v`.',
  advice: 'Look at the boundary: `ge` and `le` include the value, `gt` and `lt` exclude it.',
  aspects: ['filter.comparison'],
  covers: ['filter.ge', 'filter.le', 'filter.gt', 'filter.lt', 'filter.eq'],
  severity: 'must',
  cost: 2,
  weight: 2,
  conditions: 1,
  isSupported: ({ has }) => has('or') && has('ge') && has('gt') && has('le') && has('lt'),
  accepts: isLimit,
  filters: ([p]) => {
    if (p === undefined || p.kind !== 'binary' || !isLimit(p)) return undefined
    return [p, binary('or', { ...p, operator: p.operator === 'ge' ? 'gt' : 'lt' }, { ...p, operator: 'eq' })]
  },
  // `eq` may follow another collation than `ge`.
  holdsFor: ([p], { choices, service }) => {
    if (p?.kind !== 'binary' || p.right.kind !== 'literal' || p.right.type !== 'String') return true
    if (!service.open.some(({ name }) => name === 'stringComparison')) return true
    const equality = choices.get('stringComparison', 'equality')
    return equality !== undefined && equality === choices.get('stringComparison', 'relational')
  },
  compare: mustBeEqual('An inclusive comparison and its two parts returned different rows.'),
})

function isLimit(filter: Expression): boolean {
  return (
    filter.kind === 'binary' && (filter.operator === 'ge' || filter.operator === 'le') && filter.left.kind === 'path'
  )
}
