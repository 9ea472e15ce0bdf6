import { printOrderby, type QueryOptions } from '../../../runtime/query/index.js'
import type { TestResponse } from '../../http/message.js'
import { orderbyItem } from '../../lists/properties.js'
import { queryText, readRows } from '../../lists/read-rows.js'
import { listSites, onePageOptions, type QuerySite, querySite } from '../../lists/related-items.js'
import {
  findOrderViolation,
  foldForCollation,
  isOrderCertain,
  type SortKey,
  sortKeysOf,
  sortValues,
} from '../../lists/sort-order.js'
import { sortablesOf } from '../../lists/sortable.js'
import { constructsOf } from '../../rule/query-request.js'
import { describeResponse, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

/** A metamorphic relation: it does not depend on how a service sorts. @see OData Protocol 4.01, 11.2.6.2 */
export const orderReversed: ActiveRule = {
  kind: 'active',
  id: 'order-reversed',
  area: 'ordering',
  statement: '`desc` reverses the order: what comes first in ascending order comes last in descending order.',
  advice: 'If both directions return the same list, the service parses `desc` but does not apply it.',
  aspects: ['orderby.keys'],
  covers: ['orderby'],
  severity: 'must',
  writes: false,
  requiredOptions: ['orderby'],
  cost: 2,
  weight: 3,
  sites: session => listSites(session, query => query.orderby.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const sortables = found === undefined ? [] : sortablesOf(found, session).filter(({ distinct }) => distinct > 2)
    if (found === undefined || sortables.length === 0) {
      return { skipReason: 'a sortable property with three different values' }
    }
    const page = onePageOptions(found, session)
    const chosen = sortables.toSorted((a, b) => Number(a.isCertain) - Number(b.isCertain)).slice(0, 3)
    return { planned: chosen.map(({ leaf }) => ({ options: { orderby: [orderbyItem(leaf.path, 'desc')], ...page } })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const keys = sortKeysOf(options, site.type)
    const [item] = options.orderby ?? []
    if (found === undefined || keys === undefined || item === undefined) {
      return { kind: 'inconclusive', why: 'the order has keys that are not properties' }
    }
    const descending = await valuesIn(found, session, { ...options, orderby: [{ ...item, direction: 'desc' }] }, keys)
    if (descending.kind === 'ended') return descending.verdict
    const ascending = await valuesIn(found, session, { ...options, orderby: [{ ...item, direction: 'asc' }] }, keys)
    if (ascending.kind === 'ended') return ascending.verdict
    const places = new Map(descending.texts.map((text, index) => [text, index]))
    const common = [...new Set(ascending.texts)].filter(text => places.has(text))
    const pairs = pairsOf(common, keys[0]?.leaf.typeName === 'Edm.String')
    if (pairs.length === 0) return { kind: 'pass', vacuous: true }
    const unreversed = pairs.find(([low, high]) => (places.get(low) ?? 0) < (places.get(high) ?? 0))
    if (unreversed === undefined) return { kind: 'pass' }
    const [lowest, highest] = unreversed
    return failure({
      message: `${queryText(options)} is not the reverse of the ascending order.`,
      expected: `${highest} before ${lowest}, the reverse of the ascending order`,
      received: `${lowest} before ${highest} in both directions`,
      answers: [...descending.answers, ...ascending.answers],
      features: ['orderby.desc'],
    })
  },
}

/** Pairs of values in ascending order: the ends of the list, and adjacent values that are not tied. */
function pairsOf(ascending: readonly string[], areTexts: boolean): readonly (readonly [string, string])[] {
  const [lowest, highest] = [ascending.at(0), ascending.at(-1)]
  if (lowest === undefined || highest === undefined) return []
  const ends = foldForCollation(lowest) === foldForCollation(highest) ? [] : [[lowest, highest] as const]
  if (!areTexts) return ends
  const neighbours = ascending.slice(1).map((text, index) => [ascending[index] ?? text, text] as const)
  return [...ends, ...neighbours.filter(([low, high]) => isOrderCertain(low, high))]
}

type Values =
  | { readonly kind: 'read'; readonly texts: readonly string[]; readonly answers: readonly TestResponse[] }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** Without nulls: a service may sort them to the same end in both directions. */
async function valuesIn(
  site: QuerySite,
  session: Session,
  options: QueryOptions,
  keys: readonly SortKey[],
): Promise<Values> {
  const reading = await readRows(site, session, options)
  if (reading.kind === 'ended') return reading
  if (reading.listing.end !== 'complete') {
    return { kind: 'ended', verdict: { kind: 'inconclusive', why: 'the list has too many pages' } }
  }
  const snapshot = session.snapshot(site)
  const values = reading.listing.rows.flatMap(row => sortValues(row, keys, snapshot).slice(0, 1))
  const texts = values.flatMap(value => (value === null || value === undefined ? [] : [String(value)]))
  return { kind: 'read', texts, answers: reading.listing.pages.slice(0, 1) }
}

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
    const rawQuery = `$orderby=${encodeURIComponent(text)}`
    const response = await session.send({ method: 'GET', path: site.path, rawQuery })
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
