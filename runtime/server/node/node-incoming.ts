import type { Incoming } from '../incoming.js'
import { boundedCache } from '../query/bounded-cache.js'
import { brokenBody, joinChunks } from '../web/incoming-of.js'
import { headerOf, NodeRequestHead } from './node-request-head.js'
import type { NodeRequest, NodeResponse } from './node-types.js'
import { parsedBody } from './parsed-body.js'

/**
 * A request of `node:http` as the core takes it in, for frameworks that send answers themselves:
 * `const { status, headers, body } = await service.answer(nodeIncoming(request, response, 'http'))`.
 *
 * @param scheme the one that callers use, `http` or `https`
 */
export function nodeIncoming(request: NodeRequest, response: NodeResponse, scheme: string): Incoming {
  const { target, origin } = addressOf(request, scheme)
  const head = new NodeRequestHead(request, response, origin + (target === '*' ? '/' : target))
  return { head, origin, target, readBody: limit => readNodeBody(request, limit) }
}

/** A name or an IP address, and a port: no user, no path. */
const authority = /^[\w.:[\]-]+$/

/** Hosts that are remembered: a service has few. */
const maxHosts = 64

/** Handlers may take the address apart, and callers follow links that begin with it. */
const isAuthority = boundedCache(maxHosts, host => authority.test(host) && URL.canParse(`http://${host}`))

/** A request line holds a path, or for a proxy a whole address; `OPTIONS *` asks for the server as such. */
function addressOf(request: NodeRequest, scheme: string): { readonly target: string; readonly origin: string } {
  const url = request.originalUrl ?? request.url ?? '/'
  const host = headerOf(request, 'host')
  const origin = `${scheme}://${host !== null && isAuthority(host) ? host : 'localhost'}`
  if (url.startsWith('/') || url === '*') return { target: url, origin }
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return { target: url.includes('://') && path > 0 ? url.slice(path) : '/', origin }
}

/** The rest of a body that is too large is received and thrown away, so that the caller lives to read the response. */
function readNodeBody(request: NodeRequest, limit: number): Promise<Uint8Array | 'tooLarge'> {
  if (Number(headerOf(request, 'content-length') ?? 0) > limit) return Promise.resolve('tooLarge')
  if (request.readableEnded === true) return parsedBody(request, limit)
  if (request.destroyed === true) return Promise.reject(brokenBody())
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = []
    let length = 0
    request.on('data', chunk => {
      length += chunk.byteLength
      if (length <= limit) {
        chunks.push(chunk)
        return
      }
      chunks = []
      resolve('tooLarge')
    })
    request.on('end', () => resolve(joinChunks(chunks, length)))
    request.on('error', () => reject(brokenBody()))
    request.on('close', () => reject(brokenBody()))
  })
}
