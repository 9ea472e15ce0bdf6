import type { RequestHead } from './request-head.js'

/** A request as it comes in from any server: its head, where it was sent, and a body that is read only when wanted. */
export interface Incoming {
  readonly head: RequestHead
  /** Scheme and authority, `https://example.com`. */
  readonly origin: string
  /** Path and query as they were sent, `/v1.0/users?$top=5`; or `*`, which stands for the server as such. */
  readonly target: string
  /** The whole body; `tooLarge` as soon as it exceeds `limit` bytes. */
  readonly readBody: (limit: number) => Promise<Uint8Array | 'tooLarge'>
}
