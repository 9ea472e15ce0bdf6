import { RequestFault } from '../errors.js'
import type { Exchange } from '../exchange.js'
import type { ServerResponse } from '../http/message.js'
import { includesTag } from '../http/preconditions.js'
import { emptyResponse } from '../response/json-response.js'
import { isRow } from '../response/row.js'
import { byteRangeOf } from './byte-range.js'

/**
 * A stream, or the part of it that the caller wants. A stream that is null is 204.
 *
 * The bytes come from callers. A browser must neither guess another media type nor run them as a page of the service.
 *
 * @see OData Protocol 4.01, 11.2.3 (media stream) and 11.2.4.2 (stream property); RFC 9110, 14 (range requests)
 */
export function streamResponse(exchange: Exchange, result: unknown): ServerResponse {
  if (result === null) return emptyResponse(exchange, 204)
  const bytes = isRow(result) ? result['bytes'] : undefined
  const mediaType = isRow(result) ? result['mediaType'] : undefined
  if (!isRow(result) || !(bytes instanceof Uint8Array) || typeof mediaType !== 'string')
    throw new TypeError(`The handler ${exchange.compiled.route.name} must return { mediaType, bytes }.`)
  const etag = tagOf(result)
  const { ifNoneMatch, ifMatch } = exchange.precondition
  if (ifMatch !== undefined && !includesTag(ifMatch, etag)) throw new RequestFault('preconditionFailed')
  if (ifNoneMatch !== undefined && includesTag(ifNoneMatch, etag)) return emptyResponse(exchange, 304, { etag })
  const headers: Record<string, string> = {
    ...emptyResponse(exchange, 200, { etag }).headers,
    'accept-ranges': 'bytes',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  }
  const range = byteRangeOf(rangeHeader(exchange, etag), bytes.byteLength)
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${bytes.byteLength}` }, body: undefined }
  }
  headers['content-type'] = mediaType
  if (range === 'whole') return { status: exchange.compiled.route.status, headers, body: copyOf(bytes) }
  headers['content-range'] = `bytes ${range.start}-${range.end - 1}/${bytes.byteLength}`
  return { status: 206, headers, body: copyOf(bytes.subarray(range.start, range.end)) }
}

/** The header Range, unless a condition says that the caller has parts of an older stream. @see RFC 9110, 13.1.5 */
function rangeHeader({ request: { head } }: Exchange, etag: string | undefined): string | null {
  if (head.method !== 'GET') return null
  const condition = head.headers.get('if-range')
  const isCurrent = condition === null || (condition.trim() === etag && !condition.trim().startsWith('W/'))
  return isCurrent ? head.headers.get('range') : null
}

/** The response to a change of a stream: no body, but the new entity tag. */
export function changedStreamResponse(exchange: Exchange, result: unknown): ServerResponse {
  return emptyResponse(exchange, 204, { etag: tagOf(result) })
}

function tagOf(result: unknown): string | undefined {
  const etag = isRow(result) ? result['etag'] : undefined
  return typeof etag === 'string' ? etag : undefined
}

/** A buffer with just these bytes: they can be part of a larger one. */
function copyOf(bytes: Uint8Array): ArrayBuffer {
  const copy = new Uint8Array(bytes.byteLength)
  copy.set(bytes)
  return copy.buffer
}
