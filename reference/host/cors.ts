import type { ServerRequest, ServerResponse } from '../../runtime/server/index.js'
import type { HttpHandler } from './http-handler.js'

const methods = 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS'
const exposed =
  'client-request-id, etag, location, odata-entityid, odata-version, preference-applied, request-id, retry-after'
/** A list of header names of limited length. */
const headerNames = /^[\w\-, ]{1,1024}$/
/** Seconds for which a browser may cache a preflight response. */
const preflightMaxAge = '600'

/**
 * Allows pages of the given origins (`*`: any origin) to call the service from a browser. Preflight requests carry no
 * credential and need none. Credentials that a browser adds automatically, such as cookies, are never allowed.
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

/** An origin as browsers send it. Anything else is not shown to anybody. */
const originText = /^https?:\/\/[\w.-]{1,253}(?::\d{1,5})?$/
/** Callers choose the header, so not every origin is reported. */
const maxReported = 10

/**
 * Reports each origin whose preflight request is refused, once: the browser shows the page no reason that helps.
 *
 * @param allowed the origins that may call the service
 */
export function withRefusedOrigins(
  answer: HttpHandler,
  allowed: readonly string[],
  report: (origin: string) => void,
): HttpHandler {
  const reported = new Set<string>()
  return incoming => {
    const { method, headers } = incoming.head
    const origin = headers.get('origin') ?? ''
    const isPreflight = method === 'OPTIONS' && headers.get('access-control-request-method') !== null
    if (isPreflight && originText.test(origin) && !allowed.includes(origin) && !allowed.includes('*')) {
      if (!reported.has(origin) && reported.size < maxReported) {
        reported.add(origin)
        report(origin)
      }
    }
    return answer(incoming)
  }
}

function preflight(origin: string, requestedHeaders: string | null): ServerResponse {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods,
      ...(requestedHeaders !== null && headerNames.test(requestedHeaders)
        ? { 'access-control-allow-headers': requestedHeaders }
        : {}),
      'access-control-max-age': preflightMaxAge,
      vary: 'Origin, Access-Control-Request-Headers',
    },
    body: undefined,
  }
}
