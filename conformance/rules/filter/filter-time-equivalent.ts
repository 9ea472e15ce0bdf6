import type { Expression } from '../../../runtime/query/index.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterTimeEquivalent = filterRelation({
  id: 'filter-time-equivalent',
  statement: 'One moment, written with zeros for fractions of a second or without, gives the same rows.',
  advice: 'Look at whether moments are compared as moments, or as texts.',
  clauses: ['filter.values'],
  covers: ['filter.eq', 'filter.gt'],
  severity: 'should',
  cost: 2,
  weight: 1,
  conditions: 1,
  isSupported: ({ terms }) => terms.some(({ type }) => type === 'Edm.DateTimeOffset'),
  accepts: filter => withZeros(filter) !== undefined,
  filters: ([p]) => {
    const other = p && withZeros(p)
    return p && other && [p, other]
  },
  compare: mustBeEqual('One moment written in two ways gave different rows.'),
})

function withZeros(filter: Expression): Expression | undefined {
  if (filter.kind !== 'binary' || filter.left.kind !== 'path' || filter.right.kind !== 'literal') return undefined
  const { right } = filter
  if (right.type !== 'DateTimeOffset' || !/\d:\d\dZ$/.test(right.value)) return undefined
  return { ...filter, right: { ...right, value: right.value.replace('Z', '.000Z') } }
}
