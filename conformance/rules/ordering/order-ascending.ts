import { printOrderby } from '../../../runtime/query/index.js'
import { orderbyItem } from '../../lists/properties.js'
import { listSites, querySite } from '../../lists/related-items.js'
import { findOrderViolation, sortKeysOf, sortValues } from '../../lists/sort-order.js'
import { sortablesOf } from '../../lists/sortable.js'
import { constructsOf } from '../../rule/query-request.js'
import { describeResponse, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { pageOf } from '../../session/session.js'

/** @see OData Protocol 4.01, 11.2.6.2 */
export const orderAscending: ActiveRule = {
  kind: 'active',
  id: 'order-ascending',
  area: 'ordering',
  statement: 'A key with `asc` sorts like the key alone: ascending.',
  advice: 'OData allows `asc` after a key. A parser that knows only `desc` may read `asc` as part of the name.',
  aspects: ['orderby.keys'],
  covers: ['orderby'],
  severity: 'should',
  writes: false,
  requiredOptions: ['orderby'],
  cost: 1,
  weight: 2,
  sites: session => listSites(session, query => query.orderby.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const [first] = found === undefined ? [] : sortablesOf(found, session)
    if (first === undefined) return { skipReason: 'a sortable property with different values' }
    return { planned: [{ options: { orderby: [orderbyItem(first.leaf.path, 'asc')] } }] }
  },
  check: async ({ options = {} }, site, session) => {
    const keys = sortKeysOf(options, site.type)
    if (keys === undefined) return { kind: 'inconclusive', why: 'the order has keys that are not properties' }
    const constructs = [...constructsOf(options), 'orderby.asc']
    if (!session.support.maySend(site, constructs)) return { kind: 'unsupported', constructs }
    const text = `${printOrderby(options.orderby ?? [])} asc`
    const response = await session.send({
      method: 'GET',
      path: site.path,
      rawQuery: `$orderby=${encodeURIComponent(text)}`,
    })
    const page = pageOf(response)
    if (page === undefined && isRejection(response, session))
      return { kind: 'unsupported', constructs: ['orderby.asc'] }
    if (page === undefined) return { kind: 'inconclusive', why: describeResponse(response) }
    const values = page.rows.map(row => sortValues(row, keys, session.snapshot(site)))
    const wrong = findOrderViolation(values, keys, session)
    if (wrong === undefined) return { kind: 'pass', vacuous: page.rows.length < 2 }
    return failure({
      message: `With $orderby=${text}, the items are not in ascending order.`,
      expected: 'the order of the key without asc',
      received: `${JSON.stringify(values[wrong.before])} comes before ${JSON.stringify(values[wrong.after])}`,
      answers: [response],
      features: ['orderby.asc', 'written'],
    })
  },
}
