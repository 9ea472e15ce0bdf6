import { readRawBody } from '../body/json-body.js'
import { RequestFault } from '../errors.js'
import { parseMediaType } from '../http/media-type.js'
import type { ServerRequest } from '../http/message.js'
import type { StreamInfo } from '../service-table.js'

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
