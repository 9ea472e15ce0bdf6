import { RequestFault } from '../errors.js'
import { parseMediaType } from '../http/media-type.js'
import type { ServerRequest } from '../http/message.js'

/**
 * Reads a JSON body. Fails with `unsupportedMediaType`, `payloadTooLarge` or `malformedBody`. `emptyIs` is what stands
 * for no body at all; undefined: there must be one.
 */
export async function readRequestBody(incoming: ServerRequest, limit: number, emptyIs: unknown): Promise<unknown> {
  const { headers } = incoming.head
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new RequestFault('unsupportedMediaType', {
      values: {
        reason: `The content coding ${JSON.stringify(encoding)} is not supported; send the body uncompressed.`,
      },
    })
  }
  requireKnownVersion(headers.get('odata-version'))
  const contentType = headers.get('content-type')
  if (contentType !== null) requireJson(contentType)
  const bytes = await incoming.readBody(limit)
  if (bytes === 'tooLarge') {
    throw new RequestFault('payloadTooLarge', { values: { limit, reason: `A body may have ${limit} bytes at most.` } })
  }
  if (bytes.byteLength === 0 && emptyIs !== undefined) return emptyIs
  if (contentType === null) requireJson('')
  return parseJson(bytes)
}

function requireJson(contentType: string): void {
  if (contentType === 'application/json') return
  const mediaType = parseMediaType(contentType)
  const charset = mediaType?.parameters.get('charset')?.toLowerCase() ?? 'utf-8'
  if (mediaType?.type === 'application/json' && (charset === 'utf-8' || charset === 'utf8')) return
  throw new RequestFault('unsupportedMediaType', {
    values: {
      reason: `Found the Content-Type ${JSON.stringify(contentType)}; send application/json in UTF-8.`,
      contentType,
    },
  })
}

/** @see OData Protocol 4.01, 8.1.5 (OData-Version) */
function requireKnownVersion(version: string | null): void {
  const [number] = version?.match(/^\s*\d+\.\d+/) ?? []
  if (number === undefined || (Number(number) >= 4 && Number(number) <= 4.01)) return
  throw new RequestFault('unsupportedMediaType', {
    values: { reason: `The OData-Version of the body is ${number.trim()}; this service reads 4.0 and 4.01.` },
  })
}

/** How deep objects and lists of a body may nest. */
const maxJsonNesting = 64

/** Both options are said: the types of Cloudflare's workers want them so. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Parses a JSON body. Fails with `malformedBody` when it is not UTF-8, not JSON, or nested too deep. */
function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (nestsDeeperThan(text, maxJsonNesting)) {
    throw new RequestFault('malformedBody', { values: { reason: `It nests deeper than ${maxJsonNesting} levels.` } })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? jsonReason(error.message) : 'It is no JSON.'
    throw new RequestFault('malformedBody', { values: { reason } })
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new RequestFault('malformedBody', { values: { reason: 'It is not valid UTF-8.' } })
  }
}

/** Engines quote the text in their messages; only where it broke is wanted. */
function jsonReason(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? 'It is no valid JSON.' : `It is no valid JSON: see position ${position}.`
}

function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 0x5c) index++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}
