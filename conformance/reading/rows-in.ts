import type { Answer } from '../http/answer.js'
import { isRow } from '../is-row.js'
import type { Row } from '../json.js'
import { pageOf } from '../session/page-of.js'
import type { Site } from '../site/site.js'

/** The items of the site's type in a read answer: those of a page, or the item itself. */
export function rowsIn(answer: Answer, site: Site): readonly Row[] {
  if (answer.status !== 200 || answer.ask.method !== 'GET') return []
  if (site.endpoint.kind === 'collection') return pageOf(answer)?.rows ?? []
  return site.endpoint.kind === 'item' && isRow(answer.json) ? [answer.json] : []
}
