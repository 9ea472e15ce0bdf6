import type { Incoming } from './incoming.js'
import type { Outgoing } from './outgoing.js'
import type { Principal } from './principal.js'

/** A resource beside the spec's paths: a metadata document, a batch endpoint, a health probe. */
export interface ExtraRoute {
  readonly method: 'GET' | 'POST'
  /** Exact, from the server's root on: `/v1.0/$metadata`, `/healthz`. */
  readonly path: string
  /** Whether it answers callers without a credential. */
  readonly anonymous?: true
  readonly answer: (call: ExtraCall) => Outgoing | Promise<Outgoing>
}

/** What an extra route is given. */
export interface ExtraCall {
  readonly incoming: Incoming
  /** Undefined on an anonymous route. */
  readonly principal: Principal | undefined
  /** Address of the service's root as callers know it. */
  readonly serviceUrl: string
  /** Headers that every response carries. */
  readonly headers: Record<string, string>
  /** Sends a request through the service, as a batch does with its parts. */
  readonly dispatch: (incoming: Incoming) => Promise<Outgoing>
}
