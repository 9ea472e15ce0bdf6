import type { OrderbyItem, QueryOptions } from '../../../runtime/query/index.js'
import type { Leaf } from '../../reading/leaf.js'
import { valueAt } from '../../reading/leaf.js'
import type { QuerySite } from '../../reading/list-sites.js'
import { onePage } from '../../reading/one-page.js'
import { orderedBy } from '../../reading/property-path.js'
import { sortValues } from '../../reading/sort-key.js'
import { type Sortable, sortablesOf } from '../../reading/sortable.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import { isRead, probe } from './probe.js'
import { witnessSites } from './witness-sites.js'

/** A list as it came in the order of one property. */
export interface OrderProbe {
  readonly site: QuerySite
  readonly leaf: Leaf
  readonly values: readonly unknown[]
  /** Keys of the rows, in the same order; absent where a row shows none. */
  readonly keys: readonly (string | undefined)[]
}

/**
 * Lists in the order of the property that tells most. Where one property tells several choices, all calibrators look at the
 * same answer.
 *
 * @param worth how much a property would tell; 0 for nothing
 */
export async function orderProbes(
  session: Session,
  direction: OrderbyItem['direction'],
  worth: (sortable: Sortable, values: readonly unknown[]) => number,
): Promise<readonly OrderProbe[]> {
  const probes: OrderProbe[] = []
  for (const site of witnessSites(session, ({ orderby }) => orderby.support !== 'none', 2)) {
    const leaf = mostTelling(site, session, worth)
    if (leaf === undefined) continue
    const options: QueryOptions = { orderby: [orderedBy(leaf.path, direction)], ...onePage(site, session) }
    const listing = await probe(site, session, options, 1)
    if (!isRead(listing)) continue
    const sortKeys = [{ leaf, direction }]
    const snapshot = session.snapshot(site)
    probes.push({
      site,
      leaf,
      values: listing.rows.map(row => sortValues(row, sortKeys, snapshot)[0]),
      keys: listing.rows.map(row => keyOf(row, site.type)),
    })
    // The second list is a witness only when the first one does not tell.
    if (probes.length === 1 && listing.rows.length > 5) break
  }
  return probes
}

function mostTelling(
  site: QuerySite,
  session: Session,
  worth: (sortable: Sortable, values: readonly unknown[]) => number,
): Leaf | undefined {
  const rows = session.snapshot(site)?.rows ?? []
  const rated = sortablesOf(site, session).map(sortable => ({
    sortable,
    worth: worth(
      sortable,
      rows.map(row => valueAt(row, sortable.leaf.path)),
    ),
  }))
  const best = rated.sort((a, b) => b.worth - a.worth)[0]
  return best === undefined || best.worth === 0 ? undefined : best.sortable.leaf
}
