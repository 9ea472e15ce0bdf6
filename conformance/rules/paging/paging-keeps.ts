import type { QueryOptions } from '../../../runtime/query/index.js'
import { keyOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import type { Row } from '../../json.js'
import { certainFilters } from '../../lists/certain-filters.js'
import {
  leafProperties,
  leafValue,
  orderbyItem,
  selectedNames,
  selectItems,
  unselectedProperties,
} from '../../lists/properties.js'
import { queryText, readRows } from '../../lists/read-rows.js'
import { listSites, pagedFirst, pagingOptions, type QuerySite, querySite } from '../../lists/related-items.js'
import { sortablesOf } from '../../lists/sortable.js'
import { truthOn } from '../../oracle/evaluate.js'
import { evaluationContextOf } from '../../oracle/predict.js'
import { searchTruth } from '../../oracle/search.js'
import { isFalse, isTrue } from '../../oracle/truth-set.js'
import { pathTo } from '../../probes/expressions.js'
import { frequentTerms, searchCapabilitiesOf } from '../../probes/search.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

/** @see OData Protocol 4.01, 11.2.6.7 */
export const pagingKeeps: ActiveRule = {
  kind: 'active',
  id: 'paging-keeps',
  area: 'paging',
  statement: 'Each page that a next link leads to applies the same query: the same filter, selection and expansion.',
  advice:
    'From the second page on, clients get items or properties that they did not request. Include all options of the request in the link, percent-encoded, or store them under the token that the link carries.',
  aspects: ['paging.nextLink'],
  covers: ['nextLink', 'filter', 'select', 'expand', 'count'],
  severity: 'must',
  writes: false,
  cost: 3,
  weight: 13,
  sites: session =>
    pagedFirst(
      listSites(session, query => query.filter.support !== 'none' || query.select !== 'none'),
      session,
    ),
  cases: (site, session) => {
    const found = querySite(site)
    const base = found === undefined ? undefined : pagingOptions(found, session, 3)
    if (found === undefined || base === undefined) return { skipReason: 'a list with more than one page' }
    const parts = optionsToKeep(found, session)
    if (parts.length === 0)
      return {
        skipReason:
          'an option whose effect shows on every page: a filter that splits the rows, or properties to select',
      }
    const encoded = encodedFilters(found, session)
    const whole = parts.length > 1 ? [withBothFilters(Object.assign({}, ...parts), encoded[0], found)] : []
    const queries = [...whole, ...encoded, ...parts].map(query => ({
      ...query,
      ...withPageSize(base, query, found, session),
    }))
    const searches = searchesToKeep(found, session).map(({ rows, ...query }) => ({
      ...query,
      ...(base.top === undefined ? {} : { top: Math.max(1, Math.min(base.top, Math.ceil(rows / 3))) }),
    }))
    return { planned: [...queries, ...searches].map(options => ({ options })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined) return { kind: 'inconclusive', why: 'no list' }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') {
      const isOptional = reading.verdict.kind === 'unsupported' && options.search !== undefined
      return isOptional ? { kind: 'inconclusive', why: 'the service refuses this search' } : reading.verdict
    }
    const { pages } = reading.listing
    const lostOption = lostOptionOf(options, found, session)
    for (const page of pages.slice(1)) {
      const finding = mismatchOn(page, options, lostOption)
      if (finding !== undefined) return failure({ ...finding, answers: [page, ...pages.slice(0, 1)] })
    }
    return { kind: 'pass', vacuous: pages.length < 2 }
  },
}

/** Single options whose effect shows on each page. The order is added to all of them, because later pages depend on it. */
function optionsToKeep(site: QuerySite, session: Session): readonly QueryOptions[] {
  const { query } = site.endpoint
  const parts: QueryOptions[] = []
  const [plain] = certainFilters(site, session)
  if (plain !== undefined) parts.push({ filter: plain.filter })
  const keys = site.type.key.map(({ name }) => name)
  const other = site.type.properties.find(({ name, returned }) => returned === 'byDefault' && !keys.includes(name))
  if (query.select !== 'none' && other !== undefined && site.type.properties.length > keys.length + 1) {
    parts.push({ select: selectItems([...keys, other.name]) })
  }
  const relation = site.type.navigation.find(({ name, collection }) => {
    const { relations } = query.expand
    return collection && Object.hasOwn(relations, name) && relations[name] !== 'none'
  })
  if (query.expand.support !== 'none' && relation !== undefined) parts.push({ expand: [{ path: [relation.name] }] })
  const [sortable] = sortablesOf(site, session)
  if (sortable !== undefined && parts.length > 0) parts.push({ orderby: [orderbyItem(sortable.leaf.path, 'desc')] })
  return parts
}

/** A search that finds several rows, alone and beside a filter that several of them match, and how many rows match. */
function searchesToKeep(site: QuerySite, session: Session): readonly (QueryOptions & { readonly rows: number })[] {
  const snapshot = session.snapshot(site)
  const capabilities = searchCapabilitiesOf(site)
  if (snapshot?.complete !== true || capabilities === undefined) return []
  const [term] = frequentTerms(snapshot, capabilities)
  if (term === undefined || term.rows < 2) return []
  const { search } = term
  const finds = (row: Row): boolean => searchTruth(search, row, snapshot, capabilities, session) === isTrue
  const context = evaluationContextOf(snapshot, session)
  const [both] = certainFilters(site, session)
    .map(({ filter }) => {
      const truth = truthOn(filter, context)
      return { search, filter, rows: snapshot.rows.filter(row => finds(row) && truth(row) === isTrue).length }
    })
    .sort((a, b) => b.rows - a.rows)
  return [{ search, rows: term.rows }, ...(both !== undefined && both.rows > 1 ? [both] : [])]
}

/** Both filters combined, if the list supports `and`. */
function withBothFilters(query: QueryOptions, other: QueryOptions | undefined, { endpoint }: QuerySite): QueryOptions {
  const [left, right] = [query.filter, other?.filter]
  if (left === undefined || right === undefined || !Object.hasOwn(endpoint.query.filter.operators, 'and')) return query
  return { ...query, filter: { kind: 'binary', operator: 'and', left, right } }
}

/** Filters with characters that are reserved in URLs, which links must keep encoded. */
function encodedFilters(site: QuerySite, session: Session): readonly QueryOptions[] {
  const snapshot = session.snapshot(site)
  const { support, operators, properties } = site.endpoint.query.filter
  if (snapshot?.complete !== true || support === 'none' || !Object.hasOwn(operators, 'ne')) return []
  for (const { path, typeName } of leafProperties(site.type)) {
    if (typeName !== 'Edm.String' || path.length > 1 || Object.hasOwn(properties, path.join('/'))) continue
    const texts = snapshot.rows.map(row => leafValue(row, path))
    const text = [/[&#]/, /[+%]/]
      .flatMap(pattern => texts.filter(value => typeof value === 'string' && pattern.test(value)))
      .at(0)
    if (typeof text !== 'string') continue
    const literal = { kind: 'literal', type: 'String', value: text } as const
    return [{ filter: { kind: 'binary', operator: 'ne', left: pathTo(path), right: literal } }]
  }
  return []
}

/** A smaller page size if a filter leaves fewer items. */
function withPageSize(base: QueryOptions, options: QueryOptions, site: QuerySite, session: Session): QueryOptions {
  if (base.top === undefined || options.filter === undefined) return base
  const rows = certainFilters(site, session)[0]?.rows ?? 1
  return { top: Math.max(1, Math.min(base.top, Math.ceil(rows / 3))) }
}

function mismatchOn(
  page: TestResponse,
  options: QueryOptions,
  lostOption: (row: Row) => LostOption | undefined,
): Omit<Finding, 'answers'> | undefined {
  for (const row of pageOf(page)?.rows ?? []) {
    const lost = lostOption(row)
    if (lost === undefined) continue
    return {
      message: `A later page of ${queryText(options)} loses $${lost.option}.`,
      expected: lost.expected,
      received: lost.received,
      ...(lost.key === undefined ? {} : { surplus: [lost.key] }),
      features: ['nextLink', lost.option],
    }
  }
  return undefined
}

/** An option that is lost on a later page, and the evidence. */
interface LostOption {
  readonly option: 'filter' | 'search' | 'select' | 'expand'
  readonly expected: string
  readonly received: string
  readonly key?: string
}

/** The option that a row violates. Undefined if the row conforms to the query. */
function lostOptionOf(
  { filter, search, select, expand = [] }: QueryOptions,
  site: QuerySite,
  session: Session,
): (row: Row) => LostOption | undefined {
  const snapshot = session.snapshot(site)
  const truth =
    filter === undefined || snapshot === undefined ? undefined : truthOn(filter, evaluationContextOf(snapshot, session))
  const capabilities = search && searchCapabilitiesOf(site)
  const selected = select && selectedNames(select)
  return row => {
    const key = keyOf(row, site.type)
    const at = key === undefined ? {} : { key }
    const known = key === undefined ? undefined : snapshot?.byKey.get(key)
    if (truth !== undefined && known !== undefined && !(truth(known) & isTrue)) {
      return {
        option: 'filter',
        expected: 'items that match $filter',
        received: `the item ${key}, which does not match`,
        ...at,
      }
    }
    if (search !== undefined && capabilities !== undefined && snapshot !== undefined && known !== undefined) {
      if (searchTruth(search, known, snapshot, capabilities, session) === isFalse) {
        return {
          option: 'search',
          expected: 'items that match $search',
          received: `the item ${key}, which does not match`,
          ...at,
        }
      }
    }
    if (selected !== undefined) {
      const [shown] = unselectedProperties(row, selected, site.type, session)
      if (shown !== undefined) {
        return { option: 'select', expected: 'selected properties only', received: `the property ${shown}`, ...at }
      }
    }
    for (const { path } of expand) {
      const relation = site.type.navigation.find(({ name }) => name === path.join('/'))
      if (relation?.collection === true && !Array.isArray(row[relation.name])) {
        return { option: 'expand', expected: `${relation.name}, expanded`, received: 'an item without it', ...at }
      }
    }
    return undefined
  }
}
