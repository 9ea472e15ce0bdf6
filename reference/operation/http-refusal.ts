/**
 * Why a message is refused before the service sees it: what HTTP itself demands, which no spec declares. The answer has
 * the shape of all other errors.
 */
export interface HttpRefusal {
  readonly status: number
  /** The reason phrase, `Bad Request`. */
  readonly reason: string
  readonly code: string
  readonly message: string
}

const badRequest = { status: 400, reason: 'Bad Request', code: 'BadRequest' } as const

/** @see RFC 9112, 3.2 (Host), 6.3 (message body length); RFC 9110, 9.3.6 (CONNECT), 10.1.1 (Expect), 15.5.9, 15.5.15 */
export const httpRefusals = {
  malformed: { ...badRequest, message: 'The request is not well-formed HTTP/1.1.' },
  host: { ...badRequest, message: 'A request of HTTP/1.1 has one header Host, with the name that the caller used.' },
  expectation: {
    status: 417,
    reason: 'Expectation Failed',
    code: 'ExpectationFailed',
    message: 'The header Expect can ask for 100-continue only.',
  },
  tunnel: {
    status: 405,
    reason: 'Method Not Allowed',
    code: 'notAllowed',
    message: 'This is no proxy: CONNECT is not allowed.',
  },
  tooLong: {
    status: 414,
    reason: 'URI Too Long',
    code: 'UriTooLong',
    message: 'The request line and the header fields are too long.',
  },
  timeout: {
    status: 408,
    reason: 'Request Timeout',
    code: 'RequestTimeout',
    message: 'The request did not come to its end in time.',
  },
} as const satisfies Readonly<Record<string, HttpRefusal>>

/** The body of the answer, as it is sent. */
export function refusalBody({ code, message }: HttpRefusal): string {
  return JSON.stringify({ error: { code, message } })
}
