import type { Incoming } from '../incoming.js'
import type { Outgoing } from '../outgoing.js'
import type { NodeRequest } from './node-types.js'

/** Anything that answers a `Request` with a `Response`: a service with something wrapped around it. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

/** Asks a handler that speaks `Request` and `Response`; bodies are held in memory whole. */
export async function fetchAnswer(
  handler: FetchHandler,
  request: NodeRequest,
  { head, readBody }: Incoming,
  bodyLimit: number,
): Promise<Outgoing> {
  const bodiless = head.method === 'GET' || head.method === 'HEAD'
  const body = bodiless ? undefined : await readBody(bodyLimit)
  if (body === 'tooLarge') return { status: 413, headers: {}, body: undefined }
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '))
  }
  const init = { method: head.method, headers, signal: head.signal }
  const sent = body === undefined || body.byteLength === 0 ? init : { ...init, body: body.slice().buffer }
  const response = await handler(new Request(head.url, sent))
  return {
    status: response.status,
    headers: Object.fromEntries(headerPairs(response)),
    body: response.body === null ? undefined : await response.arrayBuffer(),
  }
}

/** Not iterated over: the types of `dom` alone do not know that of headers. */
function headerPairs({ headers }: Response): readonly (readonly [string, string])[] {
  const all: (readonly [string, string])[] = []
  headers.forEach((value, name) => {
    all.push([name, value])
  })
  return all
}
