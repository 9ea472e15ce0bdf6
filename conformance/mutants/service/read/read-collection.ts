import type { ReadEndpoint } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import { appliedHeader, contextOf, shown } from '../reply/item-reply.js'
import type { Reply } from '../reply/reply.js'
import type { Entity } from '../world/entity.js'
import { startOf } from './cut-page.js'
import { matchingRows } from './matching-rows.js'
import { linkTo } from './next-link.js'

/** A page of a collection. */
export function readCollection(rows: readonly Entity[], type: ReadEndpoint['type'], at: Exchange): Reply {
  const { behaviour } = at
  const matching = matchingRows(rows, at.options, at)
  const page = behaviour.page(matching, at)
  const count = behaviour.count(matching, page.rows, at)
  const json: Record<string, Json> = { '@odata.context': contextOf(type, at) }
  if (count !== undefined) json['@odata.count'] = count
  json['value'] = page.rows.map(row => shown(row, type, at))
  if (page.next !== undefined) json['@odata.nextLink'] = linkTo(behaviour.link(page.next, at), at)
  return { status: 200, headers: appliedHeader(at), json }
}

/** The number of matching rows, when it is asked for. */
export function countOf(matching: readonly Entity[], at: Exchange): number | undefined {
  if (at.options.count !== true) return undefined
  const isLater = startOf(at) !== undefined
  return isLater && at.behaviour.choices['countOnLaterPages'] === 'first' ? undefined : matching.length
}
