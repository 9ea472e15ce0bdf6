import { authorizationOf } from './credentials.js'
import { type ExchangeResult, exchange, type SentRequest, toHttpRequest } from './exchange.js'
import type { TestRequest, TestResponse } from './message.js'
import { createRateLimiter, pause, type Target } from './sender.js'

/**
 * The requested delay in milliseconds, given as seconds or as a date.
 *
 * @see RFC 9110, 10.2.3 (Retry-After)
 */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * The requests or the time are used up, or the run was stopped. It passes through the rules, which do not catch it, and
 * ends the run.
 */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted'
  readonly budget: 'requests' | 'time' | 'stop'
  /** What used up the time, if known: `no response within 30 s`. */
  readonly reason: string | undefined

  constructor(spent: BudgetExhausted['budget'] = 'requests', why?: string) {
    super()
    this.budget = spent
    this.reason = why
  }
}

/** Sends requests, limited by the configured rate and by the service's `Retry-After`. */
export interface Transport {
  /**
   * Delays all requests for as long as `Retry-After` says. A write that the end of the time interrupts returns the
   * transport error `interrupted`.
   *
   * @throws {BudgetExhausted} if the requests or the time are used up, the service asks for a delay beyond the end of
   *   the time, or the run was stopped
   */
  readonly send: (request: TestRequest) => Promise<TestResponse>
  readonly requestsSent: () => number
  readonly requestsLeft: () => number
  /** Grants requests and time for cleaning up, regardless of the budget. */
  readonly grantCleanUpBudget: (requests: number, milliseconds: number) => void
}

export interface TransportOptions {
  readonly target: Target
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly requests: number
  /** Milliseconds for the whole run. */
  readonly time: number
  /** Milliseconds per response. */
  readonly timeout: number
  readonly rate?: number | undefined
  readonly concurrency: number
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
}

/** Large pages of ten million bytes fit; anything much longer is not a page. */
const bodyLimit = 64 * 1024 * 1024
/** Retries after a busy response. */
const busyRetries = 6
/** Delay in milliseconds after 429 without `Retry-After`. */
const defaultBusyDelay = 1000
/** Delay in milliseconds before a read is sent again after its connection broke. */
const reconnectDelay = 200

export function createTransport(options: TransportOptions): Transport {
  const { target, now, timeout } = options
  let signal = options.signal
  const pace = createRateLimiter(options.rate, options.concurrency, now)
  let deadline = now() + options.time
  let limit = options.requests
  let count = 0

  const requireBudget = (): void => {
    if (signal?.aborted === true) throw new BudgetExhausted('stop')
    if (count >= limit) throw new BudgetExhausted('requests')
    if (now() >= deadline) throw new BudgetExhausted('time')
  }

  const once = async (
    sent: SentRequest,
    request: TestRequest,
  ): Promise<{ received: ExchangeResult; number: number; took: number }> => {
    requireBudget()
    const ended = await pace.acquire(deadline, signal)
    if (ended === undefined) throw new BudgetExhausted('time')
    try {
      requireBudget()
      const number = ++count
      const start = now()
      const left = deadline - start
      const secret = credentialHeadersOf(request, options)
      const received = await exchange(sent, {
        target,
        credentialHeaders: secret,
        timeout: Math.min(timeout, left),
        bodyLimit,
        signal,
      })
      const took = now() - start
      const isCut = left < timeout && 'transportError' in received && received.transportError === 'timeout'
      if (!isCut) return { received, number, took }
      if (isRead(request)) throw new BudgetExhausted('time', `no response within ${Math.ceil(left / 1000)} s`)
      // The caller must know that the write may have taken effect.
      return { received: { transportError: 'interrupted' }, number, took }
    } finally {
      ended()
    }
  }

  const send = async (ask: TestRequest): Promise<TestResponse> => {
    const request = toHttpRequest(ask, target)
    for (let attempt = 0; ; attempt++) {
      const { received, number, took } = await once(request, ask)
      if ('transportError' in received) {
        const again = received.transportError === 'unreachable' && ask.method === 'GET' && attempt === 0
        if (!again) return testResponse(ask, request, number, took, { ...emptyResponse, ...received })
        await pause(reconnectDelay, signal)
        continue
      }
      const wait = backOffTime(received)
      if (wait !== undefined) pace.backOff(wait)
      const isTooLong = wait !== undefined && now() + wait >= deadline
      if (isTooLong && isRead(ask)) throw new BudgetExhausted('time', describeWait(received.status, wait))
      if (wait === undefined || isTooLong || attempt >= busyRetries) {
        return testResponse(ask, request, number, took, received)
      }
    }
  }

  return {
    send,
    requestsSent: () => count,
    requestsLeft: () => Math.max(0, limit - count),
    grantCleanUpBudget: (requests, milliseconds) => {
      limit = count + requests
      deadline = now() + milliseconds
      signal = undefined
    },
  }
}

const emptyResponse = { status: 0, headers: {}, text: '' }

function testResponse(
  ask: TestRequest,
  request: SentRequest,
  number: number,
  milliseconds: number,
  received: Pick<
    TestResponse,
    'status' | 'headers' | 'text' | 'json' | 'hasByteOrderMark' | 'transportError' | 'detail'
  >,
): TestResponse {
  return { testRequest: ask, request, ...received, number, milliseconds }
}

/** The delay that a busy response asks for; absent if the response is final. */
function backOffTime(received: Exclude<ExchangeResult, { transportError: unknown }>): number | undefined {
  const asked = parseRetryAfter(received.headers['retry-after'], Date.now())
  if (received.status === 429) return asked ?? defaultBusyDelay
  return received.status === 503 ? asked : undefined
}

function describeWait(status: number, milliseconds: number): string {
  return `status ${status} with a Retry-After of ${Math.ceil(milliseconds / 1000)} s, beyond the end of the run's time`
}

function isRead({ method }: TestRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** Common names of headers that hold credentials. */
const credentialHeaderNames: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key', 'api-key'])

function credentialHeadersOf(
  request: TestRequest,
  { token, headers = {} }: TransportOptions,
): Readonly<Record<string, string>> {
  const own = request.credential === undefined || request.credential === 'own'
  const kept = Object.entries(headers).filter(([name]) => own || !credentialHeaderNames.has(name.toLowerCase()))
  const authorization = authorizationOf(request.credential ?? 'own', token)
  return { ...Object.fromEntries(kept), ...(authorization === undefined ? {} : { authorization }) }
}
