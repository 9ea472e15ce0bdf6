import type { MaybePromise, Principal } from './handler.js'
import type { RequestHead, ServerRequest, ServerResponse } from './http/message.js'

/** How a service runs; what it does is its handlers' part. */
export interface ServiceOptions<Context> {
  /**
   * Finds out who calls, from `Authorization` or whatever the credential is in; undefined: nobody that is known, which
   * answers 401. A service whose spec declares no authentication may leave it out.
   */
  readonly authenticate?: Authenticate
  /** Makes what every handler gets as `context`, once a request. */
  readonly context?: (request: RequestHead, principal: Principal) => MaybePromise<Context>
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
export type RequiredContext<Context> = undefined extends Context ? unknown : { readonly context: unknown }

export type Authenticate = (request: RequestHead) => MaybePromise<Principal | undefined>

/** A resource beside the spec's paths: a metadata document, a batch endpoint, a health probe. */
export interface ExtraRoute {
  readonly method: 'GET' | 'POST'
  /** Exact, from the server's root on: `/v1.0/$metadata`, `/healthz`. */
  readonly path: string
  /** Whether it answers callers without a credential. */
  readonly anonymous?: true
  readonly handle: (call: ExtraCall) => ServerResponse | Promise<ServerResponse>
}

/** What an extra route is given. */
export interface ExtraCall {
  readonly request: ServerRequest
  /** Undefined on an anonymous route. */
  readonly principal: Principal | undefined
  /** Address of the service's root as callers know it. */
  readonly serviceUrl: string
  /** Headers that every response carries. */
  readonly headers: Record<string, string>
  /** Sends a request through the service, as a batch does with its parts. */
  readonly dispatch: (incoming: ServerRequest) => Promise<ServerResponse>
}
