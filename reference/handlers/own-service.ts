import { AsyncLocalStorage } from 'node:async_hooks'
import {
  fromWebRequest,
  type Principal,
  RequestFault,
  type RequestHead,
  type Service,
  toWebResponse,
} from '../../runtime/server/index.js'
import type { Atomically } from '../store/engines/engine.js'
import { maxWaitingBytes } from '../store/engines/write-turns.js'

/**
 * What the handlers of your own logic get as `context`: the service that they belong to. Its requests do not leave the process,
 * so a generated client reads and writes the store, `createTodo({ baseUrl: context.baseUrl, fetch: context.fetch })`.
 */
export interface OwnService {
  /** The address of the service as callers know it, `http://127.0.0.1:8080/v1.0`. */
  readonly baseUrl: string
  /**
   * Sends a request to the service. A request without `Authorization` has that of the caller.
   *
   * @throws {TypeError} for an address outside the service
   */
  readonly fetch: (url: string, request?: RequestInit) => Promise<Response>
  /**
   * Runs requests in one transaction, which is rolled back if the work throws. The work may run more than once. No other write
   * proceeds meanwhile, so do not wait for other services in it.
   */
  readonly atomically: Atomically
}

/** The service as the handler of one request sees it. */
export function ownService(head: RequestHead, { fetch, root, publicUrl, atomically }: OwnServiceSettings): OwnService {
  const { origin } = new URL(head.url)
  const address = origin + root
  const baseUrl = publicUrl ?? address
  return {
    baseUrl,
    atomically,
    async fetch(url, request) {
      const below = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : undefined
      if (below === undefined || !/^(?:[/?]|$)/.test(below))
        throw new TypeError(
          `The URL ${url} is outside the service ${baseUrl}. Use the global fetch for other services.`,
        )
      const headers = new Headers(request?.headers)
      const credential = head.headers.get('authorization')
      if (credential !== null && !headers.has('authorization')) headers.set('authorization', credential)
      const sent = new Request(address + below, { ...request, headers })
      return toWebResponse(await fetch().handle(fromWebRequest(sent)), sent.method)
    },
  }
}

interface OwnServiceSettings {
  /** The service, which does not exist yet when its handlers are bound. */
  readonly fetch: () => Service
  readonly root: string
  readonly publicUrl: string | undefined
  readonly atomically: Atomically
}

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
  readonly waiting: { readonly go: () => void; readonly bytes: number }[]
  /** Of the bodies that wait. */
  bytes: number
}

/**
 * Wraps handlers so that no principal has more than some requests running. Further ones wait in order; beyond the second limit,
 * they get 429. All callers of a service without authentication are one principal. The requests that a running one sends to the
 * service itself, and waits for, belong to it.
 */
export function limitPrincipals({ principalRequests, principalWaiting }: PrincipalLimits) {
  const lines = new Map<string, Line>()
  const running = new AsyncLocalStorage<true>()
  const leave = (id: string, line: Line): void => {
    const next = line.waiting.shift()
    if (next !== undefined) {
      line.bytes -= next.bytes
      next.go()
      return
    }
    line.running -= 1
    if (line.running === 0) lines.delete(id)
  }
  return <Call extends { readonly principal: Pick<Principal, 'id'>; readonly bodyBytes: number }>(
    handler: (call: Call) => unknown,
  ): ((call: Call) => Promise<unknown>) =>
    async call => {
      if (running.getStore() === true) return handler(call)
      const { principal, bodyBytes: bytes } = call
      const line = lines.get(principal.id) ?? { running: 0, waiting: [], bytes: 0 }
      lines.set(principal.id, line)
      if (line.running < principalRequests) line.running += 1
      else if (line.waiting.length < principalWaiting && line.bytes + bytes <= maxWaitingBytes) {
        line.bytes += bytes
        await new Promise<void>(go => line.waiting.push({ go, bytes }))
      } else throw tooMany(principalWaiting)
      try {
        return await running.run(true, async () => handler(call))
      } finally {
        leave(principal.id, line)
      }
    }
}

function tooMany(limit: number): RequestFault {
  const reason = `More requests of yours wait than the limit principalWaiting, which is ${limit}, or their bodies have more than ${maxWaitingBytes} bytes.`
  return new RequestFault('tooManyRequests', { headers: { 'retry-after': '1' }, values: { reason } })
}
