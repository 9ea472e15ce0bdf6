import { RequestFault } from '../errors.js'
import { parseMediaType } from '../http/media-type.js'
import type { ServerRequest } from '../http/message.js'
import { parseExactJson } from '../value/exact-json.js'

/**
 * Reads a JSON body. Fails with `unsupportedMediaType`, `payloadTooLarge` or `malformedBody`. `emptyValue` is the value of
 * an empty body. Undefined: a body is required.
 */
export async function readRequestBody(request: ServerRequest, limit: number, emptyValue: unknown): Promise<unknown> {
  const contentType = request.head.headers.get('content-type')
  requireUncompressed(request)
  requireKnownVersion(request.head.headers.get('odata-version'))
  if (contentType !== null) requireJson(contentType)
  const bytes = await readBytes(request, limit)
  if (bytes.byteLength === 0 && emptyValue !== undefined) return emptyValue
  if (contentType === null) requireJson('')
  return parseJson(bytes)
}

/** Reads a body that is not JSON. Fails with `unsupportedMediaType` or `payloadTooLarge`. */
export function readRawBody(request: ServerRequest, limit: number): Promise<Uint8Array> {
  requireUncompressed(request)
  return readBytes(request, limit)
}

async function readBytes(request: ServerRequest, limit: number): Promise<Uint8Array> {
  const bytes = await request.readBody(limit)
  if (bytes !== 'tooLarge') return bytes
  throw new RequestFault('payloadTooLarge', { values: { limit, reason: `A body can have at most ${limit} bytes.` } })
}

function requireUncompressed({ head: { headers } }: ServerRequest): void {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new RequestFault('unsupportedMediaType', {
      values: {
        reason: `The content coding ${JSON.stringify(encoding)} is not supported. Send the body uncompressed.`,
      },
    })
  }
}

function requireJson(contentType: string): void {
  if (contentType === 'application/json') return
  const mediaType = parseMediaType(contentType)
  const charset = mediaType?.parameters.get('charset')?.toLowerCase() ?? 'utf-8'
  if (mediaType?.type === 'application/json' && (charset === 'utf-8' || charset === 'utf8')) return
  throw new RequestFault('unsupportedMediaType', {
    values: {
      reason: `The Content-Type is ${JSON.stringify(contentType)}. Send application/json in UTF-8.`,
      contentType,
    },
  })
}

/** @see OData Protocol 4.01, 8.1.5 (OData-Version) */
function requireKnownVersion(version: string | null): void {
  const [number] = version?.match(/^\s*\d+\.\d+/) ?? []
  if (number === undefined || (Number(number) >= 4 && Number(number) <= 4.01)) return
  throw new RequestFault('unsupportedMediaType', {
    values: { reason: `The OData-Version of the body is ${number.trim()}. This service accepts 4.0 and 4.01.` },
  })
}

/** The maximum nesting of objects and arrays in a body. */
const maxJsonNesting = 64

/** The types of Cloudflare Workers require both options. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Parses a JSON body. Fails with `malformedBody` if the body is not UTF-8, not JSON, or nested too deeply. */
function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (nestsDeeperThan(text, maxJsonNesting)) {
    throw new RequestFault('malformedBody', { values: { reason: `It nests deeper than ${maxJsonNesting} levels.` } })
  }
  try {
    return parseExactJson(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? jsonReason(error.message) : 'It is not JSON.'
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

/** JavaScript engines quote the text in their messages. The response contains only the position. */
function jsonReason(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? 'It is not valid JSON.' : `It is not valid JSON: see position ${position}.`
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
