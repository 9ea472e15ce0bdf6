import type { ServerRequest, ServerResponse } from '../../runtime/server/index.js'
import type { HttpHandler } from './http-handler.js'

const methods = 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS'
const exposed =
  'client-request-id, etag, location, odata-entityid, odata-version, preference-applied, request-id, retry-after'
/** Headers that a preflight may ask for: names of headers, and not without end. */
const headerNames = /^[\w\-, ]{1,1024}$/
/** Seconds for which a browser may remember a preflight. */
const remembered = '600'

/**
 * Lets pages of the given origins, or with `*` of all, call the service from a browser. Preflights carry no credential
 * and need none. Credentials that a browser adds by itself, such as cookies, are never allowed.
 *
 * @see Fetch Standard, 3.3 (CORS protocol)
 */
export function withCors(answer: HttpHandler, origins: readonly string[]): HttpHandler {
  const allowed = (incoming: ServerRequest): string | undefined => {
    const origin = incoming.head.headers.get('origin')
    if (origin === null) return undefined
    if (origins.includes('*')) return '*'
    return origins.includes(origin) ? origin : undefined
  }
  return async incoming => {
    const origin = allowed(incoming)
    const { method, headers } = incoming.head
    if (method === 'OPTIONS' && origin !== undefined && headers.get('access-control-request-method') !== null) {
      return preflight(origin, headers.get('access-control-request-headers'))
    }
    const outgoing = await answer(incoming)
    const vary = [outgoing.headers['vary'], 'Origin'].filter(name => name !== undefined).join(', ')
    const shared = origin === undefined ? {} : { 'access-control-allow-origin': origin }
    const added = origin === undefined ? shared : { ...shared, 'access-control-expose-headers': exposed }
    return { ...outgoing, headers: { ...outgoing.headers, ...added, vary } }
  }
}

function preflight(origin: string, asked: string | null): ServerResponse {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods,
      ...(asked !== null && headerNames.test(asked) ? { 'access-control-allow-headers': asked } : {}),
      'access-control-max-age': remembered,
      vary: 'Origin, Access-Control-Request-Headers',
    },
    body: undefined,
  }
}
