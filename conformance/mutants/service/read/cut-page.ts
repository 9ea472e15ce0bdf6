import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'
import type { Page } from './page.js'

/** Items on a page where the spec says nothing. */
const plainSize = 100

/** The page of a list that a request asks for; the token of a next link is the number of rows before the page. */
export function cutPage(rows: readonly Entity[], at: Exchange): Page {
  const { skip = 0, top } = at.options
  const start = startOf(at) ?? skip
  const isTotal = at.behaviour.choices['topMeaning'] === 'total'
  const last = isTotal && top !== undefined ? Math.min(rows.length, skip + top) : rows.length
  const end = Math.min(last, start + pageSize(at))
  const page = rows.slice(start, end)
  return end < last && end > start ? { rows: page, next: String(end) } : { rows: page }
}

/** How many items a page holds. */
export function pageSize({ options: { top }, behaviour, endpoint }: Exchange): number {
  const declared = ('query' in endpoint ? endpoint.query?.top.default : undefined) ?? plainSize
  const size = behaviour.choices['defaultPageSize'] === 'other' ? Math.ceil(declared * 0.4) : declared
  if (top === undefined) return size
  return behaviour.choices['topMeaning'] === 'total' ? Math.max(size, top) : top
}

/** Where the page begins that a next link leads to; absent on the first page. */
export function startOf({ options: { skiptoken } }: Exchange): number | undefined {
  return skiptoken === undefined ? undefined : Number(skiptoken)
}
