import type { FailureDetails } from './failure.js'
import type { Principal } from './principal.js'
import type { RequestHead } from './request-head.js'

/**
 * What every handler is given. By the time it runs, the core has checked the caller's scopes, the keys, the query
 * options against what the endpoint declares, and the body against its type; the call of each handler adds those, typed.
 */
export interface Call<Context, Errors extends string> {
  readonly principal: Principal
  /** What the `context` option made for this request. */
  readonly context: Context
  readonly request: RequestHead
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
  /** Answers with an error that this operation declares. It throws, so nothing after it runs. */
  fail(error: Errors, given?: FailureDetails): never
  /** Answers 501: this part of the handler is not written yet. It throws, so nothing after it runs. */
  notImplemented(): never
}
