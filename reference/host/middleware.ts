import {
  type Authenticate,
  boundedMap,
  fromWebRequest,
  type Principal,
  RequestFault,
  type ServerRequest,
  type ServerResponse,
  type Service,
  toWebResponse,
} from '../../runtime/server/index.js'

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

/** How many requests a caller may send. */
interface RateLimit {
  /** Requests per second in the long run. A burst may have as many requests, and at least one. */
  readonly rate: number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

interface Bucket {
  tokens: number
  filled: number
}

/** The number of callers with a bucket. A caller without one starts with a full bucket. */
const maxCallers = 10_000

/**
 * Limits the request rate of each caller with a token bucket; answers 429 and `Retry-After` above the limit. Each request of
 * a batch counts. All callers without a credential share one bucket. Each process counts its own requests.
 *
 * @see RFC 6585, 4 (429 Too Many Requests)
 */
export function withRateLimit(authenticate: Authenticate | undefined, { rate, now }: RateLimit): Authenticate {
  const capacity = Math.max(1, rate)
  const buckets = boundedMap<Bucket>(maxCallers)
  const take = (caller: string): void => {
    const time = now()
    const bucket = buckets.get(caller) ?? { tokens: capacity, filled: time }
    bucket.tokens = Math.min(capacity, bucket.tokens + ((time - bucket.filled) / 1000) * rate)
    bucket.filled = time
    buckets.set(caller, bucket)
    if (bucket.tokens >= 1) bucket.tokens--
    else {
      const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / rate))
      throw new RequestFault('tooManyRequests', { headers: { 'retry-after': String(wait) } })
    }
  }
  const admit = (principal: Principal | undefined): Principal | undefined => {
    take(principal?.id ?? '')
    return principal
  }
  return head => {
    const identified = authenticate?.(head)
    return identified instanceof Promise ? identified.then(admit) : admit(identified)
  }
}

/** Answers requests and never throws. Hosting features such as CORS and logging wrap one handler in another. */
export type HttpHandler = (incoming: ServerRequest) => Promise<ServerResponse>

/** A handler as a service. */
export function toService(handle: HttpHandler): Service {
  const respond = async (request: Request): Promise<Response> =>
    toWebResponse(await handle(fromWebRequest(request)), request.method)
  return Object.assign(respond, { handle })
}
