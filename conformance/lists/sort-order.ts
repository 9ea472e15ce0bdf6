import type { OrderbyItem, QueryOptions } from '../../runtime/query/index.js'
import type { EntityType } from '../../spec/language/index.js'
import { keyOf, type Snapshot } from '../discover/site.js'
import type { Row } from '../json.js'
import { compareForOrder, comparisonSemanticsOf, type ServiceKnowledge } from '../oracle/index.js'
import type { Verdict } from '../rule/rule.js'
import type { Session } from '../session/session.js'
import { foldForCollation, orderInAllCollations } from './collation.js'
import { type LeafProperty, leafProperties, leafValue, pathNames } from './properties.js'
import type { QuerySite } from './query-site.js'
import { readRows } from './read-rows.js'
import { isSameValue } from './values.js'

/** One key of `$orderby`, with the property that it names. */
export interface SortKey {
  readonly leaf: LeafProperty
  readonly direction: OrderbyItem['direction']
}

/** The keys of an `$orderby` of names; absent when one names no such property. */
export function sortKeysOf(
  { orderby = [] }: QueryOptions,
  type: EntityType | undefined,
): readonly SortKey[] | undefined {
  const leaves = type === undefined ? [] : leafProperties(type)
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
    const shown = leafValue(row, leaf.path)
    return shown === undefined && known !== undefined ? leafValue(known, leaf.path) : shown
  })
}

/** Whether a text is one of those that a service may take for another one, when it compares, and not when it sorts. */
function mayEqualAnother(value: unknown, known: ServiceKnowledge): boolean {
  if (typeof value !== 'string') return false
  if (value.endsWith(' ') && comparisonSemanticsOf(known).trailingSpacesFold.possible) return true
  if (value.normalize('NFD') === value.normalize('NFC')) return false
  const { accentsFold, normalizationFolds } = comparisonSemanticsOf(known)
  return accentsFold.possible || normalizationFolds.possible
}

/** What every order of texts has in common, where it is not known which one it is. */
function collationOrder(
  left: unknown,
  right: unknown,
  { typeName }: LeafProperty,
  direction: OrderbyItem['direction'],
): number | undefined {
  if (typeName !== 'Edm.String' || typeof left !== 'string' || typeof right !== 'string') return undefined
  const order = orderInAllCollations(left, right)
  return order === undefined || direction === 'asc' ? order : -order
}

/** How two rows stand by their sort values: negative when the left one comes first; absent when it is not known. */
export function compareSorted(
  left: readonly unknown[],
  right: readonly unknown[],
  keys: readonly SortKey[],
  known: ServiceKnowledge,
): number | undefined {
  for (const [index, { leaf, direction }] of keys.entries()) {
    if (left[index] === undefined || right[index] === undefined) return undefined
    if (mayEqualAnother(left[index], known) || mayEqualAnother(right[index], known)) return undefined
    const order =
      compareForOrder(left[index], right[index], leaf.typeName, known, direction) ??
      collationOrder(left[index], right[index], leaf, direction)
    if (order === 0 && leaf.typeName === 'Edm.DateTimeOffset' && timestampsMayBeFiner(known)) return undefined
    if (order !== 0) return order
  }
  return 0
}

/** Two places of a list that stand the wrong way round, and the sort key that says so. */
export interface OrderViolation {
  readonly before: number
  readonly after: number
  readonly key: SortKey
}

/** How far the next place with a known order is looked for. */
const maxDistance = 12

/**
 * The first places of a list that contradict its order. Where it is not known how two values sort nothing is said of
 * them; but nulls stand together, at one end.
 *
 * @param values the sort values of each row, in the order of the list
 */
export function findOrderViolation(
  values: readonly (readonly unknown[])[],
  keys: readonly SortKey[],
  known: ServiceKnowledge,
): OrderViolation | undefined {
  for (const [before, left] of values.entries()) {
    const end = Math.min(values.length, before + 1 + maxDistance)
    for (let after = before + 1; after < end; after++) {
      const right = values[after] ?? []
      const key = contradictedKey(left, right, keys, known)
      if (key !== undefined) return { before, after, key }
      // What comes after that place is compared with it.
      if (compareSorted(left, right, keys, known) !== undefined) break
    }
  }
  return scatteredNulls(values, keys, known)
}

/** The key by which the left row must come after the right one. */
function contradictedKey(
  left: readonly unknown[],
  right: readonly unknown[],
  keys: readonly SortKey[],
  known: ServiceKnowledge,
): SortKey | undefined {
  for (const [index, key] of keys.entries()) {
    const order = compareSorted([left[index]], [right[index]], [key], known)
    if (order === undefined || order < 0) return undefined
    if (order > 0) return key
  }
  return undefined
}

function scatteredNulls(
  values: readonly (readonly unknown[])[],
  keys: readonly SortKey[],
  known: ServiceKnowledge,
): OrderViolation | undefined {
  const [key] = keys
  const first = values.map(([value]) => value)
  if (key === undefined || first.includes(undefined)) return undefined
  const mayBeNull = (value: unknown): boolean => value === '' && comparisonSemanticsOf(known).emptyIsNull.possible
  const nulls = first.flatMap((value, index) => (value === null ? [index] : []))
  const others = first.flatMap((value, index) => (value === null || mayBeNull(value) ? [] : [index]))
  const [firstNull, lastNull, firstOther, lastOther] = [nulls.at(0), nulls.at(-1), others.at(0), others.at(-1)]
  if (firstNull === undefined || lastNull === undefined || firstOther === undefined || lastOther === undefined) {
    return undefined
  }
  if (lastNull < firstOther || lastOther < firstNull) return undefined
  return { before: firstNull, after: firstOther > firstNull ? firstOther : lastOther, key }
}

/** The sort values of a whole list in its order. */
interface OrderedValues {
  readonly keys: readonly SortKey[]
  readonly values: readonly (readonly unknown[])[]
}

export type OrderResult =
  | { readonly kind: 'read'; readonly order: OrderedValues }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/**
 * How a list reads in an order, by its sort values: computed from the harvested rows where it is known how they sort, else
 * asked for.
 */
export async function readOrder(
  site: QuerySite,
  session: Session,
  orderby: readonly OrderbyItem[],
): Promise<OrderResult> {
  const snapshot = session.snapshot(site)
  const keys = sortKeysOf({ orderby }, site.type)
  if (snapshot?.complete !== true || keys === undefined) {
    return { kind: 'ended', verdict: { kind: 'inconclusive', why: 'the list could not be read as a whole' } }
  }
  const computed = computeOrder(snapshot, keys, session)
  if (computed !== undefined) return { kind: 'read', order: { keys, values: computed } }
  const max = site.endpoint.query.top.max
  const size = snapshot.rows.length
  const isPaged = site.endpoint.query.top.support !== 'none' && size <= (max ?? size) && size > 0
  const reading = await readRows(site, session, { orderby, ...(isPaged ? { top: size } : {}) })
  if (reading.kind === 'ended') return reading
  if (reading.listing.end !== 'whole') {
    return { kind: 'ended', verdict: { kind: 'inconclusive', why: 'the list in that order has too many pages' } }
  }
  const values = reading.listing.rows.map(row => sortValues(row, keys, snapshot))
  return { kind: 'read', order: { keys, values } }
}

function computeOrder(
  snapshot: Snapshot,
  keys: readonly SortKey[],
  session: Session,
): readonly (readonly unknown[])[] | undefined {
  let isKnown = true
  const values = snapshot.rows.map(row => sortValues(row, keys, snapshot))
  const sorted = [...values].sort((a, b) => {
    const order = compareSorted(a, b, keys, session)
    if (order === undefined) isKnown = false
    return order ?? 0
  })
  return isKnown ? sorted : undefined
}

/** Whether two rows may stand at the same place of an order: nothing that counts there tells their values apart. */
export function mayTie(left: readonly unknown[], right: readonly unknown[], keys: readonly SortKey[]): boolean {
  return keys.every(({ leaf }, index) => {
    const [a, b] = [left[index], right[index]]
    if (a === undefined || b === undefined) return true
    if (isSameValue(a, b, leaf.property)) return true
    return (
      typeof a === 'string' &&
      typeof b === 'string' &&
      leaf.typeName === 'Edm.String' &&
      foldForCollation(a) === foldForCollation(b)
    )
  })
}

/**
 * Whether moments that are shown alike may be kept apart. That some property was seen not to be kept finer says nothing of
 * the others: a rule that is about something else does not rely on it.
 */
export function timestampsMayBeFiner({ service }: Pick<Session, 'service'>): boolean {
  return service.open.some(({ name, legal }) => name === 'timestampPrecision' && legal.includes('finer'))
}
