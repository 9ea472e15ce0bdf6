import type { QueryOptions } from '../../../runtime/query/index.js'
import { keysShown } from '../../reading/keys-shown.js'
import type { QuerySite } from '../../reading/list-sites.js'
import { queryText } from '../../reading/query-text.js'
import { readRows } from '../../reading/read-rows.js'
import type { Verdict } from '../../rule/verdict.js'
import { pageOf } from '../../session/page-of.js'
import type { Session } from '../../session/session.js'

/** Without an order it is open which items `$skip` leaves out, but not how many. */
export async function checkSkipped(options: QueryOptions, site: QuerySite, session: Session): Promise<Verdict> {
  const snapshot = session.snapshot(site)
  if (snapshot?.complete !== true) return { kind: 'inconclusive', why: 'the list could not be read as a whole' }
  const reading = await readRows(site, session, options)
  if (reading.kind === 'ended') return reading.verdict
  const { rows, pages, end } = reading.listing
  const { skip = 0, top } = options
  const left = Math.max(0, snapshot.byKey.size - skip)
  const cut = top === undefined ? left : Math.min(left, top)
  const text = queryText(options)
  const finding = { answers: pages.slice(0, 2), features: ['skip'] }
  const last = pages[0] === undefined ? undefined : pageOf(pages[0])
  if (left === 0 && last?.nextLink !== undefined) {
    return {
      kind: 'fail',
      finding: {
        message: `Past the end of the list, ${text} has a next link.`,
        expected: 'an empty page without @odata.nextLink',
        received: `${last.rows.length} items and @odata.nextLink`,
        ...finding,
      },
    }
  }
  const isRight = rows.length === left || rows.length === cut
  if (end !== 'whole' || isRight) {
    const surplus = (keysShown(rows, site.type) ?? []).filter(key => !snapshot.byKey.has(key))
    if (surplus.length === 0) return { kind: 'pass', trivial: end !== 'whole' || snapshot.byKey.size === 0 }
    return {
      kind: 'fail',
      finding: {
        message: `${text} gives items that the list does not have.`,
        expected: 'items of the list',
        received: `${surplus.length} others`,
        surplus,
        ...finding,
      },
    }
  }
  return {
    kind: 'fail',
    finding: {
      message: `${text} does not leave out ${skip} of ${snapshot.byKey.size} items.`,
      expected: left === cut ? `${left} items` : `${left} items, or ${cut}`,
      received: `${rows.length} items`,
      ...finding,
    },
  }
}
