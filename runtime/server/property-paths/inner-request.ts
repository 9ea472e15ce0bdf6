import type { RequestHead, ServerRequest } from '../http/message.js'

/** What a request to an item has instead of what the request to its property has. */
interface InnerRequest {
  readonly method: string
  /** By name in lower case. Null: the header is absent. */
  readonly headers: Readonly<Record<string, string | null>>
  /** JSON. Absent: no body. */
  readonly body?: string
}

/** The request to the item that a request to its property becomes. */
export function innerRequest(outer: ServerRequest, { method, headers, body = '' }: InnerRequest): ServerRequest {
  const head: RequestHead = {
    method,
    url: outer.head.url,
    headers: {
      get: name => {
        const own = headers[name.toLowerCase()]
        return own === undefined ? outer.head.headers.get(name) : own
      },
    },
    get signal() {
      return outer.head.signal
    },
  }
  const bytes = new TextEncoder().encode(body)
  // The body of the outer request was within the limit.
  return { head, origin: outer.origin, target: outer.target, readBody: () => Promise.resolve(bytes) }
}
