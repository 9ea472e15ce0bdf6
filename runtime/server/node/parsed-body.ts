import type { NodeRequest } from './node-types.js'

/**
 * A body that a parser of the framework, such as `express.json()`, has read already, as bytes again.
 *
 * @throws {TypeError} when it was read and nothing was kept of it
 */
export async function parsedBody(request: NodeRequest, limit: number): Promise<Uint8Array | 'tooLarge'> {
  const bytes = bytesOf(request.body)
  if (bytes !== undefined) return bytes.byteLength > limit ? 'tooLarge' : bytes
  if (Number(request.headers['content-length'] ?? 0) === 0 && request.headers['transfer-encoding'] === undefined) {
    return new Uint8Array(0)
  }
  throw new TypeError(
    'The body was read before the service got the request, and request.body does not hold it: mount the service in front of what reads bodies.',
  )
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}
