/** A call on its way to the service. */
export interface Call {
  readonly method: string
  readonly url: string
  /** What it needs beside what every call carries; without value: not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Sent as JSON; undefined: no body. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}
