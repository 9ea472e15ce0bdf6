import { type Authenticate, boundedMap, type Principal, RequestFault } from '../../runtime/server/index.js'

/** How many requests a caller may send. */
export interface RateLimit {
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
