/** A request with all that it carries, credential and all. */
export interface OutgoingRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** What one request brought, redirect or not. */
export interface IncomingAnswer {
  readonly status: number
  /** By name in lower case; what came more than once is joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Absent when it is longer than allowed. */
  readonly text: string | undefined
}

/** A request that was sent. */
export interface Sending {
  /** Rejects when there is no connection, or it breaks. */
  readonly answer: Promise<IncomingAnswer>
  /** Gives it up. Its answer need not settle. */
  readonly cancel: () => void
}

/** Sends one request and follows no redirect. @param bodyLimit bytes of a body that are read at most, unpacked */
export type Sender = (request: OutgoingRequest, bodyLimit: number) => Sending
