import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import { predict } from '../semantics/predict.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'

/** Pages without `$top` are of this size where the spec does not say. */
const usualPage = 100

/** The query of a filter, with pages as large as its rows where more than a default page is expected. */
export function pagedFilter(filter: Expression, site: Site, session: Session): QueryOptions {
  const { endpoint } = site
  const snapshot = session.snapshot(site)
  if (snapshot === undefined || endpoint.kind !== 'collection' || endpoint.query === undefined) return { filter }
  const { top } = endpoint.query
  if (top.support === 'none' || !session.support.mayAsk(site, ['filter', 'top'])) return { filter }
  const { may } = predict(filter, snapshot, session)
  if (may.size <= (top.default ?? usualPage)) return { filter }
  return { filter, top: Math.min(top.max ?? 1000, snapshot.rows.length + 20) }
}
