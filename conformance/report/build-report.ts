import { createHash } from 'node:crypto'
import type { Service } from '../../spec/language/index.js'
import type { LearnedChoice } from '../choice/choices.js'
import { matches } from '../engine/matches.js'
import type { Unit } from '../engine/unit.js'
import type { RecordedViolation } from '../engine/violation-record.js'
import type { Answer } from '../http/answer.js'
import type { KnownFailure } from '../known-failure.js'
import type { Rule, RuleFacts, Watch } from '../rule/rule.js'
import { knownFailureResults } from './known-failure-results.js'
import { redacted } from './redacted.js'
import { type Redact, redactorOf } from './redactor-of.js'
import { type Replay, replayToken } from './replay-token.js'
import type { ChoiceResult, Report, RuleResult, RuleState, SiteResult, Violation } from './report.js'
import { reportedExchange } from './reported-exchange.js'
import { selectivityOf } from './selectivity-of.js'
import { verdictOf } from './verdict-of.js'

/** All that a run knows when it ends. */
export interface RunOutcome {
  readonly service: Service
  readonly spec?: string | undefined
  readonly target: string
  readonly seed: number
  readonly started: Date
  readonly seconds: number
  readonly requests: number
  readonly allowWrites: boolean
  readonly rules: readonly (Rule | Watch)[]
  readonly units: readonly Unit[]
  /** Whether the run came as far as to say what is to be tried. */
  readonly isPlanned: boolean
  readonly looks: (watch: Watch) => number
  readonly violations: readonly RecordedViolation[]
  readonly sites: readonly SiteResult[]
  readonly choices: readonly LearnedChoice[]
  readonly knownFailures: readonly KnownFailure[]
  readonly tooThinFor: readonly string[]
  readonly leftovers: readonly string[]
  /** Why nothing was judged, or the run broke off: there is no such service, or it was there no more. */
  readonly stopped?: { readonly verdict: 'unreachable' | 'refused'; readonly why: string } | undefined
  readonly interrupted: boolean
  readonly replay: Replay | undefined
  /** What may stand nowhere in the report. */
  readonly secrets: readonly string[]
}

/** Makes the report of a run. No secret is in it, even where the service echoed one. */
export function buildReport(outcome: RunOutcome): Report {
  const redact = redactorOf(outcome.secrets)
  return redacted(plainReport(outcome, redact), redact)
}

function plainReport(outcome: RunOutcome, redact: Redact): Report {
  const violations = outcome.violations.map(violation => reportedViolation(violation, outcome, redact))
  const rules = ruleResults(outcome)
  const knownFailures = knownFailureResults(outcome.knownFailures, violations, rules)
  const { verdict, summary } = verdictOf(outcome, violations, rules, knownFailures)
  const { service } = outcome
  return {
    version: 1,
    verdict,
    summary,
    service: {
      name: service.name,
      title: service.title,
      version: service.version,
      ...(outcome.spec === undefined ? {} : { spec: outcome.spec }),
    },
    target: outcome.target,
    seed: outcome.seed,
    started: outcome.started.toISOString(),
    seconds: Math.round(outcome.seconds * 100) / 100,
    requests: outcome.requests,
    allowWrites: outcome.allowWrites,
    violations,
    rules,
    sites: outcome.sites,
    choices: outcome.choices.map(choiceResult),
    knownFailures,
    tooThinFor: outcome.tooThinFor,
    leftovers: outcome.leftovers,
  }
}

function reportedViolation(
  violation: RecordedViolation,
  { service, knownFailures }: RunOutcome,
  redact: Redact,
): Violation {
  const { rule, site, finding } = violation
  const replay = violation.replay === undefined ? undefined : replayToken(violation.replay, redact)
  const known = knownFailures.find(
    failure => matches(failure.rule, rule.id) && matches(failure.site ?? '*', site?.id ?? ''),
  )
  const clauses = service.clauses.filter(({ id }) => rule.clauses.includes(id))
  const pointer = clauses[0]?.place.pointer ?? site?.endpoint.place.pointer
  return {
    fingerprint: createHash('sha256').update(violation.key).digest('hex').slice(0, 12),
    rule: rule.id,
    area: rule.area,
    severity: rule.severity,
    statement: rule.statement,
    clauses: clauses.map(({ id, ref, quote }) => ({ id, ref, quote })),
    site: site?.id ?? '',
    also: [...violation.also.values()],
    times: violation.times,
    message: finding.message,
    expected: finding.expected,
    received: finding.received,
    missing: finding.missing ?? [],
    surplus: finding.surplus ?? [],
    why: finding.why ?? [],
    features: [...new Set(finding.features)].sort(),
    exchanges: distinct(finding.answers).map(answer => reportedExchange(answer, redact)),
    confirmed: violation.confirmed,
    reduced: violation.reduced,
    ...(replay === undefined ? {} : { replay }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(known === undefined ? {} : { known: known.reason }),
  }
}

/** Each request once. */
function distinct(answers: readonly Answer[]): readonly Answer[] {
  const byRequest = new Map<string, Answer>()
  for (const answer of answers) {
    const id = JSON.stringify(answer.request)
    if (!byRequest.has(id)) byRequest.set(id, answer)
  }
  return [...byRequest.values()]
}

function ruleResults(outcome: RunOutcome): readonly RuleResult[] {
  return outcome.rules.flatMap(rule => {
    if (rule.kind === 'watching') return [watchResult(rule, outcome)]
    const units = outcome.units.filter(unit => unit.rule === rule)
    if (units.length > 0) return units.map(unit => unitResult(unit, outcome))
    return [{ ...plainResult(rule, ''), state: 'not-applicable' as const, why: absence(rule, outcome) }]
  })
}

function absence(rule: Rule, { allowWrites }: RunOutcome): string {
  if (rule.writes && !allowWrites) return 'it writes; --allow-writes lets it'
  return 'the spec declares nothing of the kind, or no address of it was found'
}

function plainResult(rule: RuleFacts, site: string): Omit<RuleResult, 'state'> {
  const { id, area, severity, statement } = rule
  return { rule: id, area, severity, statement, site, checks: 0, trivial: 0, requests: 0 }
}

function watchResult(watch: Watch, outcome: RunOutcome): RuleResult {
  const checks = outcome.looks(watch)
  const violated = violationState(watch, undefined, outcome)
  const state = violated ?? (checks > 0 ? 'passed' : 'not-exercised')
  const why = state === 'not-exercised' ? 'no answer had anything of the kind in it' : undefined
  return { ...plainResult(watch, ''), checks, state, ...(why === undefined ? {} : { why }) }
}

function unitResult(unit: Unit, outcome: RunOutcome): RuleResult {
  const { rule, site, checks, trivial, requests, why } = unit
  const state = violationState(rule, site.id, outcome) ?? untouchedState(unit)
  const reason = state === 'passed' ? undefined : (why ?? reasonOf(unit, state))
  const selectivity = selectivityOf(unit.selected)
  return {
    ...plainResult(rule, site.id),
    state,
    checks,
    trivial,
    ...(selectivity === undefined ? {} : { selectivity }),
    requests,
    ...(reason === undefined ? {} : { why: reason }),
  }
}

/** Whether a violation of the rule was seen there, and if so whether it is a known one. */
function violationState(rule: RuleFacts, site: string | undefined, outcome: RunOutcome): RuleState | undefined {
  const here = outcome.violations.filter(violation => {
    const seen = [{ rule: violation.rule.id, site: violation.site?.id ?? '' }, ...violation.also.values()]
    return seen.some(each => each.rule === rule.id && (site === undefined || each.site === site))
  })
  if (here.length === 0) return undefined
  const isKnown = ({ rule: violated, site: at }: RecordedViolation): boolean =>
    outcome.knownFailures.some(
      failure => matches(failure.rule, violated.id) && matches(failure.site ?? '*', at?.id ?? ''),
    )
  return here.every(isKnown) ? 'known' : 'violated'
}

function untouchedState({ checks, trivial, unsupported, inconclusive, flaky }: Unit): RuleState {
  if (checks - trivial - unsupported - inconclusive - flaky > 0) return 'passed'
  if (flaky > 0) return 'flaky'
  if (inconclusive > 0) return 'inconclusive'
  return unsupported > 0 ? 'unsupported' : 'not-exercised'
}

function reasonOf({ checks, trivial }: Unit, state: RuleState): string | undefined {
  if (state === 'flaky') return 'a violation was seen, and not seen again though the data had not changed'
  if (state === 'unsupported') return 'it was refused, which the spec allows'
  if (state !== 'not-exercised') return undefined
  if (checks === 0) return 'its turn did not come: allow more requests'
  return trivial > 0 ? 'nothing that was tried told rows apart' : undefined
}

function choiceResult({ choice, value, witnesses, undecided }: LearnedChoice): ChoiceResult {
  return {
    name: choice.name,
    ...(choice.description === undefined ? {} : { description: choice.description }),
    ...(choice.ref === undefined ? {} : { ref: choice.ref }),
    legal: choice.legal,
    ...(value === undefined ? {} : { value }),
    reference: choice.reference,
    witnesses,
    ...(undecided === undefined ? {} : { undecided }),
  }
}
