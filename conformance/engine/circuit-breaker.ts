import type { TestRequest, TestResponse } from '../http/message.js'
import { pause as pauseFor } from '../http/sender.js'
import { BudgetExhausted, type Transport } from '../http/transport.js'
import { inconclusiveVerdict } from '../rule/response.js'

/** Why a run stopped early: the service answered at first, but no longer does. */
interface LostService {
  readonly verdict: 'unreachable' | 'refused'
  readonly why: string
}

/** Sends requests, and ends the run when the service stops answering. */
export interface CircuitBreaker {
  /** @throws {BudgetExhausted} as the transport does, and once the service is lost */
  readonly send: (request: TestRequest) => Promise<TestResponse>
  /** Checks at the end of a run whether the service still answers, if its last responses were unusable. */
  readonly checkFinally: () => Promise<void>
  readonly lost: () => LostService | undefined
}

interface CircuitBreakerOptions {
  readonly transport: Pick<Transport, 'send' | 'requestsSent'>
  /** Maximum number of requests under way. The others wait, so that none of them reaches a lost service. */
  readonly concurrency: number
  /** Milliseconds for the whole run. */
  readonly time: number
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
  readonly pause?: typeof pauseFor
}

/** After so many consecutive unusable responses, repeat requests that succeeded before. */
const maxSilentRequests = 20
/** The same for timeouts, each of which takes long. */
const maxSilentTimeouts = 4
/** How many successful reads to keep for that. */
const maxKnownGood = 3
/** Delays in milliseconds before each attempt: a service that restarts may be back by then. */
const retryDelays = [0, 1_000, 3_000]
/** A service is lost if it gave no usable response during this share of the run, at its end. */
const silentShare = 0.5

/**
 * Monitors the responses to the configured credential. Deliberate errors and forbidden endpoints prove nothing. So the
 * service is lost only if requests that succeeded before fail, too.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { transport, concurrency, time, now, signal, pause = pauseFor } = options
  const deadline = now() + time
  const sound = new Map<string, TestRequest>()
  let lost: LostService | undefined
  let silence: SilentPeriod | undefined
  let answeredLast = 0
  let sentLast = 0
  let waitingSince: number | undefined
  let underWay = 0
  const queue: (() => void)[] = []
  let probing: Promise<void> | undefined

  const note = (response: TestResponse): void => {
    const { testRequest, transportError, number, status, json } = response
    if (!isOwn(testRequest) || transportError === 'interrupted') return
    if (inconclusiveVerdict(response) !== undefined) {
      const timeouts = (silence?.timeouts ?? 0) + (transportError === 'timeout' ? 1 : 0)
      silence = { first: silence?.first ?? number, timeouts, last: response }
      return
    }
    silence = undefined
    // Other requests may be under way.
    waitingSince = underWay > 1 ? now() : undefined
    answeredLast = Math.max(answeredLast, number)
    sentLast = transport.requestsSent()
    const isSound = testRequest.method === 'GET' && status === 200 && json !== undefined
    if (isSound && sound.size < maxKnownGood && !sound.has(testRequest.path)) sound.set(testRequest.path, testRequest)
  }

  /** Repeats successful requests. The service is lost if all of them fail. */
  const probe = async (): Promise<void> => {
    const asks = [...sound.values()]
    for (const [index, milliseconds] of retryDelays.entries()) {
      const ask = asks[index % asks.length]
      if (ask === undefined) return
      await pause(Math.min(milliseconds, deadline - now()), signal)
      note(await transport.send(ask))
      if (silence === undefined) return
    }
    if (silence !== undefined) lost = lostAfter(silence, answeredLast)
  }

  const isSuspect = (): boolean =>
    silence !== undefined &&
    sound.size > 0 &&
    (transport.requestsSent() - sentLast >= maxSilentRequests || silence.timeouts >= maxSilentTimeouts)

  /** On a timeout of the run: is the service lost, or did the run just end? */
  const outOfTime = (why: string | undefined): void => {
    const reason = why ?? (silence === undefined ? undefined : describeSilence(silence.last))
    if (reason === undefined || waitingSince === undefined) return
    if (deadline - waitingSince <= time * silentShare) return
    lost ??= { verdict: 'unreachable', why: describeStop(answeredLast, reason) }
  }

  /** Waits until another request may be under way. */
  const admission = async (): Promise<void> => {
    if (underWay >= concurrency) await new Promise<void>(resolve => queue.push(resolve))
    else underWay++
  }

  /** Hands the place of a request over to the next one. */
  const finish = (): void => {
    const next = queue.shift()
    if (next === undefined) underWay--
    else next()
  }

  return {
    lost: () => lost,
    checkFinally: async () => {
      if (silence !== undefined && lost === undefined) await probe()
    },
    send: async request => {
      await admission()
      try {
        if (probing !== undefined) await probing
        if (lost !== undefined) throw new BudgetExhausted('time', lost.why)
        if (isOwn(request)) waitingSince ??= now()
        const response = await transport.send(request)
        note(response)
        if (isSuspect()) {
          probing ??= probe().finally(() => {
            probing = undefined
          })
          await probing
        }
        return response
      } catch (error) {
        if (error instanceof BudgetExhausted && error.budget === 'time') outOfTime(error.reason)
        throw error
      } finally {
        finish()
      }
    },
  }
}

/** Consecutive unusable responses. */
interface SilentPeriod {
  /** Sequence number of the first. */
  readonly first: number
  readonly timeouts: number
  readonly last: TestResponse
}

function isOwn({ credential }: TestRequest): boolean {
  return credential === undefined || credential === 'own'
}

function lostAfter({ first, last }: SilentPeriod, answeredLast: number): LostService {
  if (last.status !== 401 && last.status !== 403) {
    return { verdict: 'unreachable', why: describeStop(answeredLast, describeSilence(last)) }
  }
  const since = `The credential was accepted at first, but has been refused since request ${first}: status ${last.status}.`
  return { verdict: 'refused', why: `${since} Use one that stays valid for the whole run.` }
}

function describeStop(answeredLast: number, reason: string): string {
  const what =
    answeredLast === 0 ? 'The service did not respond' : `The service stopped responding after request ${answeredLast}`
  return `${what}: ${reason}.`
}

function describeSilence({ transportError, detail, status, milliseconds }: TestResponse): string {
  switch (transportError) {
    case undefined:
      return `status ${status} for every request`
    case 'timeout':
      return `no response within ${Math.max(1, Math.round(milliseconds / 1000))} s`
    case 'tooLarge':
      return 'its responses are too large'
    case 'tooManyRedirects':
      return 'it redirects endlessly'
    default:
      return `no connection, or a broken one (${detail ?? transportError})`
  }
}
