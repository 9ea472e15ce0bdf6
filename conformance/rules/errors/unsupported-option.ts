import { type Expression, printQueryOptions, type QueryOptions } from '../../../runtime/query/index.js'
import type { EntityType, QueryCapabilities } from '../../../spec/language/index.js'
import { diverseFirst, keyOf, onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { allConditionHeaders } from '../../rule/query-request.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

export const unsupportedOption: ActiveRule = {
  kind: 'active',
  id: 'unsupported-option',
  area: 'errors',
  statement: 'A query option that an endpoint does not support is rejected with an error object, never ignored.',
  advice:
    'A client that requests less and gets everything does not notice. Reject the options that a route does not implement. If a route implements an option beyond the interface, implement it completely.',
  aspects: ['error.unsupported', 'options.support'],
  covers: ['error.unsupportedQueryOption', 'fault.unsupportedQueryOption', 'open.optionSupport'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 4,
  sites: session => {
    const kinds = ['item', 'delta', 'collection']
    const sites = onePerEndpoint(session.sites)
      .filter(({ endpoint }) => kinds.includes(endpoint.kind))
      .filter(site => queriesOf(site, session).length > 0)
      .sort((a, b) => kinds.indexOf(a.endpoint.kind) - kinds.indexOf(b.endpoint.kind))
    return diverseFirst(sites)
  },
  cases: (site, session) => ({ planned: queriesOf(site, session) }),
  check: async ({ name = '', text = '', variant }, site, session) => {
    const headers = allConditionHeaders(site.endpoint)
    const response = await session.send({ method: 'GET', path: site.path, rawQuery: text, headers })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { unsupportedQueryOption, malformedQueryOption } = session.service.faults
    const finding = errorFinding(response, [unsupportedQueryOption, malformedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    if (response.status >= 300) return failure(finding)
    const passedOver = isIgnored(name, variant, response, site)
    if (passedOver === undefined)
      return { kind: 'inconclusive', why: 'the response does not show whether it was applied' }
    if (!passedOver) return { kind: 'pass' }
    return failure({
      message: `${name === nestedExpand ? '$expand inside $expand' : `$${name}`} is not supported here, but the service ignored it instead of rejecting it.`,
      expected: finding.expected,
      received: describeResponse(response),
      answers: [response],
      features: [...finding.features, name],
    })
  },
}

function queriesOf(site: Site, session: Session): ReturnType<typeof unsupportedQueries> {
  if (site.endpoint.kind === 'item') return unsupportedQueries(site, undefined)
  const rows = rowsOf(site, session)
  return rows < 2 ? [] : unsupportedQueries(site, rows)
}

/** The rows of the collection, or of another one with the same type. */
function rowsOf(site: Site, session: Session): number {
  const own = session.snapshot(site)
  if (own !== undefined) return own.rows.length
  const root = site.endpoint.resolved[0]
  const set = session.sites.find(({ endpoint }) => {
    return endpoint.kind === 'collection' && endpoint.resolved.length === 1 && isSameStart(endpoint.resolved[0], root)
  })
  return set === undefined ? 0 : (session.snapshot(set)?.rows.length ?? 0)
}

function isSameStart(left: unknown, right: unknown): boolean {
  return isRow(left) && isRow(right) && left['element'] === right['element']
}

/** Whether a response equals the response without the option. Undefined if that is not known. */
function isIgnored(
  option: string,
  relation: string | undefined,
  response: TestResponse,
  { endpoint, type }: Site,
): boolean | undefined {
  if (endpoint.kind === 'item') {
    if (!isRow(response.json) || option === 'select') return undefined
    return option === 'expand' ? relation === undefined || !Object.hasOwn(response.json, relation) : true
  }
  const page = pageOf(response)
  if (page === undefined) return undefined
  const { rows } = page
  switch (option) {
    case 'top':
      return rows.length > 1
    case 'filter':
    case 'search':
    case 'skip':
      return rows.length > 0
    case 'count':
      return !isRow(response.json) || !Object.hasOwn(response.json, '@odata.count')
    case nestedExpand:
      return relation === undefined || type === undefined ? undefined : isInnerIgnored(rows, relation, type)
    case 'expand':
      return rows.length === 0 || relation === undefined ? undefined : !rows.some(row => Object.hasOwn(row, relation))
    case 'select':
      return rows.some(row => (type?.properties ?? []).some(({ name }) => isValue(row, name) && !isKey(name, type)))
    default:
      return undefined
  }
}

/**
 * Whether a service ignores a relation inside itself, such as the manager of a manager. Known if an expanded item is a row of its own,
 * which shows its related item.
 */
function isInnerIgnored(rows: readonly Row[], relation: string, type: EntityType): boolean | undefined {
  const byKey = new Map(rows.map(row => [keyOf(row, type), row]))
  const isShown = (row: Row): boolean => Object.hasOwn(row, relation) && isRow(row[relation])
  for (const row of rows) {
    const related = Object.hasOwn(row, relation) ? row[relation] : undefined
    const own = isRow(related) ? byKey.get(keyOf(related, type)) : undefined
    if (isRow(related) && own !== undefined && isShown(own)) return !isShown(related)
  }
  return undefined
}

function isValue(row: Row, name: string): boolean {
  return Object.hasOwn(row, name) && row[name] !== null
}

function isKey(name: string, type: Site['type']): boolean {
  return type?.key.some(key => key.name === name) === true
}

/** A relation inside itself. */
const nestedExpand = 'nested expand'

/** A text that occurs nowhere. */
const nowhere = 'specwrightnosuchword'

/**
 * Queries for each option that the spec declares as unsupported. If applied, they return no row or one row, so that it
 * shows whether the service ignores them. `name` is the option without `$`, `text` the query, `variant` the expanded
 * relation.
 *
 * @param rows the number of rows; undefined for an item
 */
export function unsupportedQueries({ endpoint, type }: Site, rows: number | undefined): readonly TestCase[] {
  if (!('query' in endpoint) || endpoint.query === undefined || type === undefined) return []
  const { query } = endpoint
  const [key] = type.key
  const none = wholeOptions(query)
  // An expanded collection shows even if it is empty; a single-valued relation may be absent.
  const relation = type.navigation.find(({ name, collection }) => {
    return collection && (none.expand || (query.expand.relations[name] ?? 'none') === 'none')
  })?.name
  const self = type.navigation.find(
    each => !each.collection && each.type === type && allowsOnlyItself(each.name, query),
  )
  const queries: readonly (Query | undefined)[] = [
    self === undefined || rows === undefined
      ? undefined
      : {
          name: nestedExpand,
          options: { expand: [{ path: [self.name], options: { expand: [{ path: [self.name] }] } }] },
        },
    none.top ? { name: 'top', options: { top: 1 } } : undefined,
    none.filter && key !== undefined ? { name: 'filter', options: { filter: neverMet(key.name) } } : undefined,
    relation === undefined ? undefined : { name: 'expand', options: { expand: [{ path: [relation] }] } },
    none.skip ? { name: 'skip', options: { skip: Math.max(rows ?? 0, 1) } } : undefined,
    none.search ? { name: 'search', options: { search: { kind: 'term', text: nowhere } } } : undefined,
    none.count ? { name: 'count', options: { count: true } } : undefined,
    none.orderby && rows === undefined && key !== undefined
      ? { name: 'orderby', options: { orderby: [{ expression: path(key.name), direction: 'desc' }] } }
      : undefined,
    none.select && key !== undefined ? { name: 'select', options: { select: [{ path: [key.name] }] } } : undefined,
  ]
  return queries
    .filter(each => each !== undefined)
    .map(({ name, options }) => {
      const text = printQueryOptions(options)
      const variant = name === nestedExpand ? self?.name : name === 'expand' ? relation : undefined
      return variant === undefined ? { name, text } : { name, text, variant }
    })
}

/** Whether a relation can be expanded, but no other relation inside it. */
function allowsOnlyItself(name: string, { expand }: QueryCapabilities): boolean {
  return expand.support !== 'none' && (expand.relations[name] ?? 'none') !== 'none' && expand.maxDepth < 2
}

interface Query {
  readonly name: Option | typeof nestedExpand
  readonly options: QueryOptions
}

function wholeOptions(query: QueryCapabilities): Readonly<Record<Option, boolean>> {
  return {
    top: query.top.support === 'none',
    filter: query.filter.support === 'none',
    expand: query.expand.support === 'none',
    skip: query.skip === 'none',
    search: query.search.support === 'none',
    count: query.count === 'none',
    orderby: query.orderby.support === 'none',
    select: query.select === 'none',
  }
}

type Option = 'top' | 'filter' | 'expand' | 'skip' | 'search' | 'count' | 'orderby' | 'select'

/** No item matches it: keys are never null. */
function neverMet(name: string): Expression {
  return { kind: 'binary', operator: 'eq', left: path(name), right: { kind: 'literal', type: 'null', value: null } }
}

function path(name: string): Expression {
  return { kind: 'path', segments: [{ kind: 'property', name }] }
}

/** An option that no version of the standard defines. */
export const unknownOptionQuery = '$frobnicate=1'

export const unknownOption: ActiveRule = {
  kind: 'active',
  id: 'unknown-option',
  area: 'errors',
  statement: 'An unknown system query option is rejected, or ignored if that is the choice of the service.',
  advice:
    'Names that start with $ are reserved for the standard. If you ignore a misspelled $fitler, the client gets all rows. Reject unknown options on every endpoint.',
  aspects: ['error.unsupported', 'options.support'],
  covers: ['error.unsupportedQueryOption', 'fault.unsupportedQueryOption', 'open.unknownOption'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites }) => onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'collection'),
  cases: () => ({ planned: [{ variant: 'unknown' }] }),
  check: async (_test, site, session) => {
    const response = await session.send({ method: 'GET', path: site.path, rawQuery: unknownOptionQuery })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const choice = session.service.open.find(({ name }) => name === 'unknownOption')
    const learned = session.choices.get('unknownOption')
    const { unsupportedQueryOption, malformedQueryOption } = session.service.faults
    const finding = errorFinding(response, [unsupportedQueryOption, malformedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    const mayIgnore = choice?.legal.includes('ignored') === true && learned !== 'error'
    if (response.status < 300 && mayIgnore) return { kind: 'pass' }
    const because = learned === 'error' ? ' On other endpoints it rejects such options.' : ''
    return failure({ ...finding, message: `${finding.message}${because}` })
  },
}

const unknownName = 'specwrightNoSuch'

export function unknownPropertyQueries({ endpoint, type }: Site): Readonly<Record<string, QueryOptions>> {
  if (!('query' in endpoint) || endpoint.query === undefined || type === undefined || type.open) return {}
  const { select, orderby } = endpoint.query
  const key = type.key[0]?.name ?? unknownName
  const ordered = { expression: { kind: 'path', segments: [{ kind: 'property', name: unknownName }] } } as const
  return {
    ...(select === 'none' ? {} : { select: { select: [{ path: [key] }, { path: [unknownName] }] } }),
    ...(orderby.support === 'none' ? {} : { orderby: { orderby: [{ ...ordered, direction: 'asc' }] } }),
  }
}

export const unknownProperty: ActiveRule = {
  kind: 'active',
  id: 'unknown-property',
  area: 'errors',
  statement: 'An unknown property in $select or $orderby is rejected, or ignored if that is the choice of the service.',
  advice:
    'If you ignore a misspelled name, the client gets rows without the value or in no particular order. Check names against the type.',
  aspects: ['error.unsupported', 'options.support'],
  covers: ['fault.malformedQueryOption', 'select', 'orderby', 'open.unknownProperty'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites }) => onePerEndpoint(sites).filter(site => Object.keys(unknownPropertyQueries(site)).length > 0),
  cases: site => ({
    planned: Object.keys(unknownPropertyQueries(site)).map(name => ({ name })),
  }),
  check: async ({ name = '' }, site, session) => {
    const queries = unknownPropertyQueries(site)
    const options = Object.hasOwn(queries, name) ? (queries[name] ?? {}) : {}
    const response = await session.send({ method: 'GET', path: site.path, options })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { malformedQueryOption, unsupportedQueryOption } = session.service.faults
    const finding = errorFinding(response, [malformedQueryOption, unsupportedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    const choice = session.service.open.find(each => each.name === 'unknownProperty')
    const learned = session.choices.get('unknownProperty')
    const mayIgnore = choice?.legal.includes('ignored') === true && learned !== 'error'
    if (response.status < 300 && mayIgnore) return { kind: 'pass' }
    const because =
      learned === 'error' && choice?.legal.includes('ignored') ? ' On other endpoints it rejects such names.' : ''
    return failure({ ...finding, message: `${finding.message}${because}`, features: [...finding.features, name] })
  },
}
