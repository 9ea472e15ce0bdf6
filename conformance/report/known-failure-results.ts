import { matches } from '../engine/matches.js'
import type { KnownFailure } from '../known-failure.js'
import type { KnownFailureResult, RuleResult, Violation } from './report.js'

/** What became of each known failure. */
export function knownFailureResults(
  failures: readonly KnownFailure[],
  violations: readonly Violation[],
  rules: readonly RuleResult[],
): readonly KnownFailureResult[] {
  return failures.map(failure => ({
    rule: failure.rule,
    ...(failure.site === undefined ? {} : { site: failure.site }),
    reason: failure.reason,
    state: stateOf(failure, violations, rules),
  }))
}

function stateOf(
  failure: KnownFailure,
  violations: readonly Violation[],
  rules: readonly RuleResult[],
): KnownFailureResult['state'] {
  const fits = ({ rule, site }: { readonly rule: string; readonly site: string }): boolean =>
    matches(failure.rule, rule) && matches(failure.site ?? '*', site)
  if (violations.some(violation => fits(violation) || violation.also.some(fits))) return 'seen'
  const meant = rules.filter(({ rule }) => matches(failure.rule, rule))
  if (meant.length === 0) return 'unknown'
  return meant.some(result => fits(result) && result.state === 'passed') ? 'fixed' : 'not-exercised'
}
