import type { OrderbyItem } from '../../runtime/query/index.js'
import type { Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import type { Snapshot } from '../site/snapshot.js'
import { folded } from './folded.js'
import type { QuerySite } from './list-sites.js'
import { readRows } from './read-rows.js'
import { isSameValue } from './same-value.js'
import { compareSorted, type SortKey, sortKeysOf, sortValues } from './sort-key.js'

/** The sort values of a whole list in its order. */
export interface FullOrder {
  readonly keys: readonly SortKey[]
  readonly values: readonly (readonly unknown[])[]
}

export type OrderReading =
  | { readonly kind: 'read'; readonly order: FullOrder }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/**
 * How a list reads in an order, by its sort values: computed from the harvested rows where it is known how they sort, else
 * asked for.
 */
export async function fullOrder(
  site: QuerySite,
  session: Session,
  orderby: readonly OrderbyItem[],
): Promise<OrderReading> {
  const snapshot = session.snapshot(site)
  const keys = sortKeysOf({ orderby }, site.type)
  if (snapshot?.complete !== true || keys === undefined) {
    return { kind: 'ended', verdict: { kind: 'inconclusive', why: 'the list could not be read as a whole' } }
  }
  const computed = sortedValues(snapshot, keys, session)
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

function sortedValues(
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
export function mayStandFor(left: readonly unknown[], right: readonly unknown[], keys: readonly SortKey[]): boolean {
  return keys.every(({ leaf }, index) => {
    const [a, b] = [left[index], right[index]]
    if (a === undefined || b === undefined) return true
    if (isSameValue(a, b, leaf.property)) return true
    return typeof a === 'string' && typeof b === 'string' && leaf.typeName === 'Edm.String' && folded(a) === folded(b)
  })
}
