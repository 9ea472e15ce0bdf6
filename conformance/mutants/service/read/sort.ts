import type { OrderbyItem } from '../../../../runtime/query/index.js'
import type { SortKey } from '../behaviour.js'
import type { Exchange } from '../exchange.js'
import { compareValues } from '../value/compare-values.js'
import { byCodePoint } from '../value/text.js'
import type { Value } from '../value/value.js'
import type { Entity } from '../world/entity.js'

const collator = new Intl.Collator('en')

/** The order of two values under a key. @see OData Protocol 4.01, 11.2.6.2 */
export function sort(left: Value, right: Value, { direction }: OrderbyItem, at: Exchange): number {
  const { choices } = at.behaviour
  const sign = direction === 'desc' ? -1 : 1
  if (left === null || right === null) {
    if (left === right) return 0
    const low = choices['nullOrder'] === 'first' || choices['nullOrder'] === 'last' ? 1 : sign
    const isFirst = choices['nullOrder'] === 'first' || choices['nullOrder'] === 'lowest'
    return (left === null ? -1 : 1) * (isFirst ? 1 : -1) * low
  }
  if (typeof left === 'string' && typeof right === 'string') return sign * sortText(left, right, choices['stringOrder'])
  return sign * (compareValues(left, right, choices) ?? 0)
}

function sortText(left: string, right: string, order: string | number | undefined): number {
  if (order === 'locale') return collator.compare(left, right)
  if (order === 'caseInsensitive') return byCodePoint(left.toLowerCase(), right.toLowerCase())
  return byCodePoint(left, right)
}

/** Sorts by several keys; the first that tells two rows apart decides. What none tells apart stays as it was. */
export function order(rows: readonly Entity[], keys: readonly SortKey[], at: Exchange): readonly Entity[] {
  const { behaviour } = at
  const valued = rows.map(row => ({ row, values: keys.map(key => key.value(row)) }))
  valued.sort((a, b) => {
    for (const [index, key] of keys.entries()) {
      const result = behaviour.sort(a.values[index] ?? null, b.values[index] ?? null, key.item, at)
      if (result !== 0) return result
    }
    return 0
  })
  return valued.map(({ row }) => row)
}
