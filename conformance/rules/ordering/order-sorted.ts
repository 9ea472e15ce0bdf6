import fc from 'fast-check'
import type { Expression, QueryOptions } from '../../../runtime/query/index.js'
import { permittedValues } from '../../choices/choices.js'
import { comparedProperties } from '../../choices/scope.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { leafValue, orderbyItem, selectItems } from '../../lists/properties.js'
import { queryText, readRows, visibleKeys } from '../../lists/read-rows.js'
import { listSites, onePageOptions, type QuerySite, querySite } from '../../lists/related-items.js'
import {
  findOrderViolation,
  type OrderViolation,
  type SortKey,
  sortKeysOf,
  sortValues,
} from '../../lists/sort-order.js'
import { interleaveTypes, type Sortable, sortablesOf, sortKind } from '../../lists/sortable.js'
import { type SearchTerm, searchCapabilitiesOf, searchTerms } from '../../probes/search.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import type { Listing, Session } from '../../session/session.js'

/** @see OData Protocol 4.01, 11.2.6.2 */
export const orderSorted: ActiveRule = {
  kind: 'active',
  id: 'order-sorted',
  area: 'ordering',
  statement:
    'A list is sorted by its keys: the first key decides, later keys break ties, and the default direction is ascending.',
  advice:
    'Common causes: the direction is lost, it is applied to all keys or only to the last one, later keys are dropped, numbers or timestamps are sorted as text, or rows without a value are missing from the list.',
  aspects: ['orderby.keys'],
  covers: ['orderby', 'orderby.keys'],
  severity: 'must',
  writes: false,
  requiredOptions: ['orderby'],
  cost: 1,
  weight: 20,
  sites: session => listSites(session, query => query.orderby.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const sortables =
      found === undefined ? [] : interleaveTypes(sortablesOf(found, session), kindsBefore(found, session))
    const [first] = sortables
    if (found === undefined || first === undefined) return { skipReason: 'a sortable property with different values' }
    const filter = certainFilters(found, session)[0]?.filter
    const single = sortables.map(({ leaf }, index): TestCase => {
      return { options: { orderby: [orderbyItem(leaf.path, index % 2 === 0 ? 'desc' : 'asc')] } }
    })
    const reverse = sortables.map(({ leaf }, index): TestCase => {
      return { options: { orderby: [orderbyItem(leaf.path, index % 2 === 0 ? 'asc' : 'desc')] } }
    })
    const several = pairs(sortables, found.endpoint.query.orderby.maxKeys ?? 2)
    // With a filter and without: some services lose the order if there is a filter, some do not support both at once.
    // A filter by a key would leave nothing to sort by it.
    const filtered = filter === undefined ? [] : withFilter(several, filter)
    const three = threeKeys(sortables, found, session)
    const counted =
      found.endpoint.query.count === 'none'
        ? []
        : single.slice(1, 2).map(({ options }) => ({ options: { ...options, count: true } }))
    const page = onePageOptions(found, session)
    const combined = [
      ...withoutKeys(sortables, found),
      ...counted,
      ...several.slice(0, 1),
      ...searched(several[0] ?? single[0], found, session),
    ]
    // Of the first list, combinations of options come early. Of the others, each property comes first: a fault may be in one of them.
    const isFirst = kindsBefore(found, session).size === 0
    const planned = [
      ...single.slice(0, 1),
      ...three,
      ...filtered,
      ...single.slice(1, 3),
      ...(isFirst ? combined : single.slice(3)),
      ...(isFirst ? single.slice(3) : combined),
      ...several.slice(1),
      ...reverse,
    ]
    const whole = wholeList(found, session)
    return {
      // The first one always with $top: some services lose the order if there is a $top.
      planned: planned.map(({ options }, index) => ({ options: { ...options, ...(index === 0 ? whole : page) } })),
      random: randomOrders(sortables, page),
    }
  },
  // With $top if supported: some services lose the order if there is a $top.
  prerequisite: ({ orderby, top }, site, session) => {
    const found = querySite(site)
    if (found === undefined || orderby === undefined) return undefined
    return { options: { orderby, ...(top === undefined ? onePageOptions(found, session) : wholeList(found, session)) } }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') return reading.verdict
    return verdictOn(reading.listing, options, found, session)
  },
}

/** The first order that a filter leaves something to sort by. */
function withFilter(tests: readonly TestCase[], filter: Expression): readonly TestCase[] {
  const fixed = comparedProperties(filter)
  const isLeft = ({ options }: TestCase): boolean =>
    options?.orderby?.some(({ expression }) => comparedProperties(expression).some(path => fixed.includes(path))) !==
    true
  const found = tests.find(isLeft) ?? tests[0]
  return found === undefined ? [] : [{ options: { ...found.options, filter } }]
}

/** A `$top` that does not truncate the list. */
function wholeList(site: QuerySite, session: Session): QueryOptions {
  const { support, max = Number.POSITIVE_INFINITY } = site.endpoint.query.top
  const size = session.snapshot(site)?.rows.length ?? 0
  return support === 'none' || size > max || size === 0 ? onePageOptions(site, session) : { top: size }
}

/** The kinds of sort keys of the sites that come before this one. */
function kindsBefore(site: QuerySite, session: Session): ReadonlySet<string> {
  const sites = listSites(session, query => query.orderby.support !== 'none')
  const before = sites.slice(
    0,
    Math.max(
      0,
      sites.findIndex(({ id }) => id === site.id),
    ),
  )
  return new Set(before.slice(0, 6).flatMap(each => sortablesOf(each, session).map(({ leaf }) => sortKind(leaf))))
}

/** Two keys with different directions. The first key has ties, so that the second one decides. */
function pairs(sortables: readonly Sortable[], maxKeys: number): readonly TestCase[] {
  if (maxKeys < 2) return []
  const firsts = sortables.filter(({ tied }) => tied > 2).sort((a, b) => b.tied - a.tied || a.distinct - b.distinct)
  return firsts.slice(0, 3).flatMap((first, index) => {
    const second = sortables.filter(each => each !== first).sort((a, b) => rank(b) - rank(a))[0]
    if (second === undefined) return []
    const directions = index % 2 === 0 ? (['asc', 'desc'] as const) : (['desc', 'asc'] as const)
    return [
      {
        options: {
          orderby: [orderbyItem(first.leaf.path, directions[0]), orderbyItem(second.leaf.path, directions[1])],
        },
      },
    ]
  })
}

/** An order by a property that is not selected: some services sort what they return. */
function withoutKeys(sortables: readonly Sortable[], { type, endpoint }: QuerySite): readonly TestCase[] {
  const keys = type.key.map(({ name }) => name)
  const [other] = sortables.filter(({ leaf }) => !keys.includes(leaf.path[0] ?? '')).sort((a, b) => rank(b) - rank(a))
  if (other === undefined || keys.length === 0 || endpoint.query.select === 'none') return []
  return [{ options: { orderby: [orderbyItem(other.leaf.path, 'desc')], select: selectItems(keys) } }]
}

/** An order beside a search that finds several items: a search often sorts by relevance, whatever the request says. */
function searched(test: TestCase | undefined, site: QuerySite, session: Session): readonly TestCase[] {
  const snapshot = session.snapshot(site)
  const capabilities = searchCapabilitiesOf(site)
  if (test === undefined || snapshot === undefined || capabilities === undefined) return []
  const found = ({ property, word }: SearchTerm): number =>
    snapshot.rows.filter(row => String(row[property]).split(' ').includes(word)).length
  const [term] = [...searchTerms(snapshot, capabilities)].sort((a, b) => found(b) - found(a))
  return term === undefined || found(term) < 2 ? [] : [{ options: { ...test.options, search: term.search } }]
}

/** Three keys, the first two with the most items that are equal in both, so that the third one decides. */
function threeKeys(sortables: readonly Sortable[], site: QuerySite, session: Session): readonly TestCase[] {
  const rows = session.snapshot(site)?.rows ?? []
  if ((site.endpoint.query.orderby.maxKeys ?? 3) < 3) return []
  const equalIn = (...keys: readonly Sortable[]): number => {
    const values = rows.map(row => JSON.stringify(keys.map(({ leaf }) => leafValue(row, leaf.path) ?? null)))
    return rows.length - new Set(values).size
  }
  const tied = sortables.filter(({ tied: count }) => count > 2).slice(0, maxTied)
  const pairsOfTied = tied.flatMap((first, index) => tied.slice(index + 1).map(second => [first, second] as const))
  const [best] = pairsOfTied
    .map(keys => ({ keys, equal: equalIn(...keys) }))
    .filter(({ equal }) => equal > 0)
    .sort((a, b) => b.equal - a.equal)
  if (best === undefined) return []
  const [last] = sortables
    .filter(each => !best.keys.includes(each) && equalIn(...best.keys, each) < best.equal)
    .sort((a, b) => rank(b) - rank(a))
  if (last === undefined) return []
  const [first, second] = best.keys
  return [
    {
      options: {
        orderby: [
          orderbyItem(first.leaf.path, 'asc'),
          orderbyItem(second.leaf.path, 'asc'),
          orderbyItem(last.leaf.path, 'desc'),
        ],
      },
    },
  ]
}

/** How many keys with ties to pair. */
const maxTied = 8

function rank({ distinct, isCertain }: Sortable): number {
  return distinct + (isCertain ? 1000 : 0)
}

function randomOrders(sortables: readonly Sortable[], page: QueryOptions): fc.Arbitrary<TestCase> {
  const key = fc
    .tuple(fc.constantFrom(...sortables), fc.constantFrom('asc' as const, 'desc' as const))
    .map(([{ leaf }, direction]) => ({ name: leaf.path.join('/'), item: orderbyItem(leaf.path, direction) }))
  return fc
    .uniqueArray(key, { minLength: 1, maxLength: 2, selector: ({ name }) => name })
    .map(keys => ({ options: { orderby: keys.map(({ item }) => item), ...page } }))
}

function verdictOn({ rows, pages, end }: Listing, options: QueryOptions, site: QuerySite, session: Session): Verdict {
  const keys = sortKeysOf(options, site.type)
  if (keys === undefined) return { kind: 'inconclusive', why: 'the order has keys that are not properties' }
  const snapshot = session.snapshot(site)
  const values = rows.map(row => sortValues(row, keys, snapshot))
  const wrong = findOrderViolation(values, keys, session)
  if (wrong !== undefined) {
    return failure({ ...orderFinding(options, keys, values, wrong), answers: pages.slice(0, 3) })
  }
  const trivial = rows.length < 2
  const shown = visibleKeys(rows, site.type)
  if (shown === undefined || snapshot?.complete !== true || end !== 'complete')
    return { kind: 'pass', vacuous: trivial }
  const isWhole = options.top === undefined || options.top >= snapshot.byKey.size
  if (
    options.filter !== undefined ||
    options.search !== undefined ||
    (!isWhole && !permittedValues(session, 'topMeaning', 'total').isOnly('pageSize'))
  ) {
    return { kind: 'pass', vacuous: trivial }
  }
  const present = new Set(shown)
  const missing = [...snapshot.byKey.keys()].filter(key => !present.has(key))
  const surplus = shown.filter(key => !snapshot.byKey.has(key))
  if (missing.length === 0 && surplus.length === 0) return { kind: 'pass', vacuous: trivial }
  const isNull = (key: string): boolean => {
    const row = snapshot.byKey.get(key)
    return row !== undefined && sortValues(row, keys, snapshot).includes(null)
  }
  const areNull = missing.length > 0 && missing.every(isNull)
  return failure({
    message: `${queryText(options)} changes which items the list has.`,
    expected: `the same ${snapshot.byKey.size} items as without an order`,
    received: `${shown.length} items`,
    missing,
    surplus,
    answers: pages.slice(0, 3),
    features: ['orderby', 'items', ...(areNull ? ['null'] : [])],
  })
}

/** The features of an order violation: nulls, the direction, a later key, or the sort order of a type. */
function orderFinding(
  options: QueryOptions,
  keys: readonly SortKey[],
  values: readonly (readonly unknown[])[],
  { before, after, key }: OrderViolation,
): Omit<Finding, 'answers'> {
  const index = keys.indexOf(key)
  const [left, right] = [values[before], values[after]]
  const isNull = left?.[index] === null || right?.[index] === null
  const name = key.leaf.path.join('/')
  const scope = index === 0 ? '' : `, among items with the same ${keys[0]?.leaf.path.join('/')}`
  return {
    message: `The items of ${queryText(options)} are not in this order.`,
    expected: `${name} ${key.direction === 'asc' ? 'ascending' : 'descending'}${scope}`,
    received: `item ${before + 1} has ${text(left?.[index])}, item ${after + 1} has ${text(right?.[index])}`,
    // A lost direction also moves nulls and the ties that a later key orders.
    ...(key.direction === 'desc' && (isNull || index > 0)
      ? { explanations: [index > 0 ? 'orderby.keys' : 'orderby.null', 'orderby.desc'] }
      : {}),
    features: [...featuresOf(key, index, isNull), ...(options.filter === undefined ? [] : ['filter'])],
  }
}

function featuresOf({ direction, leaf }: SortKey, index: number, isNull: boolean): readonly string[] {
  if (index > 0) return ['orderby.keys']
  if (isNull) return ['orderby', 'null']
  return direction === 'desc' ? ['orderby.desc'] : ['orderby.asc', `type.${leaf.typeName.replace('Edm.', '')}`]
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
