import type { Expression } from '../../../runtime/query/index.js'
import { binary } from '../../probes/expressions.js'
import { swapCase } from '../../probes/observed-values.js'
import { filterRelation } from '../../rule/filter-relation.js'
import { readsNoNull } from './filter-partition.js'

export const filterComplement = filterRelation({
  id: 'filter-complement',
  statement: 'A row with a text matches exactly one of `text eq V` and `text ne V`, by whatever collation.',
  advice: 'Evaluate `ne` by the collation of `eq`: letter case, accents and trailing spaces count in both or in none.',
  aspects: ['filter.comparison'],
  covers: ['filter.eq', 'filter.ne'],
  severity: 'must',
  cost: 2,
  weight: 0.5,
  conditions: 1,
  isSupported: ({ has }) => has('eq') && has('ne'),
  accepts: filter => inOtherCase(filter) !== undefined,
  filters: ([p]) => p && inOtherCase(p),
  compare: ([equal, unequal], snapshot) => {
    if (equal === undefined || unequal === undefined) return undefined
    const surplus = [...equal.keys].filter(key => unequal.keys.has(key))
    if (surplus.length > 0) return { message: 'Rows matched both `eq` and `ne`.', missing: [], surplus }
    if (!snapshot.complete) return undefined
    const missing = [...snapshot.byKey.keys()].filter(
      key => !equal.keys.has(key) && !unequal.keys.has(key) && readsNoNull(equal.filter, key, snapshot),
    )
    return missing.length === 0 ? undefined : { message: 'Rows matched neither `eq` nor `ne`.', missing, surplus }
  },
})

/** A comparison with a text in the other letter case, which collations treat differently, and its complement. */
function inOtherCase(filter: Expression): readonly Expression[] | undefined {
  if (filter.kind !== 'binary' || (filter.operator !== 'eq' && filter.operator !== 'ne')) return undefined
  const { left, right } = filter
  if (left.kind !== 'path' || right.kind !== 'literal' || right.type !== 'String') return undefined
  const value = swapCase(right.value)
  if (value === right.value) return undefined
  const other: Expression = { ...right, value }
  return [binary('eq', left, other), binary('ne', left, other)]
}
