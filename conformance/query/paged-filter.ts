import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import { predict } from '../semantics/predict.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'

/** Pages without `$top` are of this size where the spec does not say. */
const usualPage = 100
/** Rows over which a filter is evaluated only to plan its query. */
const mostPredicted = 2_000

/** The query of a filter, with pages as large as its rows where more than a default page is expected. */
export function pagedFilter(filter: Expression, site: Site, session: Session): QueryOptions {
  const { endpoint } = site
  const snapshot = session.snapshot(site)
  if (snapshot === undefined || endpoint.kind !== 'collection' || endpoint.query === undefined) return { filter }
  const { top } = endpoint.query
  if (top.support === 'none' || !session.support.mayAsk(site, ['filter', 'top'])) return { filter }
  const page = top.default ?? usualPage
  if (snapshot.rows.length <= page) return { filter }
  const isFew = snapshot.rows.length <= mostPredicted && predict(filter, snapshot, session).may.size <= page
  if (isFew) return { filter }
  return { filter, top: Math.min(top.max ?? 1000, snapshot.rows.length + 20) }
}
