import type { Expression } from '../../../runtime/query/index.js'
import type { Snapshot } from '../../discover/site.js'
import { binary, not } from '../../probes/expressions.js'
import { swapCase, valuesAt } from '../../probes/observed-values.js'
import { filterRelation } from '../../rule/filter-relation.js'
import { constructsOf } from '../../rule/query-request.js'

export const filterPartition = filterRelation({
  id: 'filter-partition',
  statement: 'No row matches both `P` and `not P`. A row matches neither only if `P` reads a null.',
  advice:
    'Look at how `not` handles comparisons and functions. A row without nulls must match exactly one of the two filters.',
  aspects: ['filter.logical', 'filter.comparison'],
  covers: ['filter.not'],
  severity: 'must',
  cost: 2,
  weight: 2,
  conditions: 1,
  isSupported: ({ has }) => has('not'),
  filters: ([p]) => p && [p, not(p)],
  compare: ([yes, no], snapshot) => {
    if (yes === undefined || no === undefined) return undefined
    const surplus = [...yes.keys].filter(key => no.keys.has(key))
    if (surplus.length > 0) return { message: 'Rows matched both `P` and `not P`.', missing: [], surplus }
    if (!snapshot.complete) return undefined
    const missing = [...snapshot.byKey.keys()].filter(
      key => !yes.keys.has(key) && !no.keys.has(key) && readsNoNull(yes.filter, key, snapshot),
    )
    return missing.length === 0
      ? undefined
      : { message: 'Rows matched neither `P` nor `not P`, although P reads no null.', missing, surplus }
  },
})

/** Whether a condition reads no null on a row. Unknown for collections. */
function readsNoNull(filter: Expression, key: string, { byKey, properties }: Snapshot): boolean {
  const row = byKey.get(key)
  const paths = constructsOf({ filter }).flatMap(each =>
    each.startsWith('filter:') ? [each.slice('filter:'.length)] : [],
  )
  if (row === undefined || filter.kind === 'lambda' || paths.some(path => path.includes('$') || path.includes('*')))
    return false
  return paths.every(path => {
    const [value] = valuesAt([row], path.split('/'))
    return value !== null && value !== undefined && value !== '' && properties.has(path.split('/')[0] ?? '')
  })
}

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
