import { BudgetSpent } from '../budget-spent.js'
import type { Answer } from './answer.js'
import type { Ask } from './ask.js'
import { exchange, type Received } from './exchange.js'
import { createPace } from './pace.js'
import { pause } from './pause.js'
import { requestOf, type SentRequest } from './request-of.js'
import { retryAfter } from './retry-after.js'
import type { Target } from './target.js'

/** Sends requests, at the pace that was asked for and that the service asks for. */
export interface Transport {
  /**
   * Holds back every request for as long as `Retry-After` says. A write that the end of the time cuts off has the trouble
   * `interrupted`.
   *
   * @throws {BudgetSpent} when no request or no time is left, a service asks for a wait past the end of the time, or the
   *   run was stopped
   */
  readonly send: (ask: Ask) => Promise<Answer>
  /** How many requests were sent. */
  readonly sent: () => number
  readonly left: () => number
  /** Gives requests and time to clean up with, whatever was spent. */
  readonly allowCleanUp: (requests: number, milliseconds: number) => void
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
const busyPause = 1000
/** Milliseconds before a read is sent again after its connection broke. */
const reconnect = 200

export function createTransport(options: TransportOptions): Transport {
  const { target, now, timeout } = options
  let signal = options.signal
  const pace = createPace(options.rate, options.concurrency, now)
  let deadline = now() + options.time
  let limit = options.requests
  let count = 0

  const requireBudget = (): void => {
    if (signal?.aborted === true) throw new BudgetSpent('stop')
    if (count >= limit) throw new BudgetSpent('requests')
    if (now() >= deadline) throw new BudgetSpent('time')
  }

  const once = async (sent: SentRequest, ask: Ask): Promise<{ received: Received; number: number; took: number }> => {
    requireBudget()
    const ended = await pace.begin(deadline, signal)
    if (ended === undefined) throw new BudgetSpent('time')
    try {
      requireBudget()
      const number = ++count
      const start = now()
      const left = deadline - start
      const secret = secretHeaders(ask, options)
      const received = await exchange(sent, { target, secret, timeout: Math.min(timeout, left), bodyLimit, signal })
      const took = now() - start
      const isCut = left < timeout && 'trouble' in received && received.trouble === 'timeout'
      if (!isCut) return { received, number, took }
      if (isRead(ask)) throw new BudgetSpent('time', `no answer within ${Math.ceil(left / 1000)} s`)
      // Whoever sent a write must know that it may have been done.
      return { received: { trouble: 'interrupted' }, number, took }
    } finally {
      ended()
    }
  }

  const send = async (ask: Ask): Promise<Answer> => {
    const request = requestOf(ask, target)
    for (let attempt = 0; ; attempt++) {
      const { received, number, took } = await once(request, ask)
      if ('trouble' in received) {
        const again = received.trouble === 'unreachable' && ask.method === 'GET' && attempt === 0
        if (!again) return answerOf(ask, request, number, took, { ...nothing, ...received })
        await pause(reconnect, signal)
        continue
      }
      const wait = busyFor(received)
      if (wait !== undefined) pace.hold(wait)
      const isTooLong = wait !== undefined && now() + wait >= deadline
      if (isTooLong && isRead(ask)) throw new BudgetSpent('time', waitText(received.status, wait))
      if (wait === undefined || isTooLong || attempt >= busyRetries) {
        return answerOf(ask, request, number, took, received)
      }
    }
  }

  return {
    send,
    sent: () => count,
    left: () => Math.max(0, limit - count),
    allowCleanUp: (requests, milliseconds) => {
      limit = count + requests
      deadline = now() + milliseconds
      signal = undefined
    },
  }
}

const nothing = { status: 0, headers: {}, text: '' }

function answerOf(
  ask: Ask,
  request: SentRequest,
  number: number,
  milliseconds: number,
  received: Pick<Answer, 'status' | 'headers' | 'text' | 'json' | 'trouble' | 'detail'>,
): Answer {
  return { ask, request, ...received, number, milliseconds }
}

/** How long a service asks to be left alone; absent when this is an answer to keep. */
function busyFor(received: Exclude<Received, { trouble: unknown }>): number | undefined {
  const asked = retryAfter(received.headers['retry-after'], Date.now())
  if (received.status === 429) return asked ?? busyPause
  return received.status === 503 ? asked : undefined
}

function waitText(status: number, milliseconds: number): string {
  return `status ${status}, and it asks to be left alone for ${Math.ceil(milliseconds / 1000)} s, past the end of the run's time`
}

function isRead({ method }: Ask): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** Headers that hold a credential under names that are in use. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key', 'api-key'])

function secretHeaders(ask: Ask, { token, headers = {} }: TransportOptions): Readonly<Record<string, string>> {
  const own = ask.credential === undefined || ask.credential === 'own'
  const kept = Object.entries(headers).filter(([name]) => own || !credentials.has(name.toLowerCase()))
  const authorization =
    ask.credential === 'broken' ? 'Bearer not-a-token' : own && token ? `Bearer ${token}` : undefined
  return { ...Object.fromEntries(kept), ...(authorization === undefined ? {} : { authorization }) }
}
