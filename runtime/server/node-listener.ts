import type { Service } from './create-service.js'
import { nodeIncoming } from './node/node-incoming.js'
import type { NodeRequest, NodeResponse } from './node/node-types.js'
import type { Outgoing } from './outgoing.js'

/** How a service meets `node:http`. */
export interface NodeListenerOptions {
  /** Scheme that callers use: `https` behind a proxy that ends TLS. Default: `http`. */
  readonly scheme?: 'http' | 'https'
}

/**
 * Serves from `node:http`: `createServer(toNodeListener(service)).listen(8080)`. It needs neither a `Request` nor a
 * `Response` for each call, which is most of what they cost.
 */
export function toNodeListener(
  service: Service,
  options: NodeListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  const scheme = options.scheme ?? 'http'
  return (request, response) => {
    const incoming = nodeIncoming(request, response, scheme)
    service.answer(incoming).then(
      outgoing => send(response, outgoing),
      () => response.destroy(),
    )
  }
}

function send(response: NodeResponse, outgoing: Outgoing): void {
  if (response.destroyed) return
  response.statusCode = outgoing.status
  for (const name in outgoing.headers) {
    const value = outgoing.headers[name]
    if (value !== undefined) response.setHeader(name, value)
  }
  if (outgoing.body === undefined) response.end()
  else response.end(outgoing.body)
}
