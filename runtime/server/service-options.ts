import type { ExtraRoute } from './extra-route.js'
import type { Answer } from './handler.js'
import type { Principal } from './principal.js'
import type { RequestHead } from './request-head.js'

/** How a service runs; what it does is its handlers' part. */
export interface ServiceOptions<Context> {
  /**
   * Finds out who calls, from `Authorization` or whatever the credential is in; undefined: nobody that is known, which
   * answers 401. A service whose spec declares no authentication may leave it out.
   */
  readonly authenticate?: Authenticate
  /** Makes what every handler gets as `context`, once a request. */
  readonly context?: (request: RequestHead, principal: Principal) => Answer<Context>
  /**
   * The address under which callers reach the service's root, `https://api.example.com/v1.0`: links begin with it.
   * Default: what the request was sent to.
   */
  readonly publicUrl?: string
  /** Where the root is on this server. Default: `/` and the service's version. */
  readonly root?: string
  /** Told of everything unexpected that a handler or hook threw, which callers see as an internal error only. */
  readonly onError?: (error: unknown, request: RequestHead) => void
  /** What is served beside the spec's paths. */
  readonly extraRoutes?: readonly ExtraRoute[]
}

/** The options of a service that takes no caller without a credential. */
export interface SecuredServiceOptions<Context> extends ServiceOptions<Context> {
  readonly authenticate: Authenticate
}

/** Makes the option `context` a must where handlers rely on one. */
export type ContextNeeded<Context> = undefined extends Context ? unknown : { readonly context: unknown }

export type Authenticate = (request: RequestHead) => Answer<Principal | undefined>
