/**
 * A code that the spec does not declare for the operation. Services add codes over time, so any string is possible. The
 * type is a pattern that no real code matches, so comparing with a misspelled code is a compile error.
 */
export type Undeclared = `${string} (undeclared)`

export interface ErrorDetail {
  readonly code: string
  readonly message: string
  readonly target?: string
}

/** The `error` object of an error response. */
interface ErrorBody<Code extends string> {
  readonly code: Code | Undeclared
  readonly message: string
  readonly target?: string
  readonly details?: readonly ErrorDetail[]
  readonly innerError?: unknown
}

/**
 * The service returned an error status, or a body that isn't JSON. `code` is one of the codes that the spec declares
 * for the operation, or {@link Undeclared}. If the response has no code, for example because it comes from a proxy,
 * `code` is empty and `message` contains the status and the start of the body.
 *
 * @see OData JSON Format 4.01, 21.1 (error response)
 */
export class ServiceError<Code extends string = string> extends Error {
  declare readonly name: 'ServiceError'
  declare readonly status: number
  declare readonly code: Code | Undeclared | ''
  /** The part of the request that caused the error. */
  declare readonly target: string | undefined
  declare readonly details: readonly ErrorDetail[]
  declare readonly innerError: unknown
  /** The response. Its body has already been read. */
  declare readonly response: Response

  constructor(response: Response, body: Partial<ErrorBody<Code>> | undefined, text: string) {
    const { status } = response
    const {
      code = '',
      message = `HTTP ${status}: ${text.slice(0, 200)}`,
      target,
      details = [],
      innerError,
    } = body ?? {}
    super(message)
    Object.assign(this, { name: 'ServiceError', status, code, target, details, innerError, response })
  }
}

/** Throws a `TypeError` for a value that can't be sent or a link that can't be followed. */
export const throwTypeError = (expected: string, found: unknown): never => {
  throw new TypeError(`Expected ${expected}, found '${found}'.`)
}
