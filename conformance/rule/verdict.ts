import type { TestResponse } from '../http/message.js'

/** The result of a check. */
export type Verdict =
  /**
   * `vacuous`: the check could not have failed, as for a filter that every row meets. `selected`: for each filter, the
   * share of the rows that it returned, from 0 to 1.
   */
  | { readonly kind: 'pass'; readonly vacuous?: boolean; readonly selected?: readonly number[] }
  | { readonly kind: 'fail'; readonly finding: Finding }
  /** Rejected with a well-formed error, which the spec allows. `constructs`: what the query used. */
  | { readonly kind: 'unsupported'; readonly constructs: readonly string[] }
  /** There is no evidence either way: a transport error, changed data, or an unknown choice. */
  | { readonly kind: 'inconclusive'; readonly why: string }

/** What is wrong, with the evidence. */
export interface Finding {
  /** One sentence: what the service did wrong. */
  readonly message: string
  readonly expected: string
  readonly received: string
  /** Keys of rows that are missing, and of rows that must not be there. */
  readonly missing?: readonly string[]
  readonly surplus?: readonly string[]
  /** An explanation in lines, such as the value of each sub-expression on a row. */
  readonly why?: readonly string[]
  /** The exchanges that show it, the most informative first. */
  readonly answers: readonly TestResponse[]
  /**
   * What the bug is related to: `filter.contains`, `type.String`, `null`. Findings of one area with the same features
   * count as one bug, whatever their site and rule.
   */
  readonly features: readonly string[]
  /** Features that would each explain the finding on their own, if known. `features` names the most likely one. */
  readonly explanations?: readonly string[]
}

/** The verdict of a check that found something wrong. */
export function failure(finding: Finding): Extract<Verdict, { readonly kind: 'fail' }> {
  return { kind: 'fail', finding }
}

/** Fails with a finding, and passes without one. */
export function verdictOf(finding: Finding | undefined): Verdict {
  return finding === undefined ? { kind: 'pass' } : failure(finding)
}
