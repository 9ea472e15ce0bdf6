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
  /** @throws {BudgetSpent} when no request or no time is left, or the run was stopped */
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
/** Milliseconds before a read is sent again after its connection broke. */
const reconnect = 200

export function createTransport(options: TransportOptions): Transport {
  const { target, now, timeout } = options
  let signal = options.signal
  const pace = createPace(options.rate, options.concurrency, now, signal)
  let deadline = now() + options.time
  let limit = options.requests
  let count = 0

  const once = async (sent: SentRequest, ask: Ask): Promise<{ received: Received; number: number; took: number }> => {
    if (count >= limit || now() >= deadline || signal?.aborted === true) throw new BudgetSpent()
    const number = ++count
    const ended = await pace.begin()
    const start = now()
    try {
      const secret = secretHeaders(ask, options)
      const received = await exchange(sent, { target, secret, timeout, bodyLimit, signal })
      return { received, number, took: now() - start }
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
      if (wait === undefined || attempt >= busyRetries || now() + wait >= deadline) {
        return answerOf(ask, request, number, took, received)
      }
      pace.hold(wait)
      await pause(wait, signal)
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
  if (received.status === 429) return Math.min(asked ?? 1000, 60_000)
  return received.status === 503 && asked !== undefined ? Math.min(asked, 60_000) : undefined
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
