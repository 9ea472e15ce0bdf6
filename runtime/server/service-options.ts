import type { MaybePromise, Principal } from './handler.js'
import type { RequestHead, ServerRequest, ServerResponse } from './http/message.js'
import type { ServiceLimits } from './service-table.js'
import type { Telemetry } from './telemetry.js'

export interface ServiceOptions<Context> {
  /**
   * Identifies the caller by `Authorization` or another credential. Undefined: the caller is unknown, and the service
   * responds with 401. Optional if the spec declares no authentication.
   */
  readonly authenticate?: Authenticate
  /** Creates the `context` of the handlers, once per request. */
  readonly context?: (request: RequestHead, principal: Principal) => MaybePromise<Context>
  /**
   * The public URL of the service root, `https://api.example.com/v1.0`. Links start with it. Default: from the request.
   */
  readonly publicUrl?: string
  /** The path of the root on this server. Default: `/` and the version of the service. */
  readonly root?: string
  /**
   * Receives the unexpected errors of handlers and hooks. Callers see only an internal error, and the header `request-id`, which
   * is the third argument.
   */
  readonly onError?: (error: unknown, request: RequestHead, requestId?: string) => void
  /** Observes each request: `openTelemetry(api)`. */
  readonly telemetry?: Telemetry
  /** Limits that replace those of the spec, `{ filterNodes: 100 }`. */
  readonly limits?: Partial<ServiceLimits & BatchLimits>
  /** Runs the requests of an atomicity group of a batch. Absent: a group of several requests gets 501. */
  readonly atomically?: Atomically<Context>
  /** The functions that queries can call and that the spec does not define, by name. `listRows` calls them. */
  readonly functions?: object
  /** Resources that the spec does not contain. */
  readonly extraRoutes?: readonly ExtraRoute[]
}

/**
 * Runs work in one transaction, and rolls it back if the work rejects, with the same error. The work can get a function that creates
 * the context of the handlers, with the transaction in it:
 * `work => database.transaction().execute(transaction => work(() => ({ database: transaction })))`. Without one, the option
 * `context` creates it. `principal` is who sent the requests, and `bytes` what their bodies have.
 */
export type Atomically<Context> = <Value>(
  work: (context?: (request: RequestHead, principal: Principal) => MaybePromise<Context>) => Promise<Value>,
  principal?: Principal,
  bytes?: number,
) => Promise<Value>

/** What one batch may contain and return. */
export interface BatchLimits {
  /** Requests. */
  readonly batchRequests: number
  /** Bytes of all responses. Requests after that are not run. */
  readonly batchBytes: number
}

export interface SecuredServiceOptions<Context> extends ServiceOptions<Context> {
  readonly authenticate: Authenticate
}

/** Makes the option `context` required if the handlers use a context. */
export type RequiredContext<Context> = undefined extends Context ? unknown : { readonly context: unknown }

export type Authenticate = (request: RequestHead) => MaybePromise<Principal | undefined>

/** A resource that the spec does not contain: a metadata document, a batch endpoint, a health probe. */
export interface ExtraRoute {
  readonly method: 'GET' | 'POST'
  /** The complete path: `/v1.0/$metadata`, `/healthz`. */
  readonly path: string
  /** Whether callers without a credential have access. */
  readonly anonymous?: true
  readonly handle: (call: ExtraCall) => ServerResponse | Promise<ServerResponse>
}

export interface ExtraCall {
  readonly request: ServerRequest
  /** Undefined on an anonymous route. */
  readonly principal: Principal | undefined
  /** The public URL of the service root. */
  readonly serviceUrl: string
  readonly headers: Record<string, string>
  /** Sends a request to the service, as a batch does with its parts. */
  readonly dispatch: (request: ServerRequest) => Promise<ServerResponse>
}
