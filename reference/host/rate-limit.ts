import { type Authenticate, boundedMap, type Principal, RequestFault } from '../../runtime/server/index.js'

/** How many requests a caller may send. */
export interface RateLimit {
  /** Requests a second, in the long run; so many may come at once, too, and one at least. */
  readonly rate: number
  /** Milliseconds that never run backwards. */
  readonly now: () => number
}

interface Bucket {
  tokens: number
  filled: number
}

/** Callers that are remembered; one that is forgotten begins anew. */
const maxCallers = 10_000

/**
 * Refuses a caller that sends too much, with 429 and `Retry-After`: a token bucket for each principal, the requests of a
 * batch counted one by one, and one bucket for all who have no credential. Each process counts for itself.
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
