import fc from 'fast-check'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { Choices } from '../choices/choices.js'
import { propertiesOfQuery } from '../choices/compared-properties.js'
import type { Outcome } from '../coverage/coverage-record.js'
import type { Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { BudgetExhausted } from '../http/transport.js'
import type { Replay } from '../report/replay-token.js'
import { constructsOf } from '../rule/query-request.js'
import type { ActiveRule, Finding, PassiveRule, TestCase, Verdict } from '../rule/rule.js'
import type { Session } from '../session/session.js'
import { confirm } from './confirm.js'
import { explainFinding } from './explain.js'
import type { ChoiceLearner, RunContext } from './learn-choices.js'
import type { CheckView, LiveSession } from './live-session.js'
import type { SuspectedViolation } from './passive-rules.js'
import { caseSize, type GeneratedCase, reduceCase, shrinkGenerated } from './reduce.js'
import { nextPlanned, nextScheduled, type ScheduledRule, scheduledRule, seedOf } from './schedule.js'
import { findingKey } from './violations.js'
import { planVisits } from './visits.js'

/** What running rules needs. */
export interface RuleContext extends RunContext {
  readonly choiceLearner: ChoiceLearner
}

interface ScheduleContext extends RuleContext {
  readonly units: readonly ScheduledRule[]
}

/** Requests reserved for confirming the last violation. */
const reservedRequests = 40
/** Random cases per turn. */
const casesPerTurn = 4
/** Maximum number of violations per rule and site. */
const maxViolationsPerSite = 4
/** Maximum number of unconfirmed or inconclusive results per rule and site. */
const maxDoubtsPerSite = 6

/** Runs rules in turn until the budget is used up or nothing is left to try. */
export async function runRules(scheduledRules: readonly ScheduledRule[], context: RuleContext): Promise<void> {
  const kept = Math.min(reservedRequests, Math.floor(context.transport.requestsLeft() / 20))
  const visits = planVisits(context.live.shared.session.service.endpoints, scheduledRules, context.coverage)
  const next = (): ScheduledRule | undefined =>
    visits.next(context.transport.requestsLeft() - kept) ?? nextScheduled(scheduledRules)
  for (let scheduled = next(); scheduled !== undefined; scheduled = next()) {
    if (context.transport.requestsLeft() <= kept) return
    context.onPhase('check')
    await tryScheduled(scheduled, { ...context, units: scheduledRules })
  }
}

async function tryScheduled(scheduled: ScheduledRule, context: ScheduleContext): Promise<void> {
  await context.choiceLearner.learnFor(scheduled.rule)
  scheduled.cases ??= scheduled.rule.cases(scheduled.site, context.live.openCheck(scheduled).session)
  const planned = nextPlanned(scheduled)
  if (planned !== undefined) {
    scheduled.plannedTried++
    await tryCase(scheduled, planned, context)
  } else if (scheduled.cases.random === undefined) {
    scheduled.done = true
    if (scheduled.checks === 0) scheduled.why = scheduled.cases.skipReason ?? 'there were no cases'
  } else {
    await tryRandomCases(scheduled, scheduled.cases.random, context)
  }
  const doubts = scheduled.flaky + scheduled.inconclusive
  if (scheduled.checks >= context.runs || scheduled.violations >= maxViolationsPerSite || doubts >= maxDoubtsPerSite)
    scheduled.done = true
}

/** Draws a few cases, as a fast-check property. */
async function tryRandomCases(
  scheduled: ScheduledRule,
  random: fc.Arbitrary<TestCase>,
  context: ScheduleContext,
): Promise<void> {
  const part = `${scheduled.rule.id} ${scheduled.site.id} ${scheduled.randomTurns++}`
  let spent: unknown
  const before = scheduled.checks
  const numRuns = Math.max(
    1,
    Math.min(casesPerTurn, Math.ceil(casesPerTurn / scheduled.rule.cost), context.runs - scheduled.checks),
  )
  const seed = seedOf(context.seed, part)
  let index = 0
  const property = fc.asyncProperty(random, async test => {
    if (spent !== undefined) return true
    try {
      return await tryCase(scheduled, test, context, { arbitrary: random, seed, index: index++ })
    } catch (error) {
      // Neither the end of the run nor a bug in a rule is a counterexample, so both propagate from here.
      spent = error
      return true
    }
  })
  await fc.check(property, { seed, numRuns, endOnFailure: true })
  if (spent !== undefined) throw spent
  if (scheduled.checks === before) scheduled.spent++
}

/** Runs one case. Returns whether the rule holds, as far as the result shows. */
async function tryCase(
  scheduled: ScheduledRule,
  test: TestCase,
  context: ScheduleContext,
  generated?: GeneratedCase,
): Promise<boolean> {
  const { live, transport } = context
  const start = transport.requestsSent()
  const view = live.openCheck(scheduled)
  const verdict = await scheduled.rule.check(test, scheduled.site, view.session)
  const requests = transport.requestsSent() - start
  scheduled.checks++
  scheduled.requests += requests
  scheduled.spent += Math.max(requests, 0.25)
  recordVerdict(scheduled, test, verdict, context)
  const cover = (outcome: Outcome): void =>
    context.coverage.recordCheck(scheduled.rule, scheduled.site, outcome, view.exercised())
  if (verdict.kind !== 'fail') cover(outcomeOf(verdict))
  // Report what passive rules found in a response before what this rule concludes from it.
  const suspected = [...live.shared.takeSuspected(), ...view.takeSuspected()]
  for (const each of suspected) await confirmSuspectedViolation(each, { unit: scheduled, test }, context)
  if (verdict.kind !== 'fail') return true
  // If a server error was reported, do not report what it causes.
  const { answers } = verdict.finding
  const isReported = suspected
    .filter(({ answer }) => answers.some(({ status, number }) => status >= 500 && number === answer.number))
    .some(({ rule, finding }) => context.violations.isKnown(rule, scheduled.site, finding, scheduled))
  const before = scheduled.violations
  if (isReported) scheduled.violations++
  else await confirmAndReduce(scheduled, test, verdict.finding, view, context, generated)
  if (scheduled.violations > before) cover({ kind: 'checked' })
  else cover({ kind: 'inconclusive', why: scheduled.why ?? 'a violation was suspected, but not confirmed' })
  return false
}

/** What a check that found nothing says about the aspects that it is about. */
function outcomeOf(verdict: Exclude<Verdict, { readonly kind: 'fail' }>): Outcome {
  if (verdict.kind === 'unsupported') return { kind: 'refused' }
  if (verdict.kind === 'inconclusive') return verdict
  return verdict.vacuous === true
    ? { kind: 'inconclusive', why: 'no probe distinguished any rows' }
    : { kind: 'checked' }
}

function recordVerdict(
  scheduled: ScheduledRule,
  test: TestCase,
  verdict: Verdict,
  { live: { shared }, passed }: RunContext,
): void {
  switch (verdict.kind) {
    case 'pass':
      if (verdict.vacuous === true) {
        scheduled.vacuous++
        scheduled.spent++
      } else scheduled.selected.push(...(verdict.selected ?? []))
      if (test.options === undefined) break
      shared.session.support.recordAccepted(scheduled.site, constructsOf(test.options))
      if (verdict.vacuous !== true) passed.add(scheduled.rule.area, constructsOf(test.options))
      break
    case 'unsupported':
      scheduled.unsupported++
      scheduled.spent++
      shared.session.support.recordRejected(scheduled.site, verdict.constructs)
      break
    case 'inconclusive':
      scheduled.inconclusive++
      scheduled.spent += 2
      scheduled.why = verdict.why
      break
    case 'fail':
      break
  }
}

/** Confirms a finding, reduces its case, and records it. */
async function confirmAndReduce(
  scheduled: ScheduledRule,
  test: TestCase,
  first: Finding,
  seen: CheckView,
  context: ScheduleContext,
  generated?: GeneratedCase,
): Promise<void> {
  const { live, transport, violations } = context
  const { rule, site } = scheduled
  if (violations.isKnown(rule, site, first)) {
    scheduled.violations++
    return
  }
  if (await context.choiceLearner.reconsider(test, site)) {
    scheduled.inconclusive++
    scheduled.why = 'it depended on a choice that turned out to be different'
    return
  }
  if (await isExplainedByPrerequisite(scheduled, test, context)) {
    scheduled.violations++
    return
  }
  const { choices, ...explained } = await explainCheck(scheduled, test, first, seen, context)
  if (choices === undefined) {
    if (explained.isUnclear) {
      scheduled.inconclusive++
      scheduled.why = 'a combination of permitted choices may explain what seemed to be wrong'
    }
    return
  }
  const view = live.openCheck({ site, choices })
  const fails = async (tried: TestCase): Promise<Finding | undefined> => {
    live.invalidate()
    const verdict = await rule.check(tried, site, view.session)
    return verdict.kind === 'fail' ? verdict.finding : undefined
  }
  context.onPhase('confirm')
  for (const each of seen.takeReadSites()) view.session.snapshot(each)
  const readSites = (): readonly Site[] => view.takeReadSites().filter(each => !isChangedBy(rule, site, each))
  const confirmation = await confirm(() => fails(test), live.refresh, readSites)
  if (confirmation.kind !== 'confirmed') {
    recordDoubt(scheduled, confirmation.kind)
    return
  }
  scheduled.violations++
  const start = transport.requestsSent()
  const small = await reduceConfirmed(scheduled, test, first, confirmation.finding, fails, view, context, generated)
  const sizes = { from: caseSize(test), to: caseSize(small.test), requests: transport.requestsSent() - start }
  const { finding } = small
  violations.add(
    {
      rule,
      site,
      finding,
      replay: { rule: rule.id, site: site.id, test: small.test },
      confirmed: confirmation.how,
      reduced: sizes,
      requestsSent: start,
    },
    first,
  )
  live.shared.takeSuspected()
}

/**
 * Whether a check itself changes a collection. A service that keeps deleted items in it, or creates items twice, leaves
 * it changed; what the check says of its own items does not depend on other clients.
 */
function isChangedBy({ writes }: ActiveRule, site: Site, collection: Site): boolean {
  return writes && (collection.path === site.path || collection.type === site.type)
}

/**
 * Looks for a legal explanation of a finding, and learns the choice that explains it.
 *
 * @returns the choices by which the finding is a violation; absent if it is legal or unclear
 */
async function explainCheck(
  { rule, site }: ScheduledRule,
  test: TestCase,
  finding: Finding,
  { responses }: CheckView,
  { live, choiceLearner }: ScheduleContext,
): Promise<{ readonly choices?: Choices; readonly isUnclear: boolean }> {
  const queries = rule.queries?.(test) ?? queriesOf(test)
  const place = { site, properties: [...new Set(queries.flatMap(propertiesOfQuery))] }
  const isWrong = async (choices: Choices): Promise<boolean> => {
    live.invalidate()
    // A rule that writes changes what it reads.
    const view = live.openCheck({ site, choices, ...(rule.writes ? {} : { responses }) })
    const verdict = await rule.check(test, site, view.session)
    return verdict.kind === 'fail'
  }
  const explanation = await explainFinding(isWrong, place, choiceLearner.record)
  if (explanation.kind === 'violation') return { choices: explanation.choices, isUnclear: false }
  if (explanation.kind === 'unclear') return { isUnclear: true }
  choiceLearner.learnFrom(explanation, place, evidenceOf(finding, site))
  return { isUnclear: false }
}

function evidenceOf({ message, answers }: Finding, site: Site): string {
  const url = answers[0]?.request.url
  return `${url === undefined ? site.id : new URL(url).pathname + new URL(url).search}: ${message}`
}

/** Whether a simpler rule explains the finding; that rule then reports it. */
async function isExplainedByPrerequisite(
  scheduled: ScheduledRule,
  test: TestCase,
  context: ScheduleContext,
): Promise<boolean> {
  const { live, choiceLearner, violations } = context
  for (const { unit: basis, test: plainest } of prerequisitesOf(scheduled, test, context.units, live.shared.session)) {
    const { rule, site, rank } = basis
    await choiceLearner.learnFor(rule)
    live.invalidate()
    const view = live.openCheck({ site })
    const verdict = await rule.check(plainest, site, view.session)
    if (verdict.kind !== 'fail') continue
    // Use a schedule entry of its own, so that the rule keeps its turn.
    await confirmAndReduce(scheduledRule(rule, site, rank), plainest, verdict.finding, view, context)
    if (violations.isKnown(rule, site, verdict.finding, scheduled)) return true
  }
  return false
}

async function reduceConfirmed(
  { rule, site }: ScheduledRule,
  test: TestCase,
  first: Finding,
  finding: Finding,
  fails: (tried: TestCase) => Promise<Finding | undefined>,
  view: CheckView,
  { live, transport, onPhase }: RunContext,
  generated: GeneratedCase | undefined,
): Promise<{ readonly test: TestCase; readonly finding: Finding }> {
  onPhase('reduce')
  try {
    const more = (smaller: TestCase): Iterable<TestCase> => rule.shrink?.(smaller, site, view.session) ?? []
    const stillFails = async (tried: TestCase): Promise<boolean> => (await fails(tried)) !== undefined
    const sent = transport.requestsSent
    const isGenerated = generated !== undefined && test.steps !== undefined
    const shrunk = isGenerated ? await shrinkGenerated(test, generated, stillFails, sent) : test
    const small = await reduceCase(shrunk, stillFails, more, sent, rule.requiredOptions)
    if (small === test) return { test, finding }
    view.takeReadSites()
    const readSites = (): readonly Site[] => view.takeReadSites().filter(each => !isChangedBy(rule, site, each))
    const again = await confirm(() => fails(small), live.refresh, readSites)
    return again.kind === 'confirmed' ? { test: small, finding: again.finding } : { test, finding }
  } catch (error) {
    // A confirmed violation stays confirmed if the budget ends during reduction.
    if (error instanceof BudgetExhausted) return { test, finding: finding.answers.length > 0 ? finding : first }
    throw error
  }
}

function recordDoubt(scheduled: ScheduledRule, kind: 'flaky' | 'unstable'): void {
  if (kind === 'flaky') scheduled.flaky++
  else {
    scheduled.inconclusive++
    scheduled.why = 'the data changed during every confirmation'
  }
}

/** Confirms what a passive rule found. Reads are sent again; writes are repeated with their case. */
export async function confirmSuspectedViolation(
  suspected: SuspectedViolation,
  source: { readonly unit: ScheduledRule; readonly test: TestCase } | undefined,
  context: RuleContext,
): Promise<void> {
  const { rule, answer, site, finding: first } = suspected
  const { live, transport, violations } = context
  if (violations.isKnown(rule, site, first)) return
  const key = findingKey(rule.area, first)
  const same = ({ rule: seen, finding }: SuspectedViolation): boolean =>
    seen === rule && findingKey(seen.area, finding) === key
  const isRead = answer.request.method === 'GET' || answer.request.method === 'HEAD'
  if (!isRead && source === undefined) return
  const choices = site === undefined ? undefined : await explainInspection(suspected, site, context)
  if (site !== undefined && choices === undefined) return
  const view = live.openCheck({ site, ...(choices === undefined ? {} : { choices }) })
  // The ledger creates items outside the view.
  const takeSuspected = (): readonly SuspectedViolation[] => [...view.takeSuspected(), ...live.shared.takeSuspected()]
  const again = async (): Promise<Finding | undefined> => {
    takeSuspected()
    live.invalidate()
    if (isRead) await view.session.send(answer.testRequest)
    else if (source !== undefined) await source.unit.rule.check(source.test, source.unit.site, view.session)
    return takeSuspected().find(same)?.finding
  }
  context.onPhase('confirm')
  if (site !== undefined) view.session.snapshot(site)
  const confirmation = await confirm(again, live.refresh, view.takeReadSites)
  live.shared.takeSuspected()
  if (confirmation.kind !== 'confirmed') return
  violations.add(
    {
      rule: rule,
      site,
      finding: confirmation.finding,
      replay: replayOf(rule, answer, site, source, live),
      confirmed: confirmation.how,
      reduced: { from: 0, to: 0, requests: 0 },
      requestsSent: transport.requestsSent(),
    },
    first,
  )
}

/** Looks for a legal explanation of what a passive rule found. See `explainCheck`. */
async function explainInspection(
  { rule, answer, finding }: SuspectedViolation,
  site: Site,
  { live, choiceLearner }: RuleContext,
): Promise<Choices | undefined> {
  const { options } = answer.testRequest
  const place = { site, properties: options === undefined ? [] : propertiesOfQuery(options) }
  const isWrong = async (choices: Choices): Promise<boolean> => {
    const found = rule.inspect(answer, site, live.openCheck({ site, choices }).session)
    return typeof found === 'object'
  }
  const explanation = await explainFinding(isWrong, place, choiceLearner.record)
  if (explanation.kind === 'violation') return explanation.choices
  if (explanation.kind === 'legal') choiceLearner.learnFrom(explanation, place, evidenceOf(finding, site))
  return undefined
}

function replayOf(
  rule: PassiveRule,
  response: TestResponse,
  site: Site | undefined,
  source: { readonly unit: ScheduledRule; readonly test: TestCase } | undefined,
  live: LiveSession,
): Replay | undefined {
  const path = live.belowRoot(response.testRequest.path)
  const isRead = response.request.method === 'GET' || response.request.method === 'HEAD'
  if (isRead && path !== undefined) {
    return { rule: rule.id, site: site?.id ?? '', test: {}, request: { ...response.testRequest, path } }
  }
  if (source === undefined) return undefined
  return { rule: rule.id, activeRule: source.unit.rule.id, site: source.unit.site.id, test: source.test }
}

/** A case that must pass before the case of another rule proves anything. */
interface Prerequisite {
  readonly unit: ScheduledRule
  readonly test: TestCase
}

/**
 * The prerequisites of a case: the order that it pages through, the filter whose rows it counts. A rule that provides
 * prerequisites has none itself.
 */
function prerequisitesOf(
  { rule, site }: ScheduledRule,
  test: TestCase,
  scheduledRules: readonly ScheduledRule[],
  session: Session,
): readonly Prerequisite[] {
  if (rule.prerequisite !== undefined) return []
  const asked = scheduledRules.filter(
    scheduled => scheduled.rule.prerequisite !== undefined && isAskedBy(site, scheduled.site),
  )
  return (rule.queries?.(test) ?? queriesOf(test)).flatMap(query =>
    asked.flatMap(scheduled => {
      const plainest = scheduled.rule.prerequisite?.(query, scheduled.site, session)
      return plainest === undefined ? [] : [{ unit: scheduled, test: plainest }]
    }),
  )
}

function queriesOf({ options, predicates = [] }: TestCase): readonly QueryOptions[] {
  return [...(options === undefined ? [] : [options]), ...predicates.map(filter => ({ filter }))]
}

/** A count depends on the list at the path above it. */
function isAskedBy({ id, endpoint, path }: Site, list: Site): boolean {
  if (list.id === id) return true
  return endpoint.kind === 'count' && list.path === path.replace(/\/(?:\$|%24)count$/i, '')
}
