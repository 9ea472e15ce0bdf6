import type { Expression } from '../../../runtime/query/index.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'

export const filterTimeEquivalent = filterRelation({
  id: 'filter-time-equivalent',
  statement: 'A timestamp literal returns the same rows with and without trailing zeros in its fraction of a second.',
  advice: 'Compare timestamps as points in time, not as strings.',
  aspects: ['filter.literals'],
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
  compare: mustBeEqual('Two notations of one timestamp returned different rows.'),
})

function withZeros(filter: Expression): Expression | undefined {
  if (filter.kind !== 'binary' || filter.left.kind !== 'path' || filter.right.kind !== 'literal') return undefined
  const { right } = filter
  if (right.type !== 'DateTimeOffset' || !/\d:\d\dZ$/.test(right.value)) return undefined
  return { ...filter, right: { ...right, value: right.value.replace('Z', '.000Z') } }
}
