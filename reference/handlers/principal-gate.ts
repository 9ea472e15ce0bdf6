import { AsyncLocalStorage } from 'node:async_hooks'
import { type Principal, RequestFault } from '../../runtime/server/index.js'

/** What one principal may take of a service, for a store with a pool of connections. */
export interface PrincipalLimits {
  /** Requests that run at the same time, those in batches included. */
  readonly principalRequests: number
  /** Requests that wait for them. */
  readonly principalWaiting: number
}

/** Less than the ten connections of the pool, so that others always have some. */
export const defaultPrincipalLimits: PrincipalLimits = { principalRequests: 8, principalWaiting: 200 }

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Wraps handlers so that no principal has more than some requests running. Further ones wait in order; beyond the second limit,
 * they get 429. All callers of a service without authentication are one principal. The requests that a running one sends to the
 * service itself, and waits for, belong to it.
 */
export function principalGate({ principalRequests, principalWaiting }: PrincipalLimits) {
  const lines = new Map<string, Line>()
  const running = new AsyncLocalStorage<true>()
  const leave = (id: string, line: Line): void => {
    const next = line.waiting.shift()
    if (next !== undefined) {
      next()
      return
    }
    line.running -= 1
    if (line.running === 0) lines.delete(id)
  }
  return <Call extends { readonly principal: Pick<Principal, 'id'> }>(
    handler: (call: Call) => unknown,
  ): ((call: Call) => Promise<unknown>) =>
    async call => {
      if (running.getStore() === true) return handler(call)
      const { id } = call.principal
      const line = lines.get(id) ?? { running: 0, waiting: [] }
      lines.set(id, line)
      if (line.running < principalRequests) line.running += 1
      else if (line.waiting.length < principalWaiting) await new Promise<void>(resolve => line.waiting.push(resolve))
      else throw tooMany(principalWaiting)
      try {
        return await running.run(true, async () => handler(call))
      } finally {
        leave(id, line)
      }
    }
}

function tooMany(limit: number): RequestFault {
  const reason = `More requests of yours wait than the limit principalWaiting, which is ${limit}.`
  return new RequestFault('tooManyRequests', { headers: { 'retry-after': '1' }, values: { reason } })
}
