import type { Ask } from './ask.js'

/** Why there is no usable answer. None of these is ever a service's fault in the sense of a rule. */
export type Trouble = 'unreachable' | 'timeout' | 'tooLarge' | 'interrupted' | 'tooManyRedirects'

/** What came back for one request. */
export interface Answer {
  readonly ask: Ask
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
  readonly trouble?: Trouble
  /** It may be about who asks, though its status is 404: the engine says so of endpoints that were never seen to answer. */
  readonly isOutOfReach?: boolean
  /** What the network said, when it is known: `ECONNREFUSED`. */
  readonly detail?: string
  /** Position among all requests of the run, from 1. */
  readonly number: number
  readonly milliseconds: number
}
