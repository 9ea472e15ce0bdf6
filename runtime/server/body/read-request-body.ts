import { parseMediaType } from '../http/media-type.js'
import type { Incoming } from '../incoming.js'
import { RequestFault } from '../request-fault.js'
import { parseJson } from './parse-json.js'

/**
 * Reads a JSON body. Fails with `unsupportedMediaType`, `payloadTooLarge` or `malformedBody`. `emptyIs` is what stands
 * for no body at all; undefined: there must be one.
 */
export async function readRequestBody(incoming: Incoming, limit: number, emptyIs: unknown): Promise<unknown> {
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
