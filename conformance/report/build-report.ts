import { createHash } from 'node:crypto'
import { type Aspect, aspectStandard, type Service } from '../../spec/language/index.js'
import { type ChosenValue, choiceRuleId, type LearnedChoice } from '../choices/choices.js'
import type { ConstraintRecord } from '../coverage/constraints.js'
import type { CoverageRecord } from '../coverage/coverage-record.js'
import { type Coverage, coverageOf } from '../coverage/coverage-table.js'
import { createReach } from '../coverage/reach.js'
import type { Discovery } from '../discover/discover.js'
import type { ScheduledRule } from '../engine/schedule.js'
import type { RecordedViolation } from '../engine/violations.js'
import type { TestResponse } from '../http/message.js'
import type { KnownFailure } from '../options.js'
import type { ActiveRule, PassiveRule, Rule, RuleMetadata } from '../rule/rule.js'
import { coverageSentence, isCovered } from './coverage-text.js'
import { accepts, knownFailureResults } from './known-failures.js'
import { createRedactor, type Redact, redactData, reportedExchange } from './redact.js'
import { type Replay, replayToken } from './replay-token.js'
import {
  type ChoiceResult,
  type KnownFailureResult,
  type Report,
  type ReportedClause,
  type RuleResult,
  type RuleState,
  type Selectivity,
  type SiteResult,
  shortenLinks,
  type Violation,
} from './report.js'

/** Everything a run knows at its end. */
export interface RunOutcome {
  readonly service: Service
  readonly spec?: string | undefined
  readonly target: string
  readonly seed: number
  readonly started: Date
  readonly seconds: number
  readonly requests: number
  readonly allowWrites: boolean
  readonly rules: readonly Rule[]
  readonly scheduled: readonly ScheduledRule[]
  /** Whether the run reached the point where rules are scheduled. */
  readonly isPlanned: boolean
  readonly inspections: (rule: PassiveRule) => number
  readonly coverage: Pick<CoverageRecord, 'at'>
  readonly constraints: Pick<ConstraintRecord, 'coverage'>
  /** Why discovery could not read an address or an endpoint, by id or name. */
  readonly unread: ReadonlyMap<string, string>
  /** Whether the run was limited to some rules. */
  readonly isSelection: boolean
  /** The least coverage, in percent. */
  readonly requireCoverage?: number | undefined
  readonly violations: readonly RecordedViolation[]
  readonly sites: readonly SiteResult[]
  readonly choices: readonly LearnedChoice[]
  readonly knownFailures: readonly KnownFailure[]
  readonly undetectableBugs: readonly string[]
  readonly leftovers: readonly string[]
  /** Why the run did not start or stopped early. */
  readonly stopped?: { readonly verdict: 'unreachable' | 'refused'; readonly why: string } | undefined
  readonly interrupted: boolean
  readonly replay: Replay | undefined
  /** Texts that the report must not contain. */
  readonly secrets: readonly string[]
}

/** Builds the report of a run, without secrets. */
export function buildReport(outcome: RunOutcome): Report {
  const redact = createRedactor(outcome.secrets)
  return redactData(assembleReport(outcome, redact), redact)
}

function assembleReport(outcome: RunOutcome, redact: Redact): Report {
  const violations = outcome.violations.map(violation => reportedViolation(violation, outcome, redact))
  const rules = ruleResults(outcome)
  const knownFailures = knownFailureResults(outcome.knownFailures, violations, rules)
  const coverage = coverageOf({ ...outcome, record: outcome.coverage, reach: createReach(outcome) })
  const { verdict, summary } = verdictOf(outcome, violations, rules, knownFailures, coverage)
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
    coverage,
    notes: [],
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
  const identity = identityOf(violation)
  const known = knownFailures.find(failure => accepts(failure, identity))
  const clauses = service.clauses.filter(clause => clause.aspects.some(aspect => rule.aspects.includes(aspect)))
  const pointer = clauses[0]?.location.pointer ?? site?.endpoint.location.pointer
  return {
    ...identity,
    area: rule.area,
    severity: rule.severity,
    statement: rule.statement,
    clauses:
      clauses.length > 0
        ? clauses.map(({ id, ref, quote }) => ({ id, ref, quote, source: 'interface' }))
        : rule.aspects.map(standardClause),
    also: [...violation.also.values()],
    times: violation.times,
    message: shortenLinks(finding.message),
    expected: shortenLinks(finding.expected),
    received: shortenLinks(finding.received),
    missing: finding.missing ?? [],
    surplus: finding.surplus ?? [],
    why: (finding.why ?? []).map(shortenLinks),
    features: [...new Set(finding.features)].sort(),
    exchanges: distinctRequests(finding.answers).map(response => reportedExchange(response, redact)),
    confirmed: violation.confirmed,
    reduced: violation.reduced,
    ...(replay === undefined ? {} : { replay }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(known === undefined ? {} : { known: known.reason }),
  }
}

/** The fingerprint depends on the cause only, so that it is the same in each run. */
function identityOf({ key, rule, site }: RecordedViolation): Pick<Violation, 'fingerprint' | 'rule' | 'site'> {
  const fingerprint = createHash('sha256').update(key).digest('hex').slice(0, 12)
  return { fingerprint, rule: rule.id, site: site?.id ?? '' }
}

/** What a standard says about an aspect, for a spec without clauses. */
function standardClause(aspect: Aspect): ReportedClause {
  const { section, sentence } = aspectStandard(aspect)
  return { id: aspect, ref: section, quote: sentence, source: 'standard' }
}

/** Each request once. */
function distinctRequests(responses: readonly TestResponse[]): readonly TestResponse[] {
  const byRequest = new Map<string, TestResponse>()
  for (const response of responses) {
    const id = JSON.stringify(response.request)
    if (!byRequest.has(id)) byRequest.set(id, response)
  }
  return [...byRequest.values()]
}

function ruleResults(outcome: RunOutcome): readonly RuleResult[] {
  return outcome.rules.flatMap(rule => {
    if (rule.kind === 'passive') return [passiveResult(rule, outcome)]
    const scheduledRules = outcome.scheduled.filter(scheduled => scheduled.rule === rule)
    if (scheduledRules.length > 0) return scheduledRules.map(scheduled => scheduledResult(scheduled, outcome))
    return [{ ...resultOf(rule, ''), state: 'not-applicable' as const, why: notApplicableReason(rule, outcome) }]
  })
}

function notApplicableReason(rule: ActiveRule, { allowWrites }: RunOutcome): string {
  if (rule.writes && !allowWrites) return 'it writes; use --allow-writes'
  return 'the spec declares nothing to check, or no address was found'
}

function resultOf(rule: RuleMetadata, site: string): Omit<RuleResult, 'state'> {
  const { id, area, severity, statement } = rule
  return { rule: id, area, severity, statement, site, checks: 0, vacuous: 0, requests: 0 }
}

function passiveResult(rule: PassiveRule, outcome: RunOutcome): RuleResult {
  const checks = outcome.inspections(rule)
  const violated = violationState(rule, undefined, outcome)
  const state = violated ?? (checks > 0 ? 'passed' : 'not-exercised')
  const why = state === 'not-exercised' ? 'no response was relevant' : undefined
  return { ...resultOf(rule, ''), checks, state, ...(why === undefined ? {} : { why }) }
}

function scheduledResult(scheduled: ScheduledRule, outcome: RunOutcome): RuleResult {
  const { rule, site, checks, vacuous, requests, why } = scheduled
  const state = violationState(rule, site.id, outcome) ?? stateOfScheduled(scheduled)
  const reason = state === 'passed' ? undefined : (why ?? reasonOf(scheduled, state))
  const selectivity = summarizeSelectivity(scheduled.selected)
  return {
    ...resultOf(rule, site.id),
    state,
    checks,
    vacuous: vacuous,
    ...(selectivity === undefined ? {} : { selectivity }),
    requests,
    ...(reason === undefined ? {} : { why: reason }),
  }
}

/** Whether the rule was violated there, and if so, whether the violation is known. */
function violationState(rule: RuleMetadata, site: string | undefined, outcome: RunOutcome): RuleState | undefined {
  const here = outcome.violations.filter(violation => {
    const seen = [{ rule: violation.rule.id, site: violation.site?.id ?? '' }, ...violation.also.values()]
    return seen.some(each => each.rule === rule.id && (site === undefined || each.site === site))
  })
  if (here.length === 0) return undefined
  const isKnown = (violation: RecordedViolation): boolean =>
    outcome.knownFailures.some(failure => accepts(failure, identityOf(violation)))
  return here.every(isKnown) ? 'known' : 'violated'
}

function stateOfScheduled({ checks, vacuous, unsupported, inconclusive, flaky }: ScheduledRule): RuleState {
  if (checks - vacuous - unsupported - inconclusive - flaky > 0) return 'passed'
  if (flaky > 0) return 'flaky'
  if (inconclusive > 0) return 'inconclusive'
  return unsupported > 0 ? 'unsupported' : 'not-exercised'
}

function reasonOf({ checks, vacuous }: ScheduledRule, state: RuleState): string | undefined {
  if (state === 'flaky') return 'a violation occurred, but not again, although the data did not change'
  if (state === 'unsupported') return 'it was rejected, which the spec allows'
  if (state !== 'not-exercised') return undefined
  if (checks === 0) return 'the budget ended before its turn: allow more requests'
  return vacuous > 0 ? 'no probe distinguished any rows' : undefined
}

function choiceResult({ choice, value, chosen = [], evidence, undecided }: LearnedChoice): ChoiceResult {
  const isDiffering = new Set(chosen.map(each => each.value)).size > 1
  return {
    name: choice.name,
    ...(choice.description === undefined ? {} : { description: choice.description }),
    ...(choice.ref === undefined ? {} : { ref: choice.ref }),
    legal: choice.legal,
    ...(value === undefined ? {} : { value }),
    reference: choice.reference,
    ...(isDiffering ? { differing: placesOf(chosen) } : {}),
    evidence,
    ...(undecided === undefined ? {} : { undecided }),
  }
}

/** The values of a choice by place, such as `users, equality, displayName`. */
function placesOf(chosen: readonly ChosenValue[]): NonNullable<ChoiceResult['differing']> {
  const places = chosen.map(({ scope = 'everywhere', operators, property, value }) => {
    return { where: [scope, operators, property].filter(part => part !== undefined).join(', '), value }
  })
  return [...new Map(places.map(place => [`${place.where} ${place.value}`, place])).values()]
}

/** A run conforms only if at least this share of the applicable rules was exercised. */
const leastShare = 0.4

/** The verdict, and a sentence that explains it. */
function verdictOf(
  outcome: RunOutcome,
  violations: readonly Violation[],
  rules: readonly RuleResult[],
  knownFailures: readonly KnownFailureResult[],
  coverage: Coverage,
): Pick<Report, 'verdict' | 'summary'> {
  const fresh = violations.filter(({ known }) => known === undefined)
  if (fresh.length > 0) {
    const early = outcome.stopped === undefined ? '' : ` The run stopped early: ${outcome.stopped.why}`
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
  // Passive rules alone prove little: they inspect whatever other rules receive.
  const active = namesOf(rules.filter(({ site }) => site !== ''))
  const exercisedActive = [...active].filter(rule => exercised.has(rule))
  const isInsufficient =
    !outcome.isPlanned || (active.size === 0 ? exercised.size === 0 : exercisedActive.length < active.size * leastShare)
  if (outcome.interrupted) return { verdict: 'interrupted', summary: `Stopped early. ${share}.` }
  const isReplay = outcome.replay !== undefined
  if (isReplay && exercised.size === 0 && !isChoiceLearned(outcome)) {
    return {
      verdict: 'insufficient-coverage',
      summary: 'The replay was not possible: its address is gone, or the request is rejected.',
    }
  }
  if (!isReplay && (applicable.size === 0 || isInsufficient)) {
    const why = outcome.isPlanned ? 'too few for a verdict' : 'the budget was used up by reading the collections'
    return { verdict: 'insufficient-coverage', summary: `Only ${share}: ${why}.` }
  }
  const known = violations.length === 0 ? '' : ` ${count(violations.length, 'known failure')} remain.`
  if (isReplay) return { verdict: 'conforms', summary: `No violation found.${known}` }
  const checked = coverageSentence(coverage, outcome.allowWrites)
  const { requireCoverage = 0 } = outcome
  if (coverage.percent < requireCoverage) {
    return {
      verdict: 'insufficient-coverage',
      summary: `No violation found, but ${requireCoverage} % coverage is required. ${checked}${known}`,
    }
  }
  if (isCovered(coverage)) return { verdict: 'conforms', summary: `No violation found. ${checked}${known}` }
  return { verdict: 'partial', summary: `No violation found in the part that was checked. ${checked}${known}` }
}

/** Whether the replayed violation is a choice that now has a legal value. */
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

/** Minimum, median and maximum of some shares; absent if there are none. */
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

/** What was found at each address. Endpoints without an address are included. */
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
