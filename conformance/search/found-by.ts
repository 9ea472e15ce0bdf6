import { printSearch, type SearchExpression } from '../../runtime/query/index.js'
import { type Filtered, filtered } from '../query/filtered.js'
import { memory } from '../session/memory.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'

const { recall, keep } = memory<Filtered>(({ kind }) => kind === 'keys')

/** What a search finds by itself: asked for once, as long as the data are the same. */
export function foundBy(search: SearchExpression, site: Site, session: Session): Promise<Filtered> {
  return recall(session.reading(site.type), nameOf(search, site), () => filtered(site, session, { search }))
}

/** What a search that was just asked for found. */
export function keepFound(search: SearchExpression, found: Filtered, site: Site, session: Session): void {
  keep(session.reading(site.type), nameOf(search, site), found)
}

function nameOf(search: SearchExpression, { id }: Site): string {
  return `${id} ${printSearch(search)}`
}
