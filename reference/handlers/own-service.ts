import { fromWebRequest, type RequestHead, type Service, toWebResponse } from '../../runtime/server/index.js'
import type { Atomically } from '../store/engines/atomic.js'

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
