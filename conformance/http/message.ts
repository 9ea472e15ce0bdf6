import type { QueryOptions } from '../../runtime/query/index.js'
import type { Json } from '../json.js'

/** One request as the judge means it: plain data, before it becomes HTTP. */
export interface TestRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS'
  /** Below the service's root and percent-encoded, `/users/a%20b`; or, in a next link, the whole address. */
  readonly path: string
  readonly options?: QueryOptions
  /** Query text as it stands, without `?`: what no tree can say. Follows `options` when both are given. */
  readonly rawQuery?: string
  /** Beside those that every request carries. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: Json
  /** Sent as it stands. */
  readonly rawBody?: string
  /** Default: `own`, the credential that the judge was given. */
  readonly credential?: 'own' | 'none' | 'broken'
}

/** Why there is no usable answer. None of these is ever a service's fault in the sense of a rule. */
export type TransportError = 'unreachable' | 'timeout' | 'tooLarge' | 'interrupted' | 'tooManyRedirects'

/** What came back for one request. */
export interface TestResponse {
  readonly testRequest: TestRequest
  /** The request as it went out; `url` is absolute, headers have no credential. */
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }
  /** 0 when there is `trouble`. */
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body; absent when it is empty or no JSON. */
  readonly json?: unknown
  readonly transportError?: TransportError
  /** It may be about who asks, though its status is 404: the engine says so of endpoints that were never seen to answer. */
  readonly mayHideForbidden?: boolean
  /** What the network said, when it is known: `ECONNREFUSED`. */
  readonly detail?: string
  /** Position among all requests of the run, from 1. */
  readonly number: number
  readonly milliseconds: number
}
