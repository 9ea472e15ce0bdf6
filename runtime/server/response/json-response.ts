import { RequestFault } from '../errors.js'
import type { Exchange } from '../exchange.js'
import { type JsonFormat, plainJsonFormat } from '../http/content-negotiation.js'
import type { RequestHead, ServerResponse } from '../http/message.js'
import { printJson } from '../value/exact-json.js'
import { omittedValues } from './omitted-values.js'
import type { Projection } from './projection.js'

export function jsonResponse(
  exchange: Exchange,
  status: number,
  body: unknown,
  own: ItemHeaders = noItemHeaders,
): ServerResponse {
  return jsonTextResponse(exchange, status, toJson(exchange, body), own)
}

/** A response whose body is already JSON text. */
export function jsonTextResponse(
  exchange: Exchange,
  status: number,
  text: string,
  own: ItemHeaders = noItemHeaders,
): ServerResponse {
  return { status, headers: headersOf(exchange, own, jsonContentType(formatOf(exchange))), body: text }
}

export function emptyResponse(exchange: Exchange, status: number, own: ItemHeaders = noItemHeaders): ServerResponse {
  return { status, headers: headersOf(exchange, own), body: undefined }
}

/** Headers that depend on the item. */
export interface ItemHeaders {
  readonly etag?: string | undefined
  readonly location?: string
  readonly entityId?: string
}

const noItemHeaders: ItemHeaders = {}

/** Copies headers one by one: adding properties to a spread object is twenty times slower. */
function headersOf(
  exchange: Exchange,
  { etag, location, entityId }: ItemHeaders,
  contentType?: string,
): Record<string, string> {
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType }
  for (const name in exchange.headers) headers[name] = exchange.headers[name] ?? ''
  addPreferenceHeaders(headers, exchange)
  if (location !== undefined) headers['location'] = location
  if (entityId !== undefined) headers['odata-entityid'] = entityId
  if (etag !== undefined) headers['etag'] = etag
  return headers
}

/**
 * Adds `Preference-Applied` if the service honoured preferences. Adds `Vary` if preferences can affect the response,
 * even if this request has none.
 *
 * @see RFC 7240, 2 (Vary) and 3 (Preference-Applied)
 */
function addPreferenceHeaders(headers: Record<string, string>, exchange: Exchange): void {
  const { preferences, compiled } = exchange
  const { kind, query } = compiled.route
  const isPaged = (kind === 'collection' || kind === 'delta') && query !== undefined
  const omitted = omittedValues(exchange)
  // A cached response with all values is right for every caller; one with fewer values only for those that prefer it.
  if (isPaged || compiled.preferences.length > 0 || omitted !== undefined) headers['vary'] = 'Prefer'
  const writes = kind === 'create' || kind === 'createMedia' || kind === 'update' || kind === 'replace'
  const ofReturn = writes && preferences.return !== undefined
  const ofSize = isPaged && preferences.maxPageSize !== undefined
  if (preferences.applied.length === 0 && !ofReturn && !ofSize && omitted === undefined) return
  const applied = [...preferences.applied]
  if (ofReturn) applied.push(`${preferences.names.return}=${preferences.return}`)
  if (ofSize) applied.push(`${preferences.names.maxPageSize}=${preferences.maxPageSize}`)
  if (omitted !== undefined) applied.push(`${preferences.names.omitValues}=${omitted}`)
  headers['preference-applied'] = applied.join(', ')
}

export function contextUrl(exchange: Exchange): string {
  const fragment = exchange.compiled.context(exchange.keys, exchange.plan.selection)
  return `${exchange.serviceUrl}/$metadata#${fragment}`
}

export function includesControlInformation(exchange: Exchange): boolean {
  return formatOf(exchange).metadata !== 'none'
}

/** Whether Int64, Decimal and counts are strings. */
export function hasNumbersAsStrings(exchange: Exchange): boolean {
  return formatOf(exchange).ieee754Compatible
}

/** How to convert the items of a response. */
export function projectionFor(exchange: Exchange): Projection {
  return hasNumbersAsStrings(exchange) ? exchange.plan.projectStrings() : exchange.plan.project
}

/** The number of items in a response. */
export function countValue(exchange: Exchange, count: number): number | string {
  return hasNumbersAsStrings(exchange) ? String(count) : count
}

export function formatOf({ representation }: Exchange): JsonFormat {
  return representation.type === 'json' ? representation : plainJsonFormat
}

/** A value as JSON text, with or without control information. */
function toJson(exchange: Exchange, value: unknown): string {
  return includesControlInformation(exchange) ? printJson(value) : printJson(value, withoutControlInformation)
}

/** With `odata.metadata=none`, only counts and links remain. @see OData JSON Format 4.01, 3.1.3 */
function withoutControlInformation(name: string, value: unknown): unknown {
  const isRemoved = name === '@odata.context' || name === '@odata.etag' || name === '@odata.type'
  return isRemoved || /@odata\.media(?:ContentType|Etag|ReadLink|EditLink)$/.test(name) ? undefined : value
}

/** The `Content-Type` of a JSON response. @see OData JSON Format 4.01, 3 */
export function jsonContentType({ metadata, ieee754Compatible }: JsonFormat = plainJsonFormat): string {
  return `application/json;odata.metadata=${metadata};odata.streaming=true;IEEE754Compatible=${ieee754Compatible};charset=utf-8`
}

const printable = /^[\x21-\x7e][\x20-\x7e]{0,127}$/

/**
 * The headers of every response. The OData version is 4.01 if the caller accepts it, otherwise 4.0, which every caller
 * accepts who does not say.
 */
export function standardHeaders({ headers }: RequestHead): Record<string, string> {
  const client = headers.get('client-request-id')
  const standard: Record<string, string> = {
    'odata-version': (maxVersionOf(headers) ?? 4) >= 4.01 ? '4.01' : '4.0',
    'request-id': crypto.randomUUID(),
  }
  if (client !== null && printable.test(client)) standard['client-request-id'] = client
  return standard
}

/** The highest OData version that the caller accepts. Undefined: it does not say. */
function maxVersionOf(headers: RequestHead['headers']): number | undefined {
  const version = headers.get('odata-maxversion')?.trim()
  return version !== undefined && /^\d{1,3}\.\d{1,3}$/.test(version) ? Number.parseFloat(version) : undefined
}

/**
 * Rejects a caller that accepts no supported OData version.
 *
 * @see OData Protocol 4.01, 8.2.7 (OData-MaxVersion)
 */
export function requireSupportedVersion({ headers }: RequestHead): void {
  const version = maxVersionOf(headers)
  if (version === undefined || version >= 4) return
  throw new RequestFault('notAcceptable', {
    values: {
      reason: `OData-MaxVersion is ${headers.get('odata-maxversion')?.trim()}. This service supports 4.0 and 4.01.`,
    },
  })
}
