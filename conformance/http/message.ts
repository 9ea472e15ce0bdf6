import type { QueryOptions } from '../../runtime/query/index.js'
import type { Json } from '../json.js'
import type { Credential } from './credentials.js'

/** A request as the suite describes it: plain data, independent of HTTP syntax. */
export interface TestRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS'
  /**
   * Relative to the service root and percent-encoded, such as `/users/a%20b`. For a next link, the absolute address.
   */
  readonly path: string
  readonly options?: QueryOptions
  /** Raw query text without `?`, for what a syntax tree cannot express. Follows `options` if both are given. */
  readonly rawQuery?: string
  /** In addition to the default headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: Json
  /** Sent unchanged. */
  readonly rawBody?: string
  /** In how many chunks to send the body (RFC 9112, 7.1). Default: as a whole, with its length. */
  readonly chunks?: number
  /** Which credential to send. Default: `own`, the configured one. */
  readonly credential?: Credential
}

/** Why there is no usable response. None of these is a violation by itself. */
export type TransportError = 'unreachable' | 'timeout' | 'tooLarge' | 'interrupted' | 'tooManyRedirects'

/** The response to one request, or the reason why there is none. */
export interface TestResponse {
  readonly testRequest: TestRequest
  /** The request as sent. `url` is absolute; `headers` have no credentials. */
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }
  /** 0 if there is a `transportError`. */
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body; absent if it is empty or not JSON. */
  readonly json?: unknown
  /** Whether the body begins with a byte order mark, which `text` lacks. */
  readonly hasByteOrderMark?: true
  readonly transportError?: TransportError
  /** The 404 may stand for 403. The engine sets this at endpoints that have never returned anything. */
  readonly mayHideForbidden?: boolean
  /** The network error code if known, such as `ECONNREFUSED`. */
  readonly detail?: string
  /** Sequence number within the run, starting at 1. */
  readonly number: number
  readonly milliseconds: number
}
