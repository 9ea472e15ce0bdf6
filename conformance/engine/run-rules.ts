import fc from 'fast-check'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { BudgetExhausted, type Transport } from '../http/transport.js'
import type { Phase } from '../options.js'
import type { Replay } from '../report/replay-token.js'
import { constructsOf } from '../rule/query-request.js'
import type { Finding, PassiveRule, TestCase, Verdict } from '../rule/rule.js'
import type { Session } from '../session/session.js'
import { confirm } from './confirm.js'
import type { ChoiceLearner } from './learn-choices.js'
import type { LiveSession } from './live-session.js'
import type { PassiveRuleMonitor, SuspectedViolation } from './passive-rules.js'
import { caseSize, reduceCase } from './reduce.js'
import { nextPlanned, nextScheduled, type ScheduledRule, scheduledRule, seedOf } from './schedule.js'
import { findingKey, type PassedConstructs, type ViolationRecord } from './violations.js'

/** What the engine works with while it judges. */
export interface RunContext {
  readonly live: LiveSession
  readonly transport: Transport
  readonly monitor: PassiveRuleMonitor
  readonly violations: ViolationRecord
  readonly passed: PassedConstructs
  readonly choiceLearner: ChoiceLearner
  readonly seed: number
  /** Most cases a unit is tried with. */
  readonly runs: number
  readonly onPhase: (phase: Phase) => void
}

/** The bench, and what is tried on it. */
interface ScheduleContext extends RunContext {
  readonly units: readonly ScheduledRule[]
}

/** Requests kept back so that the last suspicion can still be confirmed. */
const reservedRequests = 40
/** Drawn cases between two looks at whose turn it is. */
const casesPerTurn = 4
/** A rule that was violated so often on one site has made its point. */
const maxViolationsPerSite = 4
/** What cannot be confirmed so often is not looked into again. */
const maxDoubtsPerSite = 6

/** Tries rules in turn until the budget is spent or nothing is left to try. */
export async function runRules(units: readonly ScheduledRule[], bench: RunContext): Promise<void> {
  const kept = Math.min(reservedRequests, Math.floor(bench.transport.requestsLeft() / 20))
  for (let unit = nextScheduled(units); unit !== undefined; unit = nextScheduled(units)) {
    if (bench.transport.requestsLeft() <= kept) return
    bench.onPhase('judge')
    await tryScheduled(unit, { ...bench, units })
  }
}

async function tryScheduled(unit: ScheduledRule, bench: ScheduleContext): Promise<void> {
  await bench.choiceLearner.learnFor(unit.rule)
  unit.cases ??= unit.rule.cases(unit.site, bench.live.session)
  bench.live.takeReadSites()
  const planned = nextPlanned(unit)
  if (planned !== undefined) {
    unit.plannedTried++
    await tryCase(unit, planned, bench)
  } else if (unit.cases.random === undefined) {
    unit.done = true
    if (unit.checks === 0) unit.why = unit.cases.skipReason ?? 'there was nothing to try'
  } else {
    await tryRandomCases(unit, unit.cases.random, bench)
  }
  const doubts = unit.flaky + unit.inconclusive
  if (unit.checks >= bench.runs || unit.violations >= maxViolationsPerSite || doubts >= maxDoubtsPerSite)
    unit.done = true
}

/** Draws a few cases, as a property of fast-check. */
async function tryRandomCases(
  unit: ScheduledRule,
  random: fc.Arbitrary<TestCase>,
  bench: ScheduleContext,
): Promise<void> {
  const part = `${unit.rule.id} ${unit.site.id} ${unit.randomTurns++}`
  let spent: unknown
  const before = unit.checks
  const numRuns = Math.max(
    1,
    Math.min(casesPerTurn, Math.ceil(casesPerTurn / unit.rule.cost), bench.runs - unit.checks),
  )
  const property = fc.asyncProperty(random, async test => {
    if (spent !== undefined) return true
    try {
      return await tryCase(unit, test, bench)
    } catch (error) {
      // A run that ends is no counterexample, and neither is a bug of ours: both go on from here as they came.
      spent = error
      return true
    }
  })
  await fc.check(property, { seed: seedOf(bench.seed, part), numRuns, endOnFailure: true })
  if (spent !== undefined) throw spent
  if (unit.checks === before) unit.spent++
}

/** Whether the rule holds in this case, as far as can be told. */
async function tryCase(unit: ScheduledRule, test: TestCase, bench: ScheduleContext): Promise<boolean> {
  const { live, transport } = bench
  const start = transport.requestsSent()
  const verdict = await unit.rule.check(test, unit.site, live.session)
  const requests = transport.requestsSent() - start
  unit.checks++
  unit.requests += requests
  unit.spent += Math.max(requests, 0.25)
  recordVerdict(unit, test, verdict, bench)
  // What is wrong with an answer as such is told before what a rule makes of it.
  const sightings = bench.monitor.takeSuspected()
  for (const sighting of sightings) await confirmSuspectedViolation(sighting, { unit, test }, bench)
  if (verdict.kind !== 'fail') return true
  // A service that fails gives no answer to judge further, where that was told.
  const { answers } = verdict.finding
  const isTold = sightings
    .filter(({ answer }) => answers.some(({ status, number }) => status >= 500 && number === answer.number))
    .some(({ rule: watch, finding }) => bench.violations.isKnown(watch, unit.site, finding, unit))
  if (isTold) unit.violations++
  else await confirmAndReduce(unit, test, verdict.finding, bench)
  return false
}

function recordVerdict(
  unit: ScheduledRule,
  test: TestCase,
  verdict: Verdict,
  { live: { session }, passed }: RunContext,
): void {
  switch (verdict.kind) {
    case 'pass':
      if (verdict.vacuous === true) {
        unit.vacuous++
        unit.spent++
      } else unit.selected.push(...(verdict.selected ?? []))
      if (test.options === undefined) break
      session.support.recordAccepted(unit.site, constructsOf(test.options))
      if (verdict.vacuous !== true) passed.add(unit.rule.area, constructsOf(test.options))
      break
    case 'unsupported':
      unit.unsupported++
      unit.spent++
      session.support.recordRejected(unit.site, verdict.constructs)
      break
    case 'inconclusive':
      unit.inconclusive++
      unit.spent += 2
      unit.why = verdict.why
      break
    case 'fail':
      break
  }
}

/** Confirms a finding, makes it small, and keeps it. */
async function confirmAndReduce(
  unit: ScheduledRule,
  test: TestCase,
  first: Finding,
  bench: ScheduleContext,
): Promise<void> {
  const { live, transport, violations } = bench
  const { rule, site } = unit
  if (violations.isKnown(rule, site, first)) {
    unit.violations++
    return
  }
  if (await bench.choiceLearner.reconsider(test, site)) {
    unit.inconclusive++
    unit.why = 'it rested on what was learned of a choice, and that turned out to be otherwise'
    return
  }
  if (await isExplainedByPrerequisite(unit, test, bench)) {
    unit.violations++
    return
  }
  const fails = async (tried: TestCase): Promise<Finding | undefined> => {
    live.invalidate()
    const verdict = await rule.check(tried, site, live.session)
    return verdict.kind === 'fail' ? verdict.finding : undefined
  }
  bench.onPhase('confirm')
  const confirmation = await confirm(() => fails(test), live.refresh, live.takeReadSites)
  if (confirmation.kind !== 'confirmed') {
    recordDoubt(unit, confirmation.kind)
    return
  }
  unit.violations++
  const start = transport.requestsSent()
  const small = await reduceConfirmed(unit, test, first, confirmation.finding, fails, bench)
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
  bench.monitor.takeSuspected()
}

/** Whether the fault is that of a plainer rule, which then has it. */
async function isExplainedByPrerequisite(
  unit: ScheduledRule,
  test: TestCase,
  bench: ScheduleContext,
): Promise<boolean> {
  const { live, choiceLearner: learning, violations } = bench
  for (const { unit: basis, test: plainest } of prerequisitesOf(unit, test, bench.units, live.session)) {
    const { rule, site, rank } = basis
    await learning.learnFor(rule)
    live.invalidate()
    const verdict = await rule.check(plainest, site, live.session)
    if (verdict.kind !== 'fail') continue
    // Its own turn is not over for what others come upon.
    await confirmAndReduce(scheduledRule(rule, site, rank), plainest, verdict.finding, bench)
    if (violations.isKnown(rule, site, verdict.finding, unit)) return true
  }
  return false
}

async function reduceConfirmed(
  { rule, site }: ScheduledRule,
  test: TestCase,
  first: Finding,
  finding: Finding,
  fails: (tried: TestCase) => Promise<Finding | undefined>,
  { live, transport, onPhase }: RunContext,
): Promise<{ readonly test: TestCase; readonly finding: Finding }> {
  onPhase('reduce')
  try {
    const more = (smaller: TestCase): Iterable<TestCase> => rule.shrink?.(smaller, site, live.session) ?? []
    const small = await reduceCase(
      test,
      async tried => (await fails(tried)) !== undefined,
      more,
      transport.requestsSent,
      rule.requiredOptions,
    )
    if (small === test) return { test, finding }
    live.takeReadSites()
    const again = await confirm(() => fails(small), live.refresh, live.takeReadSites)
    return again.kind === 'confirmed' ? { test: small, finding: again.finding } : { test, finding }
  } catch (error) {
    // What was confirmed stays so when the budget ends while it is made small.
    if (error instanceof BudgetExhausted) return { test, finding: finding.answers.length > 0 ? finding : first }
    throw error
  }
}

function recordDoubt(unit: ScheduledRule, kind: 'flaky' | 'unstable'): void {
  if (kind === 'flaky') unit.flaky++
  else {
    unit.inconclusive++
    unit.why = 'the data changed each time it was looked at again'
  }
}

/** Looks into what a watching rule saw: reads are sent again, writes made again with their case. */
export async function confirmSuspectedViolation(
  sighting: SuspectedViolation,
  source: { readonly unit: ScheduledRule; readonly test: TestCase } | undefined,
  bench: Omit<RunContext, 'choiceLearner'>,
): Promise<void> {
  const { rule: watch, answer, site, finding: first } = sighting
  const { live, transport, violations, monitor: watching } = bench
  if (violations.isKnown(watch, site, first)) return
  const key = findingKey(watch.area, first)
  const same = ({ rule: seen, finding }: SuspectedViolation): boolean =>
    seen === watch && findingKey(seen.area, finding) === key
  const isRead = answer.request.method === 'GET' || answer.request.method === 'HEAD'
  if (!isRead && source === undefined) return
  const again = async (): Promise<Finding | undefined> => {
    watching.takeSuspected()
    live.invalidate()
    if (isRead) await live.session.send(answer.testRequest)
    else if (source !== undefined) await source.unit.rule.check(source.test, source.unit.site, live.session)
    return watching.takeSuspected().find(same)?.finding
  }
  bench.onPhase('confirm')
  live.takeReadSites()
  if (site !== undefined) live.session.snapshot(site)
  const confirmation = await confirm(again, live.refresh, live.takeReadSites)
  watching.takeSuspected()
  if (confirmation.kind !== 'confirmed') return
  violations.add(
    {
      rule: watch,
      site,
      finding: confirmation.finding,
      replay: replayOf(watch, answer, site, source, live),
      confirmed: confirmation.how,
      reduced: { from: 0, to: 0, requests: 0 },
      requestsSent: transport.requestsSent(),
    },
    first,
  )
}

function replayOf(
  watch: PassiveRule,
  answer: TestResponse,
  site: Site | undefined,
  source: { readonly unit: ScheduledRule; readonly test: TestCase } | undefined,
  live: LiveSession,
): Replay | undefined {
  const path = live.belowRoot(answer.testRequest.path)
  const isRead = answer.request.method === 'GET' || answer.request.method === 'HEAD'
  if (isRead && path !== undefined) {
    return { rule: watch.id, site: site?.id ?? '', test: {}, request: { ...answer.testRequest, path } }
  }
  if (source === undefined) return undefined
  return { rule: watch.id, activeRule: source.unit.rule.id, site: source.unit.site.id, test: source.test }
}

/** What must hold for a case of another rule to say something of that rule. */
interface Prerequisite {
  readonly unit: ScheduledRule
  readonly test: TestCase
}

/**
 * The plainest cases that one rests on: the order that its pages are of, the filter whose rows it counts. A rule that has
 * such cases itself rests on no other.
 */
function prerequisitesOf(
  { rule, site }: ScheduledRule,
  test: TestCase,
  units: readonly ScheduledRule[],
  session: Session,
): readonly Prerequisite[] {
  if (rule.prerequisite !== undefined) return []
  const asked = units.filter(unit => unit.rule.prerequisite !== undefined && isAskedBy(site, unit.site))
  return (rule.queries?.(test) ?? queriesOf(test)).flatMap(query =>
    asked.flatMap(unit => {
      const plainest = unit.rule.prerequisite?.(query, unit.site, session)
      return plainest === undefined ? [] : [{ unit, test: plainest }]
    }),
  )
}

function queriesOf({ options, predicates = [] }: TestCase): readonly QueryOptions[] {
  return [...(options === undefined ? [] : [options]), ...predicates.map(filter => ({ filter }))]
}

/** A count is that of the list at the path above it. */
function isAskedBy({ id, endpoint, path }: Site, list: Site): boolean {
  if (list.id === id) return true
  return endpoint.kind === 'count' && list.path === path.replace(/\/(?:\$|%24)count$/i, '')
}
