import type { Exchange } from '../exchange.js'
import { Failure } from '../failure.js'
import { keyTexts } from '../key-texts.js'
import type { Outgoing } from '../outgoing.js'
import { includesTag } from '../precondition.js'
import { RequestFault } from '../request-fault.js'
import { entityTagOf } from './entity-tag-of.js'
import {
  contextUrl,
  emptyResponse,
  isSentWhole,
  jsonResponse,
  jsonTextResponse,
  type OwnHeaders,
} from './json-response.js'
import { JsonText, parsedValue } from './json-text.js'
import type { Projection } from './projection.js'
import { isRow } from './row-access.js'

/** One page of a collection. @see OData JSON Format 4.01, 12 (collection of entities) */
export function listResponse(exchange: Exchange, result: unknown): Outgoing {
  const { value, count, skipToken } = pageOf(exchange, result)
  const { project } = exchange.plan
  const { status } = exchange.compiled.route
  const page: Record<string, unknown> = { '@odata.context': contextUrl(exchange) }
  if (isCounted(exchange)) page['@odata.count'] = countOf(exchange, count)
  if (typeof skipToken === 'string') page['@odata.nextLink'] = pageLink(exchange, '$skiptoken', skipToken)
  if (!isSentWhole(exchange)) {
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
export function deltaResponse(exchange: Exchange, result: unknown): Outgoing {
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
export function itemResponse(exchange: Exchange, row: unknown): Outgoing {
  if (row === null || row === undefined) return absentResponse(exchange)
  const tag = entityTagOf(row)
  const { ifNoneMatch, ifMatch } = exchange.precondition
  if (ifMatch !== undefined && !includesTag(ifMatch, tag)) throw new RequestFault('preconditionFailed')
  if (ifNoneMatch !== undefined && includesTag(ifNoneMatch, tag)) return emptyResponse(exchange, 304, { etag: tag })
  return itemContent(exchange, exchange.compiled.route.status, row, { etag: tag })
}

/** The number of items, as text; as JSON for a caller that takes nothing else. */
export function countResponse(exchange: Exchange, count: unknown): Outgoing {
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
export function itemContent(exchange: Exchange, status: number, row: unknown, own: OwnHeaders = {}): Outgoing {
  const { project } = exchange.plan
  const context = contextUrl(exchange)
  if (!isRow(parsedValue(row))) throw new TypeError(`The handler ${exchange.compiled.route.name} must return an item.`)
  if (isSentWhole(exchange)) {
    return jsonTextResponse(exchange, status, project.text(row, `{"@odata.context":${JSON.stringify(context)}`), own)
  }
  const shown = project.value(row)
  return jsonResponse(exchange, status, { '@odata.context': context, ...(isRow(shown) ? shown : {}) }, own)
}

/** Answers that the target does not exist: 204 where a relation may be empty, else the operation's own 404. */
export function absentResponse(exchange: Exchange): Outgoing {
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
  const items = parsedValue(value)
  return Array.isArray(items) ? items : []
}

/** The request's own address with its options, and where the next page or round begins. */
function pageLink({ serviceUrl, path, plan }: Exchange, option: '$skiptoken' | '$deltatoken', token: string): string {
  const repeated = plan.repeated === '' ? '' : `${plan.repeated}&`
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
