import type { Exchange } from '../exchange.js'
import type { Metadata } from '../http/accept.js'
import type { Outgoing } from '../outgoing.js'
import { addPreferenceHeaders } from './add-preference-headers.js'
import { jsonContentType } from './json-content-type.js'

/** Headers that a response may have of its own. */
export interface OwnHeaders {
  readonly etag?: string | undefined
  readonly location?: string
  readonly entityId?: string
}

const noneOfItsOwn: OwnHeaders = {}

/** One by one: an object that is spread and then added to costs twenty times as much. */
function headersOf(
  exchange: Exchange,
  { etag, location, entityId }: OwnHeaders,
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

/** A JSON response to an exchange. */
export function jsonResponse(
  exchange: Exchange,
  status: number,
  body: unknown,
  own: OwnHeaders = noneOfItsOwn,
): Outgoing {
  return jsonTextResponse(exchange, status, textFor(exchange, body), own)
}

/** A response with a body that is JSON already. */
export function jsonTextResponse(
  exchange: Exchange,
  status: number,
  text: string,
  own: OwnHeaders = noneOfItsOwn,
): Outgoing {
  return { status, headers: headersOf(exchange, own, jsonContentType(metadataOf(exchange))), body: text }
}

/** Whether a body is sent as it is; else control information is taken out of it. */
export function isSentWhole(exchange: Exchange): boolean {
  return metadataOf(exchange) !== 'none'
}

/** A value as the caller wants it. */
export function textFor(exchange: Exchange, value: unknown): string {
  return isSentWhole(exchange) ? JSON.stringify(value) : JSON.stringify(value, withoutControlInformation)
}

function metadataOf({ representation }: Exchange): Metadata {
  return representation.type === 'json' ? representation.metadata : 'minimal'
}

/** A response without a body. */
export function emptyResponse(exchange: Exchange, status: number, own: OwnHeaders = noneOfItsOwn): Outgoing {
  return { status, headers: headersOf(exchange, own), body: undefined }
}

/** The address of the metadata that describes a response. */
export function contextUrl(exchange: Exchange): string {
  const fragment = exchange.compiled.context(exchange.keys, exchange.plan.selection)
  return `${exchange.serviceUrl}/$metadata#${fragment}`
}

/** `odata.metadata=none` keeps counts and links only. @see OData JSON Format 4.01, 3.1.3 */
function withoutControlInformation(name: string, value: unknown): unknown {
  return name === '@odata.context' || name === '@odata.etag' || name === '@odata.type' ? undefined : value
}
