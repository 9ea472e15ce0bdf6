import type { OrderbyItem } from '../../../runtime/query/index.js'
import type { QuerySite } from '../../reading/list-sites.js'
import { orderedBy } from '../../reading/property-path.js'
import { sortablesOf } from '../../reading/sortable.js'
import type { Session } from '../../session/session.js'

/** Orders to cut slices from, those first whose whole order is known without asking and has few equal items. */
export function ordersOf(site: QuerySite, session: Session): readonly (readonly OrderbyItem[])[] {
  const sortables = [...sortablesOf(site, session)].sort(
    (a, b) => Number(b.isCertain) - Number(a.isCertain) || b.distinct - a.distinct,
  )
  return sortables.slice(0, 3).map(({ leaf }, index) => [orderedBy(leaf.path, index % 2 === 0 ? 'desc' : 'asc')])
}
