import type { OrderbyItem, QueryOptions } from '../../runtime/query/index.js'
import type { EntityType } from '../../spec/language/index.js'
import type { Row } from '../json.js'
import { compareForOrder, type Known, lawsOf } from '../semantics/index.js'
import { keyOf } from '../site/key-of.js'
import type { Snapshot } from '../site/snapshot.js'
import { agreedOrder } from './agreed-order.js'
import { type Leaf, leavesOf, valueAt } from './leaf.js'
import { mayBeFiner } from './may-be-finer.js'
import { pathNames } from './property-path.js'

/** One key of `$orderby`, with the property that it names. */
export interface SortKey {
  readonly leaf: Leaf
  readonly direction: OrderbyItem['direction']
}

/** The keys of an `$orderby` of names; absent when one names no such property. */
export function sortKeysOf(
  { orderby = [] }: QueryOptions,
  type: EntityType | undefined,
): readonly SortKey[] | undefined {
  const leaves = type === undefined ? [] : leavesOf(type)
  const keys = orderby.flatMap(item => {
    const path = pathNames(item)?.join('/')
    const leaf = leaves.find(each => each.path.join('/') === path)
    return leaf === undefined ? [] : [{ leaf, direction: item.direction }]
  })
  return keys.length === orderby.length && keys.length > 0 ? keys : undefined
}

/** What a row has under each sort key; what it does not show is taken from the snapshot, if its key is there. */
export function sortValues(row: Row, keys: readonly SortKey[], snapshot: Snapshot | undefined): readonly unknown[] {
  const { type } = snapshot?.site ?? {}
  const key = type === undefined ? undefined : keyOf(row, type)
  const known = key === undefined ? undefined : snapshot?.byKey.get(key)
  return keys.map(({ leaf }) => {
    const shown = valueAt(row, leaf.path)
    return shown === undefined && known !== undefined ? valueAt(known, leaf.path) : shown
  })
}

/** Whether a text is one of those that a service may take for another one, when it compares, and not when it sorts. */
function mayFold(value: unknown, known: Known): boolean {
  if (typeof value !== 'string') return false
  if (value.endsWith(' ') && lawsOf(known).trailingSpacesFold.possible) return true
  if (value.normalize('NFD') === value.normalize('NFC')) return false
  const { accentsFold, normalizationFolds } = lawsOf(known)
  return accentsFold.possible || normalizationFolds.possible
}

/** What every order of texts has in common, where it is not known which one it is. */
function agreed(
  left: unknown,
  right: unknown,
  { typeName }: Leaf,
  direction: OrderbyItem['direction'],
): number | undefined {
  if (typeName !== 'Edm.String' || typeof left !== 'string' || typeof right !== 'string') return undefined
  const order = agreedOrder(left, right)
  return order === undefined || direction === 'asc' ? order : -order
}

/** How two rows stand by their sort values: negative when the left one comes first; absent when it is not known. */
export function compareSorted(
  left: readonly unknown[],
  right: readonly unknown[],
  keys: readonly SortKey[],
  known: Known,
): number | undefined {
  for (const [index, { leaf, direction }] of keys.entries()) {
    if (left[index] === undefined || right[index] === undefined) return undefined
    if (mayFold(left[index], known) || mayFold(right[index], known)) return undefined
    const order =
      compareForOrder(left[index], right[index], leaf.typeName, known, direction) ??
      agreed(left[index], right[index], leaf, direction)
    if (order === 0 && leaf.typeName === 'Edm.DateTimeOffset' && mayBeFiner(known)) return undefined
    if (order !== 0) return order
  }
  return 0
}
