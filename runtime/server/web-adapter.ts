import { RequestFault } from './errors.js'
import type { ServerRequest, ServerResponse } from './http/message.js'

export function fromWebRequest(request: Request): ServerRequest {
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

export function toWebResponse({ status, headers, body }: ServerResponse, method: string): Response {
  const bodiless = method === 'HEAD' || status === 204 || status === 304
  // A copy, because since TypeScript 5.7 the compiler distinguishes buffers that can be shared with other threads.
  const content = typeof body === 'object' && body !== null ? body.slice(0) : (body ?? null)
  return new Response(bodiless ? null : content, { status, headers })
}

async function readBody(request: Request, limit: number): Promise<Uint8Array | 'tooLarge'> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return 'tooLarge'
  if (request.body === null) return new Uint8Array(0)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw incompleteBodyFault()
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

/** The caller disconnected before its body was complete. */
export function incompleteBodyFault(): RequestFault {
  return new RequestFault('malformedBody', { values: { reason: 'It ended before it was complete.' } })
}

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
