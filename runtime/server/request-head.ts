/**
 * A request without its body, which the core has read: what hooks and handlers see. Every `Request` is one; a server
 * that does not speak `Request` need not build it.
 */
export interface RequestHead {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: {
    /** The value, several joined by `, `, or null; the name in any letter case. */
    get(name: string): string | null
  }
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
}
