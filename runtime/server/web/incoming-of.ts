import type { Incoming } from '../incoming.js'
import { RequestFault } from '../request-fault.js'

/** A `Request` as the core takes it in. */
export function incomingOf(request: Request): Incoming {
  const { url } = request
  const pathStart = url.indexOf('/', url.indexOf('://') + 3)
  const fragment = url.indexOf('#', pathStart)
  return {
    head: request,
    origin: url.slice(0, pathStart),
    target: fragment < 0 ? url.slice(pathStart) : url.slice(pathStart, fragment),
    readBody: limit => readBody(request, limit),
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array | 'tooLarge'> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return 'tooLarge'
  if (request.body === null) return new Uint8Array(0)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw brokenBody()
    })
    if (done) return joinChunks(chunks, length)
    length += value.byteLength
    if (length > limit) {
      await reader.cancel()
      return 'tooLarge'
    }
    chunks.push(value)
  }
}

/** The caller went away before its body was complete: no fault of the service. */
export function brokenBody(): RequestFault {
  return new RequestFault('malformedBody', { values: { reason: 'It ended before it was complete.' } })
}

/** The bytes of all chunks in one piece. */
export function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
