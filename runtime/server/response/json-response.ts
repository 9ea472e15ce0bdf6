import type { Exchange } from '../exchange.js'
import type { Metadata } from '../http/accept.js'
import type { Outgoing } from '../outgoing.js'
import { jsonContentType } from './json-content-type.js'
import { preferenceApplied } from './preference-applied.js'

/** A JSON response to an exchange. `headers` are those of this response alone. */
export function jsonResponse(
  exchange: Exchange,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Outgoing {
  return jsonTextResponse(exchange, status, textFor(exchange, body), headers)
}

/** A response with a body that is JSON already. */
export function jsonTextResponse(
  exchange: Exchange,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Outgoing {
  const all = { ...exchange.headers }
  Object.assign(all, preferenceApplied(exchange), headers)
  all['content-type'] = jsonContentType(metadataOf(exchange))
  return { status, headers: all, body: text }
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
export function emptyResponse(
  exchange: Exchange,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Outgoing {
  return { status, headers: { ...exchange.headers, ...preferenceApplied(exchange), ...headers }, body: undefined }
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
