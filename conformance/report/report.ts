import type { Area } from '../rule/rule.js'

/**
 * What a run found: plain data, the source of every rendering. Where a service echoed the token or a header that was given,
 * `‹redacted›` stands in its place.
 */
export interface Report {
  readonly version: 1
  readonly verdict: ReportVerdict
  /** One sentence that says why the verdict is what it is. */
  readonly summary: string
  readonly service: { readonly name: string; readonly title: string; readonly version: string; readonly spec?: string }
  readonly target: string
  readonly seed: number
  /** ISO 8601. */
  readonly started: string
  readonly seconds: number
  readonly requests: number
  readonly allowWrites: boolean
  readonly violations: readonly Violation[]
  readonly rules: readonly RuleResult[]
  readonly sites: readonly SiteResult[]
  readonly choices: readonly ChoiceResult[]
  readonly knownFailures: readonly KnownFailureResult[]
  /** Faults of wrong implementations that these data could not have shown: what they lack. */
  readonly undetectableBugs: readonly string[]
  /** Addresses of created items that could not be removed. */
  readonly leftovers: readonly string[]
}

/**
 * `conforms`: every rule that the data allow was exercised, none was violated. `violations`: at least one, not all known.
 * `unreachable`: no connection, or no such service. `refused`: the credential is not accepted. `hollow`: too little could
 * be exercised to say anything. `stale`: a known failure is none any more. `interrupted`: stopped before it could tell.
 */
export type ReportVerdict = 'conforms' | 'violations' | 'unreachable' | 'refused' | 'hollow' | 'stale' | 'interrupted'

/** One fault, with its smallest example. */
export interface Violation {
  /** Stable over runs: the same fault has the same one. */
  readonly fingerprint: string
  readonly rule: string
  readonly area: Area
  readonly severity: 'must' | 'should'
  readonly statement: string
  /** The sentences of the interface, with their sections. */
  readonly clauses: readonly { readonly id: string; readonly ref: string; readonly quote: string }[]
  readonly site: string
  /** Other sites and rules on which the same was seen, and how often in all. */
  readonly also: readonly { readonly rule: string; readonly site: string }[]
  readonly times: number
  readonly message: string
  readonly expected: string
  readonly received: string
  readonly missing: readonly string[]
  readonly surplus: readonly string[]
  readonly why: readonly string[]
  readonly features: readonly string[]
  readonly exchanges: readonly ReportedExchange[]
  /** How it was confirmed: `seen again 2 of 2 times, the data unchanged before and after`. */
  readonly confirmed: string
  readonly reduced: { readonly from: number; readonly to: number; readonly requests: number }
  /** For `--replay`. Absent when no request makes it again by itself, or a credential would stand in it. */
  readonly replay?: string
  /** Where the spec says what was violated. */
  readonly pointer?: string
  /** Accepted by a known failure, with its reason. */
  readonly known?: string
}

export interface ReportedExchange {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** A line for a shell; the credential is `$TOKEN`. */
  readonly curl: string
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  /** Shortened to 4,000 characters. */
  readonly answer: string
}

export type RuleState =
  | 'passed'
  | 'violated'
  | 'known'
  | 'flaky'
  | 'inconclusive'
  | 'unsupported'
  | 'not-exercised'
  | 'not-applicable'

/** One rule on one site, or, with an empty site, on the service. */
export interface RuleResult {
  readonly rule: string
  readonly area: Area
  readonly severity: 'must' | 'should'
  readonly statement: string
  readonly site: string
  readonly state: RuleState
  readonly checks: number
  /** Checks that told nothing apart. */
  readonly vacuous: number
  /** Of rules about filters: how many of the rows the filters selected. Absent where no check told rows apart. */
  readonly selectivity?: Selectivity
  readonly requests: number
  /** Why it was not exercised, or is inconclusive; and what would enable it. */
  readonly why?: string
}

/** Shares of the rows of a collection, 0 to 1, that the filters of the checks selected; checks that told nothing apart left out. */
export interface Selectivity {
  readonly least: number
  readonly median: number
  readonly most: number
}

export interface SiteResult {
  readonly site: string
  readonly method: string
  readonly template: string
  readonly path: string
  /** Rows harvested; absent where none are read. */
  readonly rows?: number
  readonly complete?: boolean
  /** Constructs that it refused though it may support them. */
  readonly unsupported: readonly string[]
  /** Why it could not be judged. */
  readonly why?: string
}

export interface ChoiceResult {
  readonly name: string
  readonly description?: string
  readonly ref?: string
  readonly legal: readonly (string | number)[]
  readonly value?: string | number
  readonly reference: string | number
  readonly evidence: readonly string[]
  readonly undecided?: string
}

export interface KnownFailureResult {
  readonly rule: string
  readonly site?: string
  readonly reason: string
  /** `seen`: still violated. `fixed`: exercised, and not violated. `not-exercised`: could not be tried. `unknown`: no such rule. */
  readonly state: 'seen' | 'fixed' | 'not-exercised' | 'unknown'
}
