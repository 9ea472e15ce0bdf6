import fc from 'fast-check'
import type { QueryOptions } from '../../../runtime/query/index.js'
import { listSites, querySite } from '../../reading/list-sites.js'
import { onePage } from '../../reading/one-page.js'
import type { Rule } from '../../rule/rule.js'
import { checkSkipped } from './skipped.js'
import { checkSlice } from './slice.js'
import { ordersOf } from './slice-cases.js'

/** SKIP-SUFFIX, SKIP-TOP, SKIP-PAST. */
export const skipLeavesOut: Rule = {
  kind: 'asking',
  id: 'skip-leaves-out',
  area: 'top-skip-count',
  statement: '$skip leaves out that many items from the front of the list, and $top counts from there.',
  advice:
    'Common causes: $skip is read only together with another option, it is applied before sorting or filtering, or ' +
    'after $top. Past the end the list is empty.',
  clauses: ['skip.skipped'],
  covers: ['skip', 'top', 'orderby'],
  severity: 'must',
  writes: false,
  about: ['skip'],
  cost: 1,
  weight: 10,
  sites: session => listSites(session, ({ skip }) => skip !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const length = session.snapshot(site)?.rows.length ?? 0
    if (found === undefined || length < 3) return { thin: 'a list of three items' }
    const { top } = found.endpoint.query
    const page = onePage(found, session)
    const orders = ordersOf(found, session)
    const third = Math.max(1, Math.floor(length / 3))
    const most = Math.min(5, top.max ?? 5)
    const some: QueryOptions = top.support === 'none' ? {} : { top: Math.max(1, Math.min(third, 4, most)) }
    const planned: readonly QueryOptions[] = [
      ...orders.slice(0, 1).map(orderby => ({ orderby, skip: third, ...some })),
      { skip: length - Math.max(1, Math.min(third, 3)), ...page },
      ...orders.slice(0, 2).map(orderby => ({ orderby, skip: length - Math.max(1, Math.min(third, 3)) })),
      { skip: length + 1000 },
      ...orders.slice(1).map(orderby => ({ orderby, skip: third, ...some })),
    ]
    const drawn = fc.integer({ min: 1, max: length - 1 })
    return {
      planned: planned.map(options => ({ options })),
      ...(orders.length === 0
        ? {}
        : {
            random: fc
              .tuple(fc.constantFrom(...orders), drawn, fc.integer({ min: 1, max: most }))
              .map(([orderby, skip, size]) => ({
                options: { orderby, skip, ...(top.support === 'none' ? {} : { top: size }) },
              })),
          }),
    }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    if (options.skip === undefined) return { kind: 'pass', trivial: true }
    if (options.orderby === undefined) return checkSkipped(options, found, session)
    return checkSlice(options, found, session, ['skip'])
  },
}
