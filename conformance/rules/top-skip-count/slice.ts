import type { OrderbyItem, QueryOptions } from '../../../runtime/query/index.js'
import { orderbyItem } from '../../lists/properties.js'
import { queryText, readRows } from '../../lists/read-rows.js'
import type { QuerySite } from '../../lists/related-items.js'
import { mayTie, readOrder, sortValues } from '../../lists/sort-order.js'
import { sortablesOf } from '../../lists/sortable.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

/**
 * Reads the first page of a query with `$orderby`, `$top`, `$skip` and `$filter`, and compares the sort values at each position with
 * the whole order. Tied items may be in any order.
 */
export async function checkSlice(
  options: QueryOptions,
  site: QuerySite,
  session: Session,
  features: readonly string[],
): Promise<Verdict> {
  const { orderby = [], top, skip = 0, filter } = options
  const whole = await readOrder(site, session, orderby, filter)
  if (whole.kind === 'ended') return whole.verdict
  const { keys, values } = whole.order
  const reading = await readRows(site, session, options, { pages: 1 })
  if (reading.kind === 'ended') return reading.verdict
  const answers = reading.listing.pages
  const page = answers[0] === undefined ? undefined : pageOf(answers[0])
  const rows = page?.rows ?? []
  const snapshot = session.snapshot(site)
  const received = rows.map(row => sortValues(row, keys, snapshot))
  const expected = values.slice(skip, top === undefined ? undefined : skip + top)
  const text = queryText(options)
  const at = received.findIndex((each, index) => !mayTie(each, expected[index] ?? [undefined], keys))
  const isTooLong = received.length > expected.length
  // Without a next link, the page is the whole result.
  const isTooShort = received.length < expected.length && page?.nextLink === undefined
  if (at < 0 && !isTooLong && !isTooShort) {
    return { kind: 'pass', vacuous: expected.length === 0 || (skip === 0 && expected.length === values.length) }
  }
  const position = at < 0 ? Math.min(received.length, expected.length) : at
  return failure({
    message: messageOf(text, at, isTooLong, skip),
    expected: `${expected.length} items${at < 0 ? '' : `, ${shown(expected[position])} at position ${position + 1}`}`,
    received: `${received.length} items${at < 0 ? '' : `, ${shown(received[position])} at position ${position + 1}`}`,
    why: [`The whole order: ${values.slice(0, 12).map(shown).join('; ')}${values.length > 12 ? '; …' : ''}`],
    answers,
    features,
  })
}

function messageOf(text: string, at: number, isTooLong: boolean, skip: number): string {
  const start = skip === 0 ? 'starting at the first' : `after the first ${skip}`
  if (at >= 0) return `${text} does not return the expected items of the order, ${start}.`
  return isTooLong ? `${text} returns more items than requested.` : `${text} returns fewer items than there are.`
}

function shown(values: readonly unknown[] | undefined): string {
  return (values ?? []).map(value => JSON.stringify(value) ?? 'nothing').join(' and ')
}

/** Orderings to slice. Those whose order is known from the snapshot and has few ties come first. */
export function orderingsToSlice(site: QuerySite, session: Session): readonly (readonly OrderbyItem[])[] {
  const sortables = [...sortablesOf(site, session)].sort(
    (a, b) => Number(b.isCertain) - Number(a.isCertain) || b.distinct - a.distinct,
  )
  return sortables.slice(0, 3).map(({ leaf }, index) => [orderbyItem(leaf.path, index % 2 === 0 ? 'desc' : 'asc')])
}
