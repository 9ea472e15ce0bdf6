import { type ExchangeResult, exchange, type SentRequest, toHttpRequest } from './exchange.js'
import type { TestRequest, TestResponse } from './message.js'
import { createRateLimiter, pause } from './rate-limiter.js'
import type { Target } from './target.js'

/**
 * Milliseconds that a service asks to wait, from seconds or a date; absent when it does not say.
 *
 * @see RFC 9110, 10.2.3 (Retry-After)
 */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** No request or no time is left, or the run was stopped: thrown through rules, which need not heed it, to the end of the run. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted'
  readonly budget: 'requests' | 'time' | 'stop'
  /** What the service did that used up the time, where that is known: `no answer within 30 s`. */
  readonly reason: string | undefined

  constructor(spent: BudgetExhausted['budget'] = 'requests', why?: string) {
    super()
    this.budget = spent
    this.reason = why
  }
}

/** Sends requests, at the pace that was asked for and that the service asks for. */
export interface Transport {
  /**
   * Holds back every request for as long as `Retry-After` says. A write that the end of the time cuts off has the trouble
   * `interrupted`.
   *
   * @throws {BudgetExhausted} when no request or no time is left, a service asks for a wait past the end of the time, or the
   *   run was stopped
   */
  readonly send: (ask: TestRequest) => Promise<TestResponse>
  /** How many requests were sent. */
  readonly requestsSent: () => number
  readonly requestsLeft: () => number
  /** Gives requests and time to clean up with, whatever was spent. */
  readonly grantCleanUpBudget: (requests: number, milliseconds: number) => void
}

export interface TransportOptions {
  readonly target: Target
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly requests: number
  /** Milliseconds for the whole run. */
  readonly time: number
  /** Milliseconds for one answer. */
  readonly timeout: number
  readonly rate?: number | undefined
  readonly concurrency: number
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
}

/** Pages of ten million bytes are read; what is much longer is no page. */
const bodyLimit = 64 * 1024 * 1024
/** How often a request is sent again when the service says that it is busy. */
const busyRetries = 6
/** Milliseconds that a service is left alone after 429 when it does not say how long. */
const defaultBusyDelay = 1000
/** Milliseconds before a read is sent again after its connection broke. */
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
    ask: TestRequest,
  ): Promise<{ received: ExchangeResult; number: number; took: number }> => {
    requireBudget()
    const ended = await pace.acquire(deadline, signal)
    if (ended === undefined) throw new BudgetExhausted('time')
    try {
      requireBudget()
      const number = ++count
      const start = now()
      const left = deadline - start
      const secret = credentialHeadersOf(ask, options)
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
      if (isRead(ask)) throw new BudgetExhausted('time', `no answer within ${Math.ceil(left / 1000)} s`)
      // Whoever sent a write must know that it may have been done.
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
  received: Pick<TestResponse, 'status' | 'headers' | 'text' | 'json' | 'transportError' | 'detail'>,
): TestResponse {
  return { testRequest: ask, request, ...received, number, milliseconds }
}

/** How long a service asks to be left alone; absent when this is an answer to keep. */
function backOffTime(received: Exclude<ExchangeResult, { transportError: unknown }>): number | undefined {
  const asked = parseRetryAfter(received.headers['retry-after'], Date.now())
  if (received.status === 429) return asked ?? defaultBusyDelay
  return received.status === 503 ? asked : undefined
}

function describeWait(status: number, milliseconds: number): string {
  return `status ${status}, and it asks to be left alone for ${Math.ceil(milliseconds / 1000)} s, past the end of the run's time`
}

function isRead({ method }: TestRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** Headers that hold a credential under names that are in use. */
const credentialHeaderNames: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key', 'api-key'])

function credentialHeadersOf(
  ask: TestRequest,
  { token, headers = {} }: TransportOptions,
): Readonly<Record<string, string>> {
  const own = ask.credential === undefined || ask.credential === 'own'
  const kept = Object.entries(headers).filter(([name]) => own || !credentialHeaderNames.has(name.toLowerCase()))
  const authorization =
    ask.credential === 'broken' ? 'Bearer not-a-token' : own && token ? `Bearer ${token}` : undefined
  return { ...Object.fromEntries(kept), ...(authorization === undefined ? {} : { authorization }) }
}
