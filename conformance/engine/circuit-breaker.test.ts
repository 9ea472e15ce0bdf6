import { describe, expect, it } from 'vitest'
import type { TestRequest, TestResponse, TransportError } from '../http/message.js'
import { BudgetExhausted } from '../http/transport.js'
import { answered } from '../testing/things.js'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.js'

/** A status, a trouble, or what is thrown. */
type Outcome = number | TransportError | BudgetExhausted

interface Line extends CircuitBreaker {
  readonly asked: string[]
  readonly clock: { now: number }
}

/** @param outcome of a request, by its number from 1 */
const line = (outcome: (number: number, request: TestRequest) => Outcome): Line => {
  const asked: string[] = []
  const clock = { now: 0 }
  const send = async (request: TestRequest): Promise<TestResponse> => {
    asked.push(request.path)
    const got = outcome(asked.length, request)
    if (typeof got === 'object') throw got
    const number = asked.length
    if (typeof got === 'number') return { ...answered(request, got, {}), number }
    return { ...answered(request, 0, undefined), transportError: got, number }
  }
  const transport = { send, requestsSent: () => asked.length }
  const pause = async (milliseconds: number): Promise<void> => {
    clock.now += milliseconds
  }
  const breaker = createCircuitBreaker({ transport, concurrency: 4, time: 60_000, now: () => clock.now, pause })
  return { ...breaker, asked, clock }
}

/** Sends so many requests to different paths, until one is not sent; how many were. */
const sendMany = async ({ send }: CircuitBreaker, count: number, more: Partial<TestRequest> = {}): Promise<number> => {
  for (let index = 0; index < count; index++) {
    try {
      await send({ method: 'GET', path: `/p${index}`, ...more })
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetExhausted)
      return index
    }
  }
  return count
}

describe('a service is lost', () => {
  it.each<[string, Outcome, string, string]>([
    ['connections break', 'unreachable', 'unreachable', 'stopped responding after request 10: no connection'],
    ['it is unavailable', 503, 'unreachable', 'stopped responding after request 10: status 503'],
    ['it is busy', 429, 'unreachable', 'stopped responding after request 10: status 429'],
    ['its credential is refused', 401, 'refused', 'refused since request 11: status 401'],
    ['it forbids everything', 403, 'refused', 'refused since request 11: status 403'],
  ])('when, after it responded, %s, and requests that succeeded before fail, too', async (_, outcome, verdict, why) => {
    const service = line(number => (number <= 10 ? 200 : outcome))
    expect(await sendMany(service, 100)).toBe(30)
    expect(service.lost()).toMatchObject({ verdict, why: expect.stringContaining(why) })
    expect(service.asked.slice(-3)).toEqual(['/p0', '/p1', '/p2'])
  })

  it('after a few timeouts', async () => {
    const service = line(number => (number <= 10 ? 200 : 'timeout'))
    expect(await sendMany(service, 100)).toBe(14)
    expect(service.lost()).toMatchObject({ verdict: 'unreachable' })
  })

  it('at the end of a run, if it does not respond', async () => {
    const service = line(number => (number <= 10 ? 200 : 503))
    expect(await sendMany(service, 12)).toBe(12)
    await service.checkFinally()
    expect(service.asked).toHaveLength(15)
    expect(service.lost()).toMatchObject({ verdict: 'unreachable' })
  })

  it('if the run waited in vain for most of its time', async () => {
    const service = line(number => (number <= 10 ? 200 : new BudgetExhausted('time', 'no response within 50 s')))
    expect(await sendMany(service, 100)).toBe(10)
    expect(service.lost()?.why).toBe('The service stopped responding after request 10: no response within 50 s.')
  })
})

describe('a service is not lost', () => {
  it.each<[string, (number: number, request: TestRequest) => Outcome]>([
    ['that responds', () => 200],
    ['that forbids everything except what succeeded before', (_, { path }) => (/^\/p[0-4]$/.test(path) ? 200 : 403)],
    ['that answers one of three requests', number => (number % 3 === 0 ? 200 : 503)],
    ['that is unavailable for a while', number => (number > 10 && number <= 32 ? 'unreachable' : 200)],
    ['that never succeeded', () => 403],
    ['that fails', number => (number <= 10 ? 200 : 500)],
    ['that returns 404 only', number => (number <= 10 ? 200 : 404)],
  ])('%s', async (_, outcome) => {
    const service = line(outcome)
    expect(await sendMany(service, 100)).toBe(100)
    await service.checkFinally()
    expect(service.lost()).toBeUndefined()
  })

  it('that rejects other credentials', async () => {
    const service = line((_, { credential }) => (credential === 'broken' ? 401 : 200))
    await sendMany(service, 10)
    expect(await sendMany(service, 100, { credential: 'broken' })).toBe(100)
    expect(service.asked).toHaveLength(110)
  })

  it('whose run ends by time, requests or signal', async () => {
    for (const spent of ['time', 'requests', 'stop'] as const) {
      const service = line(number => (number <= 10 ? 200 : new BudgetExhausted(spent)))
      expect(await sendMany(service, 100)).toBe(10)
      expect(service.lost()).toBeUndefined()
    }
    const late = line(number => (number <= 10 ? 200 : new BudgetExhausted('time', 'no response within 1 s')))
    await sendMany(late, 10)
    late.clock.now = 59_000
    expect(await sendMany(late, 100)).toBe(0)
    expect(late.lost()).toBeUndefined()
  })
})
