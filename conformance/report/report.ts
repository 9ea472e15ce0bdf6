import type { Coverage } from '../coverage/coverage-table.js'
import type { Area } from '../rule/rule.js'

/**
 * The result of a run as plain data; every output format derives from it. Where a service echoed a configured
 * credential, the text says `‹redacted›`.
 */
export interface Report {
  readonly version: 1
  readonly verdict: ReportVerdict
  /** One sentence that explains the verdict. */
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
  readonly coverage: Coverage
  /** What a reader should know beside the verdict: sentences. */
  readonly notes: readonly string[]
  readonly choices: readonly ChoiceResult[]
  readonly knownFailures: readonly KnownFailureResult[]
  /** Bug models that no filter could detect with these data. */
  readonly undetectableBugs: readonly string[]
  /** Addresses of created items that could not be deleted. */
  readonly leftovers: readonly string[]
}

/**
 * `conforms`: no rule was violated, and each endpoint and each aspect that the spec declares was checked somewhere.
 * `partial`: no rule was violated, but some endpoint or aspect was checked nowhere. `violations`: at least one violation
 * that is not known. `unreachable`: no connection, or a different service. `refused`: the credential is not accepted.
 * `insufficient-coverage`: too few rules were exercised, or less was checked than required. `stale`: a known failure now
 * passes, or names no rule. `interrupted`: stopped too early.
 */
export type ReportVerdict =
  | 'conforms'
  | 'partial'
  | 'violations'
  | 'unreachable'
  | 'refused'
  | 'insufficient-coverage'
  | 'stale'
  | 'interrupted'

/** One violation, with its smallest example. */
export interface Violation {
  /** Stable across runs. */
  readonly fingerprint: string
  readonly rule: string
  readonly area: Area
  readonly severity: 'must' | 'should'
  readonly statement: string
  /** The relevant sentences of the interface, or of a standard if the spec has no clause on them. */
  readonly clauses: readonly ReportedClause[]
  readonly site: string
  /** Other sites and rules that showed it, and how often in total. */
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
  /** For `--replay`. Absent if no request reproduces it on its own, or the token would contain a secret. */
  readonly replay?: string
  /** A JSON Pointer to what the spec says about it. */
  readonly pointer?: string
  /** The reason of the known failure that accepts it. */
  readonly known?: string
}

/** A sentence that a violation contradicts. */
export interface ReportedClause {
  /** The name of the clause in the spec, or of the aspect that the standard describes. */
  readonly id: string
  /** The section of the interface, or of the standard: `OData 4.01 Protocol, 11.2.6.1`. */
  readonly ref: string
  readonly quote: string
  readonly source: 'interface' | 'standard'
}

export interface ReportedExchange {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** A shell command; the credential is `$TOKEN`. */
  readonly curl: string
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  /** Truncated to 4,000 characters. */
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

/** One rule on one site. The site is empty for rules about the whole service. */
export interface RuleResult {
  readonly rule: string
  readonly area: Area
  readonly severity: 'must' | 'should'
  readonly statement: string
  readonly site: string
  readonly state: RuleState
  readonly checks: number
  /** Checks that could not have failed. */
  readonly vacuous: number
  /** How many of the rows the filters selected, for rules about filters. Absent if all checks were vacuous. */
  readonly selectivity?: Selectivity
  readonly requests: number
  /** Why it was not exercised or is inconclusive, and what would change that. */
  readonly why?: string
}

/** The shares of the rows, from 0 to 1, that filters selected in checks that were not vacuous. */
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
  /** Number of harvested rows; absent if the site has none. */
  readonly rows?: number
  readonly complete?: boolean
  /** Constructs that it rejected, which the spec allows. */
  readonly unsupported: readonly string[]
  /** Why it could not be checked. */
  readonly why?: string
}

export interface ChoiceResult {
  readonly name: string
  readonly description?: string
  readonly ref?: string
  readonly legal: readonly (string | number)[]
  readonly value?: string | number
  readonly reference: string | number
  /** The values by place, if the service chooses differently in different places. */
  readonly differing?: readonly { readonly where: string; readonly value: string | number }[]
  readonly evidence: readonly string[]
  readonly undecided?: string
}

export interface KnownFailureResult {
  readonly rule: string
  readonly site?: string
  readonly fingerprint?: string
  readonly reason: string
  /**
   * `seen`: still violated. `fixed`: exercised and not violated. `not-exercised`: could not be checked. `unknown`: no
   * such rule.
   */
  readonly state: 'seen' | 'fixed' | 'not-exercised' | 'unknown'
}

/** Longer values of URL parameters are shortened in texts for people. */
const maxParameter = 100
const systemOptions = 'filter|orderby|select|expand|search|compute|apply'

/** Shortens parameters of URLs that nobody reads, such as the token of a next link. Queries stay whole. */
export function shortenLinks(text: string): string {
  const parameter = new RegExp(
    `([?&](?!(?:\\$|%24)(?:${systemOptions})=)[^=&\\s'"]{1,100}=)([^&\\s'"]{${maxParameter + 1},})`,
    'gi',
  )
  return text.replaceAll(parameter, (_, name: string, value: string) => {
    return `${name}${value.slice(0, 24)}…(${value.length} characters)`
  })
}

/**
 * Disarms commands to a CI runner in a text for its log: `::add-mask::` at the start of a line, and `##[group]` or
 * `##vso[task.setvariable]` anywhere.
 */
export function disarmCommands(text: string): string {
  return text.replaceAll(/^(\s*)::/gm, String.raw`$1\::`).replaceAll(/##(?=\[|vso\[)/gi, String.raw`#\#`)
}
