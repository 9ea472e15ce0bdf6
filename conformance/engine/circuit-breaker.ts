import type { TestRequest, TestResponse } from '../http/message.js'
import { pause as pauseFor } from '../http/rate-limiter.js'
import { BudgetExhausted, type Transport } from '../http/transport.js'
import { inconclusiveVerdict } from '../rule/response.js'

/** Why a run broke off: the service was there at first, and then no more. */
export interface LostService {
  readonly verdict: 'unreachable' | 'refused'
  readonly why: string
}

/** Sends, and ends the run when a service that answered at first tells nothing any more. */
export interface CircuitBreaker {
  /** @throws {BudgetExhausted} as the transport does, and once the service is lost */
  readonly send: (ask: TestRequest) => Promise<TestResponse>
  /** When nothing is left to ask: whether the service is still there, where the last answers tell nothing. */
  readonly checkFinally: () => Promise<void>
  readonly lost: () => LostService | undefined
}

export interface CircuitBreakerOptions {
  readonly transport: Pick<Transport, 'send' | 'requestsSent'>
  /** Milliseconds for the whole run. */
  readonly time: number
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
  readonly pause?: typeof pauseFor
}

/** Requests in a row that told nothing, after which what was answered before is asked again. */
const maxSilentRequests = 20
/** The same of answers that never came: each takes as long as is waited for one. */
const maxSilentTimeouts = 4
/** Reads that were answered well and are kept, to be asked again. */
const maxKnownGood = 3
/** Milliseconds before each time that one of them is: a service that is only started anew may be back by then. */
const retryDelays = [0, 1_000, 3_000]
/** Of a run's time, the share at its end in which nothing was told that makes a service count as lost. */
const silentShare = 0.5

/**
 * Watches what is answered to the judge's own credential. What provokes an error on purpose tells nothing of the service's
 * being there, nor does an endpoint that is forbidden: so the service is lost only when what it had answered well fails, too.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { transport, time, now, signal, pause = pauseFor } = options
  const deadline = now() + time
  const sound = new Map<string, TestRequest>()
  let lost: LostService | undefined
  let silence: SilentPeriod | undefined
  let toldLast = 0
  let sentLast = 0
  let waitingSince: number | undefined
  let probing: Promise<void> | undefined

  const note = (answer: TestResponse): void => {
    const { testRequest: ask, transportError: trouble, number, status, json } = answer
    if (!isOwn(ask) || trouble === 'interrupted') return
    if (inconclusiveVerdict(answer) !== undefined) {
      const timeouts = (silence?.timeouts ?? 0) + (trouble === 'timeout' ? 1 : 0)
      silence = { first: silence?.first ?? number, timeouts, last: answer }
      return
    }
    silence = undefined
    waitingSince = undefined
    toldLast = Math.max(toldLast, number)
    sentLast = transport.requestsSent()
    const isSound = ask.method === 'GET' && status === 200 && json !== undefined
    if (isSound && sound.size < maxKnownGood && !sound.has(ask.path)) sound.set(ask.path, ask)
  }

  /** Asks what was answered before; the service is lost when none of it is any more. */
  const probe = async (): Promise<void> => {
    const asks = [...sound.values()]
    for (const [index, milliseconds] of retryDelays.entries()) {
      const ask = asks[index % asks.length]
      if (ask === undefined) return
      await pause(Math.min(milliseconds, deadline - now()), signal)
      note(await transport.send(ask))
      if (silence === undefined) return
    }
    if (silence !== undefined) lost = lostAfter(silence, toldLast)
  }

  const isSuspect = (): boolean =>
    silence !== undefined &&
    sound.size > 0 &&
    (transport.requestsSent() - sentLast >= maxSilentRequests || silence.timeouts >= maxSilentTimeouts)

  /** The time ran out: was the service waited for in vain, or is this only the end of the run? */
  const outOfTime = (why: string | undefined): void => {
    const reason = why ?? (silence === undefined ? undefined : describeSilence(silence.last))
    if (reason === undefined || waitingSince === undefined) return
    if (deadline - waitingSince <= time * silentShare) return
    lost ??= { verdict: 'unreachable', why: describeStop(toldLast, reason) }
  }

  return {
    lost: () => lost,
    checkFinally: async () => {
      if (silence !== undefined && lost === undefined) await probe()
    },
    send: async ask => {
      if (probing !== undefined) await probing
      if (lost !== undefined) throw new BudgetExhausted('time', lost.why)
      if (isOwn(ask)) waitingSince ??= now()
      try {
        const answer = await transport.send(ask)
        note(answer)
        if (isSuspect()) {
          probing ??= probe().finally(() => {
            probing = undefined
          })
          await probing
        }
        return answer
      } catch (error) {
        if (error instanceof BudgetExhausted && error.budget === 'time') outOfTime(error.reason)
        throw error
      }
    },
  }
}

/** Answers in a row that told nothing. */
interface SilentPeriod {
  /** Number of the first. */
  readonly first: number
  readonly timeouts: number
  readonly last: TestResponse
}

function isOwn({ credential }: TestRequest): boolean {
  return credential === undefined || credential === 'own'
}

function lostAfter({ first, last }: SilentPeriod, toldLast: number): LostService {
  if (last.status !== 401 && last.status !== 403) {
    return { verdict: 'unreachable', why: describeStop(toldLast, describeSilence(last)) }
  }
  const since = `The credential was accepted at first and is refused since request ${first}: status ${last.status}.`
  return { verdict: 'refused', why: `${since} Give one that is good for the whole run.` }
}

function describeStop(toldLast: number, reason: string): string {
  const what = toldLast === 0 ? 'The service did not answer' : `The service stopped answering after request ${toldLast}`
  return `${what}: ${reason}.`
}

function describeSilence({ transportError: trouble, detail, status, milliseconds }: TestResponse): string {
  switch (trouble) {
    case undefined:
      return `status ${status}, whatever is asked`
    case 'timeout':
      return `no answer within ${Math.max(1, Math.round(milliseconds / 1000))} s`
    case 'tooLarge':
      return 'its answers are longer than can be read'
    case 'tooManyRedirects':
      return 'it redirects without an end'
    default:
      return `no connection, or it broke (${detail ?? trouble})`
  }
}
