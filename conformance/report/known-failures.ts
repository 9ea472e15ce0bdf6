import { visibleText } from '../../spec/language/index.js'
import { matchesWildcard } from '../engine/select-rules.js'
import type { KnownFailure } from '../options.js'
import type { KnownFailureResult, RuleResult, Violation } from './report.js'

/** What identifies a violation. */
type Identity = Pick<Violation, 'fingerprint' | 'rule' | 'site'>

/** Whether a list entry accepts a violation: by its fingerprint, or by its rule and site. */
export function accepts(failure: KnownFailure, { fingerprint, rule, site }: Identity): boolean {
  return (failure.fingerprint !== undefined && failure.fingerprint === fingerprint) || isAt(failure, { rule, site })
}

function isAt({ rule, site = '*' }: KnownFailure, at: Pick<Violation, 'rule' | 'site'>): boolean {
  return matchesWildcard(rule, at.rule) && matchesWildcard(site, at.site)
}

/** The state of each known failure. */
export function knownFailureResults(
  failures: readonly KnownFailure[],
  violations: readonly Violation[],
  rules: readonly RuleResult[],
): readonly KnownFailureResult[] {
  return failures.map(failure => ({
    rule: failure.rule,
    ...(failure.site === undefined ? {} : { site: failure.site }),
    ...(failure.fingerprint === undefined ? {} : { fingerprint: failure.fingerprint }),
    reason: failure.reason,
    state: stateOf(failure, violations, rules),
  }))
}

function stateOf(
  failure: KnownFailure,
  violations: readonly Violation[],
  rules: readonly RuleResult[],
): KnownFailureResult['state'] {
  const isSeen = violations.some(
    violation => accepts(failure, violation) || violation.also.some(each => isAt(failure, each)),
  )
  if (isSeen) return 'seen'
  const meant = rules.filter(({ rule }) => matchesWildcard(failure.rule, rule))
  if (meant.length === 0) return 'unknown'
  return meant.some(result => isAt(failure, result) && result.state === 'passed') ? 'fixed' : 'not-exercised'
}

/**
 * The violations of a report as a list of known failures, in YAML with one entry on each line. A violation that is known
 * keeps its reason.
 */
export function renderKnownFailures(violations: readonly Violation[]): string {
  const lines = violations.map(({ rule, site, fingerprint, message, known }) => {
    const reason = known ?? `To do: say why it is accepted. Found: ${message}`
    const entry = { rule, ...(site === '' ? {} : { site }), fingerprint, reason }
    return `- ${visibleText(JSON.stringify(entry))}`
  })
  return lines.length === 0 ? '[]\n' : `${lines.join('\n')}\n`
}
