import { Failure, RequestFault } from '../errors.js'
import { type Exchange, keyTexts } from '../exchange.js'
import type { ServerResponse } from '../http/message.js'
import { includesTag } from '../http/preconditions.js'
import { keyLiteral } from './context-url.js'
import {
  contextUrl,
  emptyResponse,
  type ItemHeaders,
  includesControlInformation,
  jsonResponse,
  jsonTextResponse,
} from './json-response.js'
import type { Projection } from './projection.js'
import { entityTagOf, isRow, JsonText, parseJsonText } from './row.js'

/** One page of a collection. @see OData JSON Format 4.01, 12 (collection of entities) */
export function listResponse(exchange: Exchange, result: unknown): ServerResponse {
  const { value, count, skipToken } = pageOf(exchange, result)
  const { project } = exchange.plan
  const { status } = exchange.compiled.route
  const page: Record<string, unknown> = { '@odata.context': contextUrl(exchange) }
  if (isCounted(exchange)) page['@odata.count'] = countOf(exchange, count)
  if (typeof skipToken === 'string') page['@odata.nextLink'] = pageLink(exchange, '$skiptoken', skipToken)
  if (!includesControlInformation(exchange)) {
    return jsonResponse(exchange, status, { ...page, value: pageItems(value).map(project.value) })
  }
  const items = value instanceof JsonText ? value.text : listText(value, project.text)
  return jsonTextResponse(exchange, status, `${JSON.stringify(page).slice(0, -1)},"value":${items}}`)
}

function listText(rows: readonly unknown[], textOf: Projection['text']): string {
  let text = '['
  for (let index = 0; index < rows.length; index++) text += (index === 0 ? '' : ',') + textOf(rows[index])
  return `${text}]`
}

/** Whether this page tells the count: when asked, on every page or on the first, as the service chose. */
function isCounted({ plan, table }: Exchange): boolean {
  if (plan.options.count !== true) return false
  return plan.options.skiptoken === undefined || table.choices['countOnLaterPages'] !== 'first'
}

function countOf(exchange: Exchange, count: unknown): number {
  if (typeof count === 'number') return count
  throw new TypeError(`The handler ${exchange.compiled.route.name} returned no count, which the query asks for.`)
}

/** One page of changes. @see OData JSON Format 4.01, 15 (delta payload) */
export function deltaResponse(exchange: Exchange, result: unknown): ServerResponse {
  const { value, skipToken, deltaToken } = pageOf(exchange, result)
  const changes = exchange.plan.options.deltatoken === undefined ? '' : '/$delta'
  return jsonResponse(exchange, exchange.compiled.route.status, {
    '@odata.context': contextUrl(exchange) + changes,
    ...(typeof skipToken === 'string' ? { '@odata.nextLink': pageLink(exchange, '$skiptoken', skipToken) } : {}),
    ...(typeof deltaToken === 'string' ? { '@odata.deltaLink': pageLink(exchange, '$deltatoken', deltaToken) } : {}),
    value: pageItems(value).map(row => removedOf(exchange, row) ?? exchange.plan.project.value(row)),
  })
}

/** An item; without one, what the route says of absent targets. */
export function itemResponse(exchange: Exchange, row: unknown): ServerResponse {
  if (row === null || row === undefined) return absentResponse(exchange)
  const tag = entityTagOf(row)
  const { ifNoneMatch, ifMatch } = exchange.precondition
  if (ifMatch !== undefined && !includesTag(ifMatch, tag)) throw new RequestFault('preconditionFailed')
  if (ifNoneMatch !== undefined && includesTag(ifNoneMatch, tag)) return emptyResponse(exchange, 304, { etag: tag })
  return itemContent(exchange, exchange.compiled.route.status, row, { etag: tag })
}

/** The number of items, as text; as JSON for a caller that takes nothing else. */
export function countResponse(exchange: Exchange, count: unknown): ServerResponse {
  if (typeof count !== 'number')
    throw new TypeError(`The handler ${exchange.compiled.route.name} must return a number.`)
  if (exchange.representation.type === 'json') return jsonResponse(exchange, exchange.compiled.route.status, count)
  return {
    status: exchange.compiled.route.status,
    headers: { ...exchange.headers, 'content-type': 'text/plain;charset=utf-8' },
    body: String(count),
  }
}

/** A response whose body is an item. */
function itemContent(exchange: Exchange, status: number, row: unknown, own: ItemHeaders = {}): ServerResponse {
  const { project } = exchange.plan
  const context = contextUrl(exchange)
  if (!isRow(parseJsonText(row)))
    throw new TypeError(`The handler ${exchange.compiled.route.name} must return an item.`)
  if (includesControlInformation(exchange)) {
    return jsonTextResponse(exchange, status, project.text(row, `{"@odata.context":${JSON.stringify(context)}`), own)
  }
  const shown = project.value(row)
  return jsonResponse(exchange, status, { '@odata.context': context, ...(isRow(shown) ? shown : {}) }, own)
}

/** Answers that the target does not exist: 204 where a relation may be empty, else the operation's own 404. */
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

/** The request's own address with its options, and where the next page or round begins. */
function pageLink({ serviceUrl, path, plan }: Exchange, option: '$skiptoken' | '$deltatoken', token: string): string {
  const repeated = plan.nextLinkOptions === '' ? '' : `${plan.nextLinkOptions}&`
  return `${serviceUrl}${path}?${repeated}${option}=${encodeURIComponent(token)}`
}

/** Of an item that is gone, only its key and why. */
function removedOf(exchange: Exchange, row: unknown): unknown {
  if (!isRow(row) || row['@removed'] === undefined) return undefined
  const { type } = exchange.compiled.route
  const info = type !== undefined && Object.hasOwn(exchange.table.types, type) ? exchange.table.types[type] : undefined
  const keys = info?.kind === 'entityType' ? info.key : []
  return { '@removed': row['@removed'], ...Object.fromEntries(keys.map(key => [key, row[key]])) }
}

/**
 * A created item, with its address.
 *
 * @see OData Protocol 4.01, 11.4.2 and 8.2.8.7 (return preference)
 */
export function createdResponse(exchange: Exchange, row: unknown): ServerResponse {
  const location = `${exchange.serviceUrl}${exchange.path}${keyPath(exchange, row)}`
  const own = { location, etag: entityTagOf(row) }
  if (isMinimal(exchange)) return emptyResponse(exchange, 204, { ...own, entityId: location })
  const { status } = exchange.compiled.route
  return itemContent(exchange, status === 204 ? 201 : status, row, own)
}

/** A changed item. */
export function updatedResponse(exchange: Exchange, row: unknown): ServerResponse {
  if (row === null || row === undefined) return absentResponse(exchange)
  if (isMinimal(exchange)) return emptyResponse(exchange, 204, { etag: entityTagOf(row) })
  const { status } = exchange.compiled.route
  return itemContent(exchange, status === 204 ? 200 : status, row, { etag: entityTagOf(row) })
}

/** Whether only the fact is told: the caller prefers it, or the spec gives 204 and the caller nothing. */
function isMinimal({ preferences, compiled }: Exchange): boolean {
  return preferences.return === 'minimal' || (compiled.route.status === 204 && preferences.return === undefined)
}

/** `/x` for a single key, `(a='x',b=2)` for a composite one. */
function keyPath({ compiled, table }: Exchange, row: unknown): string {
  const { type } = compiled.route
  const info = type !== undefined && Object.hasOwn(table.types, type) ? table.types[type] : undefined
  if (info?.kind !== 'entityType' || !isRow(row))
    throw new TypeError(`The handler ${compiled.route.name} must return an item.`)
  const values = info.key.map(name => ({ name, value: row[name], type: info.properties[name]?.type ?? 'Edm.String' }))
  if (values.some(({ value }) => value === undefined || value === null)) {
    throw new TypeError(`The handler ${compiled.route.name} returned an item without its key.`)
  }
  const [only] = values
  if (only !== undefined && values.length === 1) return `/${encodeURIComponent(String(only.value))}`
  return `(${values.map(({ name, value, type: keyType }) => `${name}=${keyLiteral(value, keyType)}`).join(',')})`
}

/**
 * What an operation returned: items and complex values as they are, other values and lists under `value`, nothing as 204.
 *
 * @see OData Protocol 4.01, 11.5.5; OData JSON Format 4.01, 11 and 14
 */
export function callResponse(exchange: Exchange, result: unknown): ServerResponse {
  const { operation, status } = exchange.compiled.route
  const returns = operation?.returns
  if (returns === undefined || result === null || result === undefined) return emptyResponse(exchange, 204)
  const structured = isStructured(exchange, returns.type)
  if (returns.collection === true) {
    const page = Array.isArray(result) ? { value: result, count: result.length } : result
    if (structured) return listResponse(exchange, page)
    const value = isRow(page) ? page['value'] : undefined
    return jsonResponse(exchange, status, { '@odata.context': contextUrl(exchange), value })
  }
  if (structured) return itemContent(exchange, status, result)
  return jsonResponse(exchange, status, { '@odata.context': contextUrl(exchange), value: result })
}

function isStructured({ table }: Exchange, name: string): boolean {
  const type = Object.hasOwn(table.types, name) ? table.types[name] : undefined
  return type?.kind === 'entityType' || type?.kind === 'complexType'
}
