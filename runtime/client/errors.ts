/**
 * A code that the spec does not declare for the operation. Services grow codes, so every `code` may be one, and it is any
 * string; the type is a pattern that no code matches, so that comparing with a misspelt literal is a compile error.
 */
export type Undeclared = `${string} (undeclared)`

/** One more thing that was wrong, as the service tells it. */
export interface ErrorDetail {
  readonly code: string
  readonly message: string
  readonly target?: string
}

/** What an error answer holds. */
interface ErrorBody<Code extends string> {
  readonly code: Code | Undeclared
  readonly message: string
  readonly target?: string
  readonly details?: readonly ErrorDetail[]
  readonly innerError?: unknown
}

/**
 * The service answered with an error status, or with something other than JSON. `code` is one of the codes declared for
 * the operation, or {@link Undeclared}; it is empty when the answer has none, as that of a proxy: then `message` says the
 * status and how the answer begins.
 *
 * @see OData JSON Format 4.01, 21.1 (error response)
 */
export class ServiceError<Code extends string = string> extends Error {
  declare readonly name: 'ServiceError'
  declare readonly status: number
  declare readonly code: Code | Undeclared | ''
  /** The part of the request that is at fault. */
  declare readonly target: string | undefined
  declare readonly details: readonly ErrorDetail[]
  declare readonly innerError: unknown
  /** The answer; its body has been read. */
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

/** Throws the `TypeError` for something that cannot be sent or followed. */
export const throwTypeError = (expected: string, found: unknown): never => {
  throw new TypeError(`Expected ${expected}, found '${found}'.`)
}
