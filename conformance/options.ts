import type { Service } from '../spec/language/index.js'
import type { Journal } from './writes/journal.js'

/** What is judged, and how. */
export interface ConformanceOptions {
  /** A described service, or the path of its spec. */
  readonly spec: Service | string
  /**
   * Where the service is: the address of its root, version included, without a query (`http://localhost:8080/v1.0`); or a
   * function that answers requests, for a service in the same process.
   */
  readonly target: string | URL | ((request: Request) => Promise<Response>)
  /** Bearer token. Never shown: where a service echoes it, `‹redacted›` stands in the report, unless it has less than 4 letters. */
  readonly token?: string
  /** Sent with every request; never shown, as the token. */
  readonly headers?: Readonly<Record<string, string>>
  /** Rules may create, and change and delete what they created. Default: read only. */
  readonly allowWrites?: boolean
  /** The same seed on the same data sends the same requests. Default: a random one, in the report. */
  readonly seed?: number
  /** Most requests to send. Default 2,000. */
  readonly requests?: number
  /** Most seconds to take. Default 600. */
  readonly time?: number
  /** Most cases a rule is tried with on one site. Default: as many as the budget allows. */
  readonly runs?: number
  /** Ids of rules or areas, `*` allowed. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** Name of a profile of the spec: its choices become demands. */
  readonly profile?: string
  readonly knownFailures?: readonly KnownFailure[]
  /** What a violation of an earlier report says under `replay`: only that is tried. */
  readonly replay?: string
  /** Most requests a second. Default: no limit. */
  readonly rate?: number
  /** Most requests at once. Default 4. */
  readonly concurrency?: number
  /** Most rows read of a collection. Default 2,000. */
  readonly maxRows?: number
  /** Milliseconds after which an answer is given up. Default 30,000. */
  readonly timeout?: number
  /** Ids of misreadings that filters are planned without: measures how faults are found that no plan knows of. */
  readonly excludedBugModels?: readonly string[]
  /** Where created items are noted before they are created. Default: in memory only. */
  readonly journal?: Journal
  readonly onProgress?: (progress: Progress) => void
  /** Ends the run early; what was found by then is reported, and what was created is removed. */
  readonly signal?: AbortSignal
  /** Milliseconds that never run backwards. Default: `performance.now`. */
  readonly now?: () => number
}

/** Options that cannot be used: no such rule, a spec with errors, an address that is none. The message says what to do. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
}

/** A violation that is known, and for now accepted. It is still looked for, and reported when it is gone. */
export interface KnownFailure {
  /** Id of a rule, `*` allowed. */
  readonly rule: string
  /** Id of a site, `*` allowed. Default: any. */
  readonly site?: string
  readonly reason: string
}

/** The part of a run that is under way. */
export type Phase =
  | 'discover'
  | 'harvest'
  | 'calibrate'
  | 'plan'
  | 'judge'
  | 'confirm'
  | 'reduce'
  | 'clean up'
  | 'report'

/** How far a run has come. */
export interface Progress {
  readonly phase: Phase
  readonly rulesExercised: number
  readonly rules: number
  readonly requests: number
  readonly requestLimit: number
  readonly violations: number
  /** Seconds since the start, and how many are left at the present pace. */
  readonly elapsed: number
  readonly left?: number
}
