import type { Answer } from '../http/answer.js'

/** What a check came to. */
export type Verdict =
  /**
   * `trivial`: nothing was told apart, such as a filter that every row meets. `selected`: of each filter that was asked, the
   * share of the rows that it gave, 0 to 1.
   */
  | { readonly kind: 'pass'; readonly trivial?: boolean; readonly selected?: readonly number[] }
  | { readonly kind: 'fail'; readonly finding: Finding }
  /** Refused with an error in the declared shape, which the spec allows here. `constructs`: what was asked. */
  | { readonly kind: 'unsupported'; readonly constructs: readonly string[] }
  /** It could not be told: trouble on the way, data that changed, a choice that is not known. */
  | { readonly kind: 'inconclusive'; readonly why: string }

/** What is wrong, with its evidence. */
export interface Finding {
  /** One sentence: what the service did that it must not. */
  readonly message: string
  readonly expected: string
  readonly received: string
  /** Keys of rows that should be there, and of rows that should not. */
  readonly missing?: readonly string[]
  readonly surplus?: readonly string[]
  /** Line by line: which sub-expression is what on which row, and the like. */
  readonly why?: readonly string[]
  /** The exchanges that show it, the telling one first. */
  readonly answers: readonly Answer[]
  /**
   * What the fault has to do with, `filter.contains`, `type.String`, `null`: findings with the same features, on
   * whatever site and by whatever rule of the area, are taken for one fault.
   */
  readonly features: readonly string[]
  /** Features of which each alone would explain it, where it can be told; `features` names the likeliest. */
  readonly explanations?: readonly string[]
}
