import type { Annotated } from './annotated.js'

export interface ErrorDocument extends Annotated {
  readonly status: number
  readonly code: string
  /** May hold `{placeholders}` that the service fills. */
  readonly message: string
  /** The statuses that another implementation may give instead, `4xx`, `501`; default: only `status`. */
  readonly legal?: readonly (number | '4xx' | '5xx')[]
}

export interface ErrorBodyDocument extends Annotated {
  /** Members of `error`: always there, and maybe there. */
  readonly required?: readonly string[]
  readonly optional?: readonly string[]
}

/** What can go wrong before a handler is asked, or without one. */
export type FaultName =
  | 'pathNotFound'
  | 'itemNotFound'
  | 'methodNotAllowed'
  | 'notAcceptable'
  | 'unsupportedMediaType'
  | 'malformedQueryOption'
  | 'unsupportedQueryOption'
  | 'malformedBody'
  | 'invalidBody'
  | 'malformedKey'
  | 'invalidParameter'
  | 'malformedEntityTag'
  | 'preconditionFailed'
  | 'preconditionRequired'
  | 'conflict'
  | 'expiredToken'
  | 'payloadTooLarge'
  | 'uriTooLong'
  | 'tooManyRequests'
  | 'notImplemented'
  | 'internalError'
  | 'serviceUnavailable'
