import { readRawBody } from '../body/json-body.js'
import { RequestFault } from '../errors.js'
import type { Exchange } from '../exchange.js'
import type { ServerRequest, ServerResponse } from '../http/message.js'
import { parseMediaType } from '../http/message.js'
import { includesTag } from '../http/preconditions.js'
import { emptyResponse } from '../response/json-response.js'
import { isRow } from '../response/returned-properties.js'
import type { StreamInfo } from '../service-table.js'

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
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/** The bytes of a stream, and what they are. */
export interface StreamContent {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** A stream that a handler returns. */
export interface ReadStream extends StreamContent {
  /** The entity tag of the stream as in the header, `"1"`. */
  readonly etag?: string | undefined
}

/** A stream that a handler stored. */
export interface ChangedStream {
  /** The new entity tag of the stream. */
  readonly etag?: string | undefined
}

/** The maximum number of bytes of a stream, if the service has no limit of its own. */
const defaultLimit = 16 * 1024 * 1024

/** The maximum number of characters of a media type with its parameters. */
const maxMediaTypeLength = 255

/** @see RFC 9110, 8.3: a sender that does not know the media type omits it. */
const unknownMediaType = 'application/octet-stream'

/**
 * Reads a stream from the body of a request. Fails with `unsupportedMediaType` or `payloadTooLarge`.
 *
 * @see OData Protocol 4.01, 11.4.7 (media entities) and 11.4.8 (stream properties)
 */
export async function readStreamContent(
  request: ServerRequest,
  { mediaTypes, maxLength }: StreamInfo,
  limit = defaultLimit,
): Promise<StreamContent> {
  const given = request.head.headers.get('content-type')?.trim() || unknownMediaType
  const mediaType = given.length > maxMediaTypeLength ? undefined : parseMediaType(given)?.type
  if (mediaType === undefined || !isAllowed(mediaType, mediaTypes)) {
    const allowed = mediaTypes === undefined ? 'a media type, such as image/png' : mediaTypes.join(', ')
    const reason = `The Content-Type is ${JSON.stringify(given.slice(0, maxMediaTypeLength))}. Send ${allowed}.`
    throw new RequestFault('unsupportedMediaType', { values: { reason, contentType: given } })
  }
  const bytes = await readRawBody(request, Math.min(limit, maxLength ?? limit))
  return { mediaType: given, bytes }
}

function isAllowed(mediaType: string, ranges: readonly string[] | undefined): boolean {
  return (
    ranges === undefined ||
    ranges.some(range => {
      const lower = range.toLowerCase()
      return lower.endsWith('/*') ? mediaType.startsWith(lower.slice(0, -1)) : mediaType === lower
    })
  )
}

/** A part of a stream: the first byte, and the one after the last. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The part of a stream that a request wants. `whole`: all of it, because the header is malformed or asks for several parts,
 * which a server may ignore. `unsatisfiable`: the stream has no such byte.
 *
 * @param length bytes of the stream
 * @see RFC 9110, 14.1.2 and 14.2
 */
function byteRangeOf(header: string | null, length: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const count = Math.min(Number(last), length)
    return count === 0 ? 'unsatisfiable' : { start: length - count, end: length }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= length) return 'unsatisfiable'
  return { start, end: last === '' ? length : Math.min(Number(last) + 1, length) }
}
