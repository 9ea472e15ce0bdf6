import { numeral, typeKey } from '../../query/index.js'
import { Failure, RequestFault } from '../errors.js'
import { type Exchange, keyTexts } from '../exchange.js'
import { CompleteResponse, CreatedItem } from '../handler.js'
import type { ServerResponse } from '../http/message.js'
import { includesTag } from '../http/preconditions.js'
import {
  keyProperties,
  type ResourceSegment,
  type Route,
  type RouteKind,
  type ServiceTable,
  structuredType,
  underlyingType,
} from '../service-table.js'
import { changedStreamResponse, streamResponse } from '../streams/stream-responses.js'
import { JsonText, parseJsonText } from '../value/primitive-values.js'
import { keyLiteral } from './context-url.js'
import { entitySetFor, itemAnnotator } from './control-information.js'
import {
  contextUrl,
  countValue,
  emptyResponse,
  hasNumbersAsStrings,
  type ItemHeaders,
  includesControlInformation,
  jsonResponse,
  jsonTextResponse,
  omittedValues,
  projectionFor,
  withoutOmitted,
} from './json-response.js'
import { type Projection, valueConversion } from './projection.js'
import { entityTagOf, isRow } from './returned-properties.js'

const responses: Readonly<Record<RouteKind, (exchange: Exchange, result: unknown) => ServerResponse>> = {
  collection: listResponse,
  item: itemResponse,
  count: countResponse,
  delta: deltaResponse,
  create: createdResponse,
  update: updatedResponse,
  replace: updatedResponse,
  delete: exchange => emptyResponse(exchange, exchange.compiled.route.status),
  call: callResponse,
  createMedia: createdResponse,
  readStream: (exchange, result) =>
    result === undefined ? absentResponse(exchange) : streamResponse(exchange, result),
  replaceStream: changedStreamResponse,
  deleteStream: changedStreamResponse,
}

/** The response to a request, from the result of the handler. Throws a `TypeError` if the result is invalid. */
export function responseFor(exchange: Exchange, result: unknown): ServerResponse {
  if (result instanceof CompleteResponse) return result.response
  return responses[exchange.compiled.route.kind](exchange, result)
}

/** A page of a collection. @see OData JSON Format 4.01, 12 (collection of entities) */
function listResponse(exchange: Exchange, result: unknown): ServerResponse {
  const { value, count, skipToken } = pageOf(exchange, result)
  const project = projectionFor(exchange)
  const { status } = exchange.compiled.route
  const page: Record<string, unknown> = { '@odata.context': contextUrl(exchange) }
  if (isCounted(exchange)) page['@odata.count'] = countOf(exchange, count)
  if (typeof skipToken === 'string') page['@odata.nextLink'] = pageLink(exchange, '$skiptoken', skipToken)
  if (omittedValues(exchange) !== undefined) {
    return jsonResponse(exchange, status, { ...page, value: pageItems(value).map(row => shortened(exchange, row)) })
  }
  if (!includesControlInformation(exchange)) {
    return jsonResponse(exchange, status, { ...page, value: pageItems(value).map(project.value) })
  }
  const annotate = itemAnnotator(exchange)
  if (annotate !== undefined) {
    const items = pageItems(value).map(row => annotate(row, project.value(row)))
    return jsonResponse(exchange, status, { ...page, value: items })
  }
  const isFinal = value instanceof JsonText && !hasNumbersAsStrings(exchange)
  const items = isFinal ? value.text : listText(pageItems(value), project.text)
  return jsonTextResponse(exchange, status, `${JSON.stringify(page).slice(0, -1)},"value":${items}}`)
}

function listText(rows: readonly unknown[], textOf: Projection['text']): string {
  let text = '['
  for (let index = 0; index < rows.length; index++) text += (index === 0 ? '' : ',') + textOf(rows[index])
  return `${text}]`
}

/** Whether this page includes the count: if requested, on every page or only on the first, as the service chose. */
function isCounted({ plan, table }: Exchange): boolean {
  if (plan.options.count !== true) return false
  return plan.options.skiptoken === undefined || table.choices['countOnLaterPages'] !== 'first'
}

function countOf(exchange: Exchange, count: unknown): number | string {
  if (typeof count === 'number') return countValue(exchange, count)
  throw new TypeError(`The handler ${exchange.compiled.route.name} returned no count, but the query requests it.`)
}

/** A page of changes. @see OData JSON Format 4.01, 15 (delta payload) */
function deltaResponse(exchange: Exchange, result: unknown): ServerResponse {
  const { value, skipToken, deltaToken } = pageOf(exchange, result)
  const changes = exchange.plan.options.deltatoken === undefined ? '' : '/$delta'
  return jsonResponse(exchange, exchange.compiled.route.status, {
    '@odata.context': contextUrl(exchange) + changes,
    ...(typeof skipToken === 'string' ? { '@odata.nextLink': pageLink(exchange, '$skiptoken', skipToken) } : {}),
    ...(typeof deltaToken === 'string' ? { '@odata.deltaLink': pageLink(exchange, '$deltatoken', deltaToken) } : {}),
    value: pageItems(value).map(row => removedOf(exchange, row) ?? shownItem(exchange, row)),
  })
}

/** An item, or the route's response to an absent item. */
function itemResponse(exchange: Exchange, row: unknown): ServerResponse {
  if (row === null || row === undefined) return absentResponse(exchange)
  const tag = entityTagOf(row)
  const { ifNoneMatch, ifMatch } = exchange.precondition
  if (ifMatch !== undefined && !includesTag(ifMatch, tag)) throw new RequestFault('preconditionFailed')
  if (ifNoneMatch !== undefined && includesTag(ifNoneMatch, tag)) return emptyResponse(exchange, 304, { etag: tag })
  return itemContent(exchange, exchange.compiled.route.status, row, { etag: tag })
}

/** The number of items as text, or as JSON if the caller accepts only JSON. */
function countResponse(exchange: Exchange, count: unknown): ServerResponse {
  if (typeof count !== 'number')
    throw new TypeError(`The handler ${exchange.compiled.route.name} must return a number.`)
  if (exchange.representation.type === 'json') {
    return jsonResponse(exchange, exchange.compiled.route.status, countValue(exchange, count))
  }
  return {
    status: exchange.compiled.route.status,
    headers: { ...exchange.headers, 'content-type': 'text/plain;charset=utf-8' },
    body: String(count),
  }
}

/** A response whose body is an item. */
function itemContent(exchange: Exchange, status: number, row: unknown, own: ItemHeaders = {}): ServerResponse {
  const project = projectionFor(exchange)
  const context = contextUrl(exchange)
  if (!isRow(parseJsonText(row)))
    throw new TypeError(`The handler ${exchange.compiled.route.name} must return an item.`)
  if (omittedValues(exchange) !== undefined) {
    const shown = shortened(exchange, row)
    return jsonResponse(exchange, status, { '@odata.context': context, ...(isRow(shown) ? shown : {}) }, own)
  }
  if (includesControlInformation(exchange) && itemAnnotator(exchange) === undefined) {
    return jsonTextResponse(exchange, status, project.text(row, `{"@odata.context":${JSON.stringify(context)}`), own)
  }
  const shown = shownItem(exchange, row)
  return jsonResponse(exchange, status, { '@odata.context': context, ...(isRow(shown) ? shown : {}) }, own)
}

/** An item with its control information. */
function shownItem(exchange: Exchange, row: unknown): unknown {
  const shown = projectionFor(exchange).value(row)
  return itemAnnotator(exchange)?.(row, shown) ?? shown
}

/** An item without the values that the caller does not want. */
function shortened(exchange: Exchange, row: unknown): unknown {
  const omitted = omittedValues(exchange)
  const shown = shownItem(exchange, row)
  return omitted === undefined
    ? shown
    : withoutOmitted(shown, exchange.compiled.route.type, omitted, exchange.table.types)
}

/** The response to an absent item: 204 if the route declares it, else the 404 that the operation declares. */
function absentResponse(exchange: Exchange): ServerResponse {
  const { route } = exchange.compiled
  if (route.absent === 204) return emptyResponse(exchange, 204)
  const declared = route.errors.find(name => exchange.table.errors[name]?.status === 404)
  const values = keyTexts(exchange.keys)
  throw declared === undefined ? new RequestFault('itemNotFound', { values }) : new Failure(declared, { values })
}

interface Page {
  readonly value: readonly unknown[] | JsonText
  readonly count: unknown
  readonly skipToken: unknown
  readonly deltaToken: unknown
}

function pageOf(exchange: Exchange, result: unknown): Page {
  const value = isRow(result) ? result['value'] : undefined
  if (isRow(result) && (Array.isArray(value) || value instanceof JsonText)) {
    return { value, count: result['count'], skipToken: result['skipToken'], deltaToken: result['deltaToken'] }
  }
  throw new TypeError(`The handler ${exchange.compiled.route.name} must return { value: [...] }.`)
}

function pageItems(value: Page['value']): readonly unknown[] {
  const items = parseJsonText(value)
  return Array.isArray(items) ? items : []
}

/** The URL of the request with its options and a skip token or delta token. */
function pageLink({ serviceUrl, path, plan }: Exchange, option: '$skiptoken' | '$deltatoken', token: string): string {
  const repeated = plan.nextLinkOptions === '' ? '' : `${plan.nextLinkOptions}&`
  return `${serviceUrl}${path}?${repeated}${option}=${encodeURIComponent(token)}`
}

/** A removed item has only its key and the reason. */
function removedOf(exchange: Exchange, row: unknown): unknown {
  if (!isRow(row) || row['@removed'] === undefined) return undefined
  const key = keyProperties(exchange.table.types, exchange.compiled.route.type) ?? []
  return { '@removed': row['@removed'], ...Object.fromEntries(key.map(({ name }) => [name, row[name]])) }
}

/**
 * A created item with its URL.
 *
 * @see OData Protocol 4.01, 11.4.2 and 8.2.8.7 (return preference)
 */
function createdResponse(exchange: Exchange, row: unknown): ServerResponse {
  const location = itemUrl(exchange, exchange.compiled.route.resource, exchange.path, row)
  const own = { location, etag: entityTagOf(row) }
  if (isMinimal(exchange)) return emptyResponse(exchange, 204, { ...own, entityId: location })
  const { status } = exchange.compiled.route
  return itemContent(exchange, status === 204 ? 201 : status, row, own)
}

function updatedResponse(exchange: Exchange, result: unknown): ServerResponse {
  if (result instanceof CreatedItem) return upsertedResponse(exchange, result.row)
  const row = result
  if (row === null || row === undefined) return absentResponse(exchange)
  if (isMinimal(exchange)) return emptyResponse(exchange, 204, { etag: entityTagOf(row) })
  const { status } = exchange.compiled.route
  return itemContent(exchange, status === 204 ? 200 : status, row, { etag: entityTagOf(row) })
}

/** An update that created its item. @see OData Protocol 4.01, 11.4.4 (upsert) */
function upsertedResponse(exchange: Exchange, row: unknown): ServerResponse {
  const { path, compiled } = exchange
  const { resource } = compiled.route
  // The address of an item is that with its key, which an alternate key does not replace.
  const location =
    resource.at(-1)?.kind === 'alternateKey'
      ? itemUrl(exchange, resource.slice(0, -1), path.replace(/(?:\(|%28)[^/]*$/i, ''), row)
      : exchange.serviceUrl + path
  const own = { location, etag: entityTagOf(row) }
  if (isMinimal(exchange)) return emptyResponse(exchange, 204, { ...own, entityId: location })
  return itemContent(exchange, 201, row, own)
}

/**
 * Whether the response has no body: the caller prefers it, or the spec declares 204 and the caller has no preference.
 */
function isMinimal({ preferences, compiled }: Exchange): boolean {
  return preferences.return === 'minimal' || (compiled.route.status === 204 && preferences.return === undefined)
}

/**
 * The URL of a new item: below its collection if the service has items there, with or without casts; else in the entity set
 * of the relation or of its type. Its key is written as in the spec.
 */
function itemUrl(exchange: Exchange, collection: readonly ResourceSegment[], path: string, row: unknown): string {
  const { table, serviceUrl, compiled } = exchange
  const place = placeOfItems(collection, table)
  if (place !== undefined) {
    const own = place.casts === 0 ? path : path.split('/').slice(0, -place.casts).join('/')
    return serviceUrl + own + keyPath(exchange, row, place.item)
  }
  const type = isRow(row) && typeof row['@odata.type'] === 'string' ? row['@odata.type'] : (compiled.route.type ?? '')
  const last = collection.at(-1)
  const bound = last?.kind === 'navigation' ? last.set : undefined
  const set = bound ?? entitySetFor(typeKey(type, table.types), table, 'first')
  return set === undefined
    ? serviceUrl + path + keyPath(exchange, row)
    : `${serviceUrl}/${set}${keyPath(exchange, row, itemRoute(setSegments(set, table), table))}`
}

const setSegments = (name: string, { container }: ServiceTable): readonly ResourceSegment[] => [
  { kind: 'entitySet', name, type: container[name]?.type ?? '' },
]

/** Where the items of a collection are. */
interface PlaceOfItems {
  /** The number of casts at the end of the path of the collection that the paths of its items lack. */
  readonly casts: number
  readonly item: Route
}

const places = new WeakMap<ServiceTable, WeakMap<readonly ResourceSegment[], { readonly place?: PlaceOfItems }>>()

function placeOfItems(collection: readonly ResourceSegment[], table: ServiceTable): PlaceOfItems | undefined {
  const known = places.get(table) ?? new WeakMap<readonly ResourceSegment[], { readonly place?: PlaceOfItems }>()
  places.set(table, known)
  const found = known.get(collection)
  if (found !== undefined) return found.place
  const casts = Math.max(
    0,
    [...collection].reverse().findIndex(({ kind }) => kind !== 'cast'),
  )
  const [place] = [0, casts].flatMap(count => {
    const item = itemRoute(collection.slice(0, collection.length - count), table)
    return item === undefined ? [] : [{ casts: count, item }]
  })
  known.set(collection, place === undefined ? {} : { place })
  return place
}

const itemRoutesByTable = new WeakMap<ServiceTable, ReadonlyMap<string, Route>>()

/** A route of the items of a collection. */
function itemRoute(collection: readonly ResourceSegment[], table: ServiceTable): Route | undefined {
  const found = itemRoutesByTable.get(table)
  const items =
    found ??
    new Map(
      table.routes
        .filter(({ segments }) => segments.at(-1)?.kind === 'key')
        .map(route => [JSON.stringify(route.resource.slice(0, -1)), route] as const),
    )
  itemRoutesByTable.set(table, items)
  return items.get(JSON.stringify(collection))
}

/** `/x` or `('x')` for a single key, as the spec writes it, `(a='x',b=2)` for a composite one. */
function keyPath({ compiled, table }: Exchange, row: unknown, item?: Route): string {
  const key = keyProperties(table.types, compiled.route.type)
  if (key === undefined || !isRow(row)) throw new TypeError(`The handler ${compiled.route.name} must return an item.`)
  const values = key.map(({ name, type }) => ({ name, type, value: row[name] }))
  if (values.some(({ value }) => value === undefined || value === null)) {
    throw new TypeError(`The handler ${compiled.route.name} returned an item without its key.`)
  }
  const [only] = values
  if (only === undefined || values.length > 1)
    return `(${values.map(({ name, value, type }) => `${name}=${keyLiteral(value, type)}`).join(',')})`
  if (item?.path.endsWith(')') === true) return `(${keyLiteral(only.value, only.type)})`
  return `/${encodeURIComponent(typeof only.value === 'number' ? numeral(only.value) : String(only.value))}`
}

/**
 * The result of an operation. Entities and complex values are the body itself, other values and lists are in `value`,
 * and null is 204.
 *
 * @see OData Protocol 4.01, 11.5.5; OData JSON Format 4.01, 11 and 14
 */
function callResponse(exchange: Exchange, result: unknown): ServerResponse {
  const { operation, status } = exchange.compiled.route
  const returns = operation?.returns
  if (returns === undefined || result === null || result === undefined) return emptyResponse(exchange, 204)
  const { types } = exchange.table
  const isStructured = structuredType(types, returns.type) !== undefined
  const numbers = hasNumbersAsStrings(exchange) ? { numbers: 'string' as const } : {}
  const convert = valueConversion(underlyingType(types, returns.type), numbers)
  if (returns.collection === true) {
    const page = Array.isArray(result) ? { value: result, count: result.length } : result
    if (isStructured) return listResponse(exchange, page)
    const value = isRow(page) ? page['value'] : undefined
    const values = Array.isArray(value) && convert !== undefined ? value.map(convert) : value
    return jsonResponse(exchange, status, { '@odata.context': contextUrl(exchange), value: values })
  }
  if (isStructured) return itemContent(exchange, status, result)
  const value = convert === undefined ? result : convert(result)
  return jsonResponse(exchange, status, { '@odata.context': contextUrl(exchange), value })
}
