import type { Service } from './create-service.js'
import { type FetchHandler, fetchAnswer } from './node/fetch-answer.js'
import { nodeIncoming } from './node/node-incoming.js'
import type { NodeRequest, NodeResponse } from './node/node-types.js'
import { sendOutgoing } from './node/send-outgoing.js'

/** How a service meets `node:http`. */
export interface NodeListenerOptions {
  /** Scheme that callers use: `https` behind a proxy that ends TLS. Default: `http`. */
  readonly scheme?: 'http' | 'https'
  /**
   * Bytes of a body that a wrapped handler may get; a service by itself knows its limit from its spec. Default: 4 MiB.
   */
  readonly bodyLimit?: number
}

const defaultBodyLimit = 4 * 1024 * 1024

/**
 * Serves from `node:http`: `createServer(toNodeListener(service)).listen(8080)`. A service is asked without a `Request`
 * and a `Response`, which is most of what they cost; any other handler of requests gets and gives them.
 */
export function toNodeListener(
  handler: Service | FetchHandler,
  { scheme = 'http', bodyLimit = defaultBodyLimit }: NodeListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const incoming = nodeIncoming(request, response, scheme)
    const answer = 'answer' in handler ? handler.answer(incoming) : fetchAnswer(handler, request, incoming, bodyLimit)
    answer.then(outgoing => sendOutgoing(incoming.head.method, response, outgoing)).catch(() => response.destroy())
  }
}
