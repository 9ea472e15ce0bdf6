import type { Service } from '../spec/language/index.js'
import type { Journal } from './writes/journal.js'

/** What to check, and how. */
export interface ConformanceOptions {
  /** A loaded service, or the path of its spec. */
  readonly spec: Service | string
  /**
   * The address of the service root, including the version but without a query (`http://localhost:8080/v1.0`). Or a
   * function that answers requests, for a service in the same process.
   */
  readonly target: string | URL | ((request: Request) => Promise<Response>)
  /**
   * Bearer token. The report never shows it: where a service echoes it, the report says `‹redacted›`, unless the token
   * has fewer than 4 characters.
   */
  readonly token?: string
  /** Sent with every request. The report hides the values, as it does the token. */
  readonly headers?: Readonly<Record<string, string>>
  /** Rules may create items, and change and delete the items they created. Default: read only. */
  readonly allowWrites?: boolean
  /** With `allowWrites`: rules may also create items that no endpoint can delete. They remain. Default: they do not. */
  readonly allowLeftovers?: boolean
  /**
   * With `allowWrites`: rules may also change existing items that no endpoint creates, such as a singleton. They set the old
   * values again. Default: they do not.
   */
  readonly allowChanges?: boolean
  /** The same seed on the same data sends the same requests. Default: a random seed; the report names it. */
  readonly seed?: number
  /** Maximum number of requests. Default: 2,000. */
  readonly requests?: number
  /** Maximum duration in seconds. Default: 600. */
  readonly time?: number
  /** Maximum number of cases per rule and site. Default: as many as the budget allows. */
  readonly runs?: number
  /** Ids of rules or areas; `*` is a wildcard. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** Name of a profile of the spec. Its choices become requirements. */
  readonly profile?: string
  /**
   * The least coverage in percent: how many of the aspects that the spec declares for endpoints must be checked. With
   * less, the verdict is `insufficient-coverage`. Default: no minimum.
   */
  readonly requireCoverage?: number
  readonly knownFailures?: readonly KnownFailure[]
  /** The `replay` token of a violation in an earlier report. Only that case runs. */
  readonly replay?: string
  /** Maximum requests per second. Default: no limit. */
  readonly rate?: number
  /** Maximum concurrent requests. Default: 4. */
  readonly concurrency?: number
  /** Maximum number of rows to read per collection. Default: 2,000. */
  readonly maxRows?: number
  /** Milliseconds to wait for a response. Default: 30,000. */
  readonly timeout?: number
  /**
   * Ids of bug models that the planner ignores. Use it to measure how many bugs the suite finds without a model of
   * them.
   */
  readonly excludedBugModels?: readonly string[]
  /**
   * Choices that the suite does not learn. Use it to test that the suite reports nothing that rests on a choice it does
   * not know.
   */
  readonly excludedChoices?: readonly string[]
  /** Records items before they are created. Default: in memory only. */
  readonly journal?: Journal
  readonly onProgress?: (progress: Progress) => void
  /** Ends the run early. The report holds what was found so far, and the run deletes what it created. */
  readonly signal?: AbortSignal
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

/**
 * The options are unusable: an unknown rule, a spec with errors, an invalid address. The message says how to fix them.
 */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
}

/**
 * A violation that you accept for now: the one with the fingerprint, or those of the rule at the site. The suite still
 * checks it, and reports when it no longer occurs.
 */
export interface KnownFailure {
  /** Rule id; `*` is a wildcard. */
  readonly rule: string
  /** Site id; `*` is a wildcard. Default: any site. */
  readonly site?: string
  /** Of a violation in an earlier report. */
  readonly fingerprint?: string
  readonly reason: string
}

/** The current part of a run. */
export type Phase =
  | 'discover'
  | 'harvest'
  | 'calibrate'
  | 'plan'
  | 'check'
  | 'confirm'
  | 'reduce'
  | 'clean up'
  | 'report'

/** Progress of a run. */
export interface Progress {
  readonly phase: Phase
  readonly rulesExercised: number
  readonly rules: number
  readonly requests: number
  readonly requestLimit: number
  readonly violations: number
  /** Seconds since the start, and the estimated seconds left. */
  readonly elapsed: number
  readonly left?: number
}
