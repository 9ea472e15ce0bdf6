import { createHash } from 'node:crypto'
import type { Service } from '../../spec/language/index.js'
import { choiceRuleId, type LearnedChoice } from '../choices/choices.js'
import type { Discovery } from '../discover/discover.js'
import type { ScheduledRule } from '../engine/schedule.js'
import { matchesWildcard } from '../engine/select-rules.js'
import type { RecordedViolation } from '../engine/violations.js'
import type { TestResponse } from '../http/message.js'
import type { KnownFailure } from '../options.js'
import type { ActiveRule, PassiveRule, RuleMetadata } from '../rule/rule.js'
import { reportedExchange } from './exchange.js'
import { createRedactor, type Redact, redactData } from './redact.js'
import { type Replay, replayToken } from './replay-token.js'
import type {
  ChoiceResult,
  KnownFailureResult,
  Report,
  RuleResult,
  RuleState,
  Selectivity,
  SiteResult,
  Violation,
} from './report.js'

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
  readonly rules: readonly (ActiveRule | PassiveRule)[]
  readonly scheduled: readonly ScheduledRule[]
  /** Whether the run came as far as to say what is to be tried. */
  readonly isPlanned: boolean
  readonly inspections: (watch: PassiveRule) => number
  readonly violations: readonly RecordedViolation[]
  readonly sites: readonly SiteResult[]
  readonly choices: readonly LearnedChoice[]
  readonly knownFailures: readonly KnownFailure[]
  readonly undetectableBugs: readonly string[]
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
  const redact = createRedactor(outcome.secrets)
  return redactData(assembleReport(outcome, redact), redact)
}

function assembleReport(outcome: RunOutcome, redact: Redact): Report {
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
    undetectableBugs: outcome.undetectableBugs,
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
    failure => matchesWildcard(failure.rule, rule.id) && matchesWildcard(failure.site ?? '*', site?.id ?? ''),
  )
  const clauses = service.clauses.filter(({ id }) => rule.clauses.includes(id))
  const pointer = clauses[0]?.location.pointer ?? site?.endpoint.location.pointer
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
    exchanges: distinctRequests(finding.answers).map(answer => reportedExchange(answer, redact)),
    confirmed: violation.confirmed,
    reduced: violation.reduced,
    ...(replay === undefined ? {} : { replay }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(known === undefined ? {} : { known: known.reason }),
  }
}

/** Each request once. */
function distinctRequests(answers: readonly TestResponse[]): readonly TestResponse[] {
  const byRequest = new Map<string, TestResponse>()
  for (const answer of answers) {
    const id = JSON.stringify(answer.request)
    if (!byRequest.has(id)) byRequest.set(id, answer)
  }
  return [...byRequest.values()]
}

function ruleResults(outcome: RunOutcome): readonly RuleResult[] {
  return outcome.rules.flatMap(rule => {
    if (rule.kind === 'watching') return [passiveResult(rule, outcome)]
    const units = outcome.scheduled.filter(unit => unit.rule === rule)
    if (units.length > 0) return units.map(unit => scheduledResult(unit, outcome))
    return [{ ...resultOf(rule, ''), state: 'not-applicable' as const, why: notApplicableReason(rule, outcome) }]
  })
}

function notApplicableReason(rule: ActiveRule, { allowWrites }: RunOutcome): string {
  if (rule.writes && !allowWrites) return 'it writes; --allow-writes lets it'
  return 'the spec declares nothing of the kind, or no address of it was found'
}

function resultOf(rule: RuleMetadata, site: string): Omit<RuleResult, 'state'> {
  const { id, area, severity, statement } = rule
  return { rule: id, area, severity, statement, site, checks: 0, vacuous: 0, requests: 0 }
}

function passiveResult(watch: PassiveRule, outcome: RunOutcome): RuleResult {
  const checks = outcome.inspections(watch)
  const violated = violationState(watch, undefined, outcome)
  const state = violated ?? (checks > 0 ? 'passed' : 'not-exercised')
  const why = state === 'not-exercised' ? 'no answer had anything of the kind in it' : undefined
  return { ...resultOf(watch, ''), checks, state, ...(why === undefined ? {} : { why }) }
}

function scheduledResult(unit: ScheduledRule, outcome: RunOutcome): RuleResult {
  const { rule, site, checks, vacuous: trivial, requests, why } = unit
  const state = violationState(rule, site.id, outcome) ?? stateOfScheduled(unit)
  const reason = state === 'passed' ? undefined : (why ?? reasonOf(unit, state))
  const selectivity = summarizeSelectivity(unit.selected)
  return {
    ...resultOf(rule, site.id),
    state,
    checks,
    vacuous: trivial,
    ...(selectivity === undefined ? {} : { selectivity }),
    requests,
    ...(reason === undefined ? {} : { why: reason }),
  }
}

/** Whether a violation of the rule was seen there, and if so whether it is a known one. */
function violationState(rule: RuleMetadata, site: string | undefined, outcome: RunOutcome): RuleState | undefined {
  const here = outcome.violations.filter(violation => {
    const seen = [{ rule: violation.rule.id, site: violation.site?.id ?? '' }, ...violation.also.values()]
    return seen.some(each => each.rule === rule.id && (site === undefined || each.site === site))
  })
  if (here.length === 0) return undefined
  const isKnown = ({ rule: violated, site: at }: RecordedViolation): boolean =>
    outcome.knownFailures.some(
      failure => matchesWildcard(failure.rule, violated.id) && matchesWildcard(failure.site ?? '*', at?.id ?? ''),
    )
  return here.every(isKnown) ? 'known' : 'violated'
}

function stateOfScheduled({ checks, vacuous: trivial, unsupported, inconclusive, flaky }: ScheduledRule): RuleState {
  if (checks - trivial - unsupported - inconclusive - flaky > 0) return 'passed'
  if (flaky > 0) return 'flaky'
  if (inconclusive > 0) return 'inconclusive'
  return unsupported > 0 ? 'unsupported' : 'not-exercised'
}

function reasonOf({ checks, vacuous: trivial }: ScheduledRule, state: RuleState): string | undefined {
  if (state === 'flaky') return 'a violation was seen, and not seen again though the data had not changed'
  if (state === 'unsupported') return 'it was refused, which the spec allows'
  if (state !== 'not-exercised') return undefined
  if (checks === 0) return 'its turn did not come: allow more requests'
  return trivial > 0 ? 'nothing that was tried told rows apart' : undefined
}

function choiceResult({ choice, value, evidence: witnesses, undecided }: LearnedChoice): ChoiceResult {
  return {
    name: choice.name,
    ...(choice.description === undefined ? {} : { description: choice.description }),
    ...(choice.ref === undefined ? {} : { ref: choice.ref }),
    legal: choice.legal,
    ...(value === undefined ? {} : { value }),
    reference: choice.reference,
    evidence: witnesses,
    ...(undecided === undefined ? {} : { undecided }),
  }
}

/** Of the rules that apply, the share that must have told something apart for a run to say anything. */
const leastShare = 0.4

/** The verdict, and the sentence that says why. */
function verdictOf(
  outcome: RunOutcome,
  violations: readonly Violation[],
  rules: readonly RuleResult[],
  knownFailures: readonly KnownFailureResult[],
): Pick<Report, 'verdict' | 'summary'> {
  const fresh = violations.filter(({ known }) => known === undefined)
  if (fresh.length > 0) {
    const early = outcome.stopped === undefined ? '' : ` The run broke off: ${outcome.stopped.why}`
    return { verdict: 'violations', summary: `${count(fresh.length, 'violation')} of ${rulesOf(fresh)}.${early}` }
  }
  if (outcome.stopped !== undefined) return { verdict: outcome.stopped.verdict, summary: outcome.stopped.why }
  const stale = knownFailures.filter(({ state }) => state === 'fixed' || state === 'unknown')
  if (stale.length > 0) {
    const names = stale.map(({ rule }) => rule).join(', ')
    return { verdict: 'stale', summary: `The list of known failures is out of date: ${names}.` }
  }
  const applicable = namesOf(rules.filter(({ state }) => state !== 'not-applicable'))
  const exercised = namesOf(
    rules.filter(({ state }) => state === 'passed' || state === 'known' || state === 'violated'),
  )
  const share = `${exercised.size} of ${count(applicable.size, 'rule')} could be exercised`
  // Rules that only watch say little by themselves: they look at whatever comes.
  const asking = namesOf(rules.filter(({ site }) => site !== ''))
  const told = [...asking].filter(rule => exercised.has(rule))
  const isHollow =
    !outcome.isPlanned || (asking.size === 0 ? exercised.size === 0 : told.length < asking.size * leastShare)
  if (outcome.interrupted) return { verdict: 'interrupted', summary: `Stopped early. ${share}.` }
  const isReplay = outcome.replay !== undefined
  if (isReplay && exercised.size === 0 && !isChoiceLearned(outcome)) {
    return {
      verdict: 'hollow',
      summary: 'What is to be tried again could not be: its address is gone, or it is refused.',
    }
  }
  if (!isReplay && (applicable.size === 0 || isHollow)) {
    const why = outcome.isPlanned ? 'too little to say anything' : 'the budget was spent on reading what is there'
    return { verdict: 'hollow', summary: `Only ${share}: ${why}.` }
  }
  const known = violations.length === 0 ? '' : ` ${count(violations.length, 'known failure')} remain.`
  return { verdict: 'conforms', summary: `No violation found. ${share}.${known}` }
}

/** Whether what is tried again is a choice, and it was seen to be a legal one. */
function isChoiceLearned({ choices, replay }: RunOutcome): boolean {
  return choices.some(({ choice, value }) => choiceRuleId(choice) === replay?.rule && value !== undefined)
}

function namesOf(rules: readonly RuleResult[]): ReadonlySet<string> {
  return new Set(rules.map(({ rule }) => rule))
}

function rulesOf(violations: readonly Violation[]): string {
  return count(new Set(violations.map(({ rule }) => rule)).size, 'rule')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** What became of each known failure. */
function knownFailureResults(
  failures: readonly KnownFailure[],
  violations: readonly Violation[],
  rules: readonly RuleResult[],
): readonly KnownFailureResult[] {
  return failures.map(failure => ({
    rule: failure.rule,
    ...(failure.site === undefined ? {} : { site: failure.site }),
    reason: failure.reason,
    state: knownFailureState(failure, violations, rules),
  }))
}

function knownFailureState(
  failure: KnownFailure,
  violations: readonly Violation[],
  rules: readonly RuleResult[],
): KnownFailureResult['state'] {
  const fits = ({ rule, site }: { readonly rule: string; readonly site: string }): boolean =>
    matchesWildcard(failure.rule, rule) && matchesWildcard(failure.site ?? '*', site)
  if (violations.some(violation => fits(violation) || violation.also.some(fits))) return 'seen'
  const meant = rules.filter(({ rule }) => matchesWildcard(failure.rule, rule))
  if (meant.length === 0) return 'unknown'
  return meant.some(result => fits(result) && result.state === 'passed') ? 'fixed' : 'not-exercised'
}

/** The least, the middle and the largest of some shares; absent when there are none. */
export function summarizeSelectivity(shares: readonly number[]): Selectivity | undefined {
  const sorted = shares.toSorted((a, b) => a - b)
  const least = sorted[0]
  const most = sorted.at(-1)
  const below = sorted[Math.floor((sorted.length - 1) / 2)]
  const above = sorted[Math.floor(sorted.length / 2)]
  if (least === undefined || most === undefined || below === undefined || above === undefined) return undefined
  return { least: rounded(least), median: rounded((below + above) / 2), most: rounded(most) }
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000
}

/** What was found at each address; an endpoint of which no address was found is listed, too. */
export function siteResults(
  { sites, harvests, unread }: Discovery,
  refusals: (endpoint: string) => readonly string[],
): readonly SiteResult[] {
  const found = sites.map(site => {
    const snapshot = harvests.get(site.id)?.snapshot
    const why = unread.get(site.id)
    return {
      site: site.id,
      method: site.endpoint.method,
      template: site.endpoint.path.template,
      path: site.path,
      ...(snapshot === undefined ? {} : { rows: snapshot.rows.length, complete: snapshot.complete }),
      unsupported: refusals(site.endpoint.name),
      ...(why === undefined ? {} : { why }),
    }
  })
  const names = new Set(sites.map(({ endpoint }) => endpoint.name))
  const absent = [...unread].filter(
    ([name]) => !names.has(name) && !harvests.has(name) && !found.some(({ site }) => site === name),
  )
  return [
    ...found,
    ...absent.map(([name, why]) => ({ site: name, method: '', template: '', path: '', unsupported: [], why })),
  ]
}
