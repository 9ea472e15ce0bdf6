import fc from 'fast-check'
import { BudgetExhausted } from '../http/transport.js'
import type { TestCase } from '../rule/rule.js'
import type { Verdict } from '../rule/verdict.js'
import type { CheckView } from './live-session.js'
import { type RuleContext, recordCheck, type ScheduleContext } from './record-check.js'
import type { GeneratedCase } from './reduce.js'
import { nextPlanned, nextScheduled, planVisits, type ScheduledRule, seedOf } from './schedule.js'

/** Requests reserved for confirming the last violation. */
const reservedRequests = 40
/** Random cases per turn. */
const casesPerTurn = 4
/** Maximum number of violations per rule and site. */
const maxViolationsPerSite = 4
/** Maximum number of unconfirmed or inconclusive results per rule and site. */
const maxDoubtsPerSite = 6
/** Maximum number of checks that prove nothing, beyond the requests that were sent. They would never use up the budget. */
const maxIdleChecks = 40
/** Maximum number of turns under way. It does not depend on the concurrency, so that the same seed gives the same run. */
const maxTurns = 48
/** The same at the start: a fault that shows in the first responses ends a run early, before others are asked. */
const firstTurns = 4
/** The number of settled turns after which more may be under way, and of those that settle before each further one. */
const startTurns = 64
const turnsPerGrowth = 2
/** A turn may send more requests than its rule usually does. */
const safetyFactor = 5
/** After so many requests, the run waits for all turns and counts exactly. */
const requestsPerCount = 1000

/**
 * Runs rules in turn until the budget is used up or nothing is left to try. Several turns of rules that only read are
 * under way at a time. Their results are settled in the order in which the turns began, and each check sees only what was
 * settled before it began. So the results do not depend on how fast the service answers.
 */
export async function runRules(scheduledRules: readonly ScheduledRule[], context: RuleContext): Promise<void> {
  const { transport } = context
  const kept = Math.min(reservedRequests, Math.floor(transport.requestsLeft() / 20))
  const run: ScheduleContext = { ...context, units: scheduledRules }
  const visits = planVisits(context.live.shared.session.service, scheduledRules, context.coverage)
  const underWay: Turn[] = []
  let left = transport.requestsLeft()
  let uncounted = 0
  let settled = 0
  const settleFirst = async (): Promise<void> => {
    const turn = underWay.shift()
    if (turn === undefined) return
    const requests = await settleTurn(turn, underWay, run)
    left -= requests
    uncounted += requests
    settled++
  }
  const settleAll = async (): Promise<void> => {
    while (underWay.length > 0) await settleFirst()
    left = transport.requestsLeft()
    uncounted = 0
  }
  try {
    for (;;) {
      if (uncounted >= requestsPerCount) await settleAll()
      const expected = underWay.reduce((sum, { cost }) => sum + cost, 0)
      // Near the end, turns run one by one, so that the budget ends at the same request in each run.
      const isFull = underWay.length >= mostUnderWay(settled) || left - safetyFactor * expected <= kept
      if (underWay.length > 0 && isFull) {
        await settleFirst()
        continue
      }
      if (left <= kept) await settleAll()
      if (left <= kept) return
      const scheduled = visits.instead(nextScheduled(scheduledRules, left - kept), left - kept)
      if (scheduled === undefined) {
        if (underWay.length === 0) return
        await settleFirst()
        continue
      }
      context.onPhase('check')
      scheduled.turns++
      if (scheduled.rule.writes) {
        await settleAll()
        await takeWritingTurn(scheduled, run)
        left = transport.requestsLeft()
      } else underWay.push(await beginTurn(scheduled, left, run))
    }
  } catch (error) {
    await finishWithoutBudget(underWay, error, run)
    throw error
  }
}

function mostUnderWay(settled: number): number {
  const growth = Math.max(0, settled - startTurns) / turnsPerGrowth
  return Math.min(maxTurns, firstTurns + Math.floor(growth))
}

/** The end of the budget does not take back what was checked before. */
async function finishWithoutBudget(underWay: readonly Turn[], error: unknown, context: ScheduleContext): Promise<void> {
  const results = await Promise.all(underWay.flatMap(({ checks }) => checks))
  if (!(error instanceof BudgetExhausted)) return
  for (const each of results) {
    if (each.kind === 'checked' && each.verdict.kind !== 'fail') await recordCheck(each, [], context)
  }
}

/** Cases of one rule on one site that are checked at the same time. */
interface Turn {
  readonly scheduled: ScheduledRule
  readonly checks: readonly Promise<CheckResult>[]
  /** The approximate number of requests. */
  readonly cost: number
}

type CheckResult =
  | {
      readonly kind: 'checked'
      readonly scheduled: ScheduledRule
      readonly test: TestCase
      readonly generated?: GeneratedCase
      readonly verdict: Verdict
      readonly view: CheckView
    }
  | { readonly kind: 'ended'; readonly error: unknown }

async function beginTurn(scheduled: ScheduledRule, left: number, context: ScheduleContext): Promise<Turn> {
  const cases = await nextCases(scheduled, context)
  const checks = cases.map(each => checkCase(scheduled, each, context, left))
  const cost = cases.length * scheduled.rule.cost
  scheduled.pending += cost
  return { scheduled, checks, cost }
}

interface NextCase {
  readonly test: TestCase
  readonly generated?: GeneratedCase
}

/** The next planned case, or a few random ones. None: the rule is done at this site. */
async function nextCases(scheduled: ScheduledRule, context: ScheduleContext): Promise<readonly NextCase[]> {
  const { rule, site } = scheduled
  if (scheduled.started >= context.runs) {
    scheduled.done = true
    return []
  }
  await context.choiceLearner.learnFor(rule)
  scheduled.cases ??= rule.cases(site, context.live.openCheck({ site }).session)
  const planned = nextPlanned(scheduled)
  if (planned !== undefined) {
    scheduled.plannedTried++
    scheduled.started++
    return [{ test: planned }]
  }
  const { random, skipReason } = scheduled.cases
  if (random !== undefined) return randomCases(scheduled, random, context)
  scheduled.done = true
  if (scheduled.started === 0) scheduled.why = skipReason ?? 'there were no cases'
  return []
}

/** Draws a few cases, as fast-check would check them in a property. */
function randomCases(
  scheduled: ScheduledRule,
  random: fc.Arbitrary<TestCase>,
  context: ScheduleContext,
): readonly NextCase[] {
  const { rule, site, started } = scheduled
  const seed = seedOf(context.seed, `${rule.id} ${site.id} ${scheduled.randomTurns++}`)
  const numRuns = Math.max(1, Math.min(casesPerTurn, Math.ceil(casesPerTurn / rule.cost), context.runs - started))
  const drawn: NextCase[] = []
  const property = fc.property(random, test => {
    drawn.push({ test, generated: { arbitrary: random, seed, index: drawn.length } })
  })
  fc.check(property, { seed, numRuns })
  scheduled.started += drawn.length
  if (drawn.length === 0) scheduled.spent++
  return drawn
}

async function checkCase(
  scheduled: ScheduledRule,
  each: NextCase,
  { live }: ScheduleContext,
  requestsLeft?: number,
): Promise<CheckResult> {
  const view = live.openCheck({ site: scheduled.site, requestsLeft, mayReuse: true })
  try {
    const verdict = await scheduled.rule.check(each.test, scheduled.site, view.session)
    return { kind: 'checked', scheduled, ...each, verdict, view }
  } catch (error) {
    return { kind: 'ended', error }
  }
}

/** Settles the checks of a turn in order. Returns the number of requests that they sent. */
async function settleTurn(turn: Turn, others: readonly Turn[], context: ScheduleContext): Promise<number> {
  const { scheduled, checks } = turn
  scheduled.pending -= turn.cost
  let requests = 0
  for (const check of checks) {
    const result = await check
    if (result.kind === 'ended') throw result.error
    requests += result.view.requests()
    await settleResult(result, [turn, ...others], context)
  }
  endTurn(scheduled, context)
  return requests
}

async function settleResult(
  result: Extract<CheckResult, { kind: 'checked' }>,
  others: readonly Turn[],
  context: ScheduleContext,
): Promise<void> {
  const suspected = [...context.live.shared.takeSuspected(), ...result.view.takeSuspected()]
  // Confirming reads the data anew, which must not happen in the middle of other checks.
  if (result.verdict.kind === 'fail' || suspected.length > 0) {
    await Promise.all(others.flatMap(({ checks }) => checks))
  }
  await recordCheck(result, suspected, context)
  result.view.share()
}

/** Writes and the reads that check them stay in order. The first failing case ends the turn. */
async function takeWritingTurn(scheduled: ScheduledRule, context: ScheduleContext): Promise<void> {
  const restoreVersions = context.live.savepoint()
  for (const each of await nextCases(scheduled, context)) {
    const result = await checkCase(scheduled, each, context)
    if (result.kind === 'ended') throw result.error
    await settleResult(result, [], context)
    if (result.verdict.kind === 'fail') break
  }
  restoreVersions()
  endTurn(scheduled, context)
}

function endTurn(scheduled: ScheduledRule, { runs }: ScheduleContext): void {
  const doubts = scheduled.flaky + scheduled.inconclusive
  const idle = scheduled.vacuous - scheduled.requests
  if (
    scheduled.checks >= runs ||
    scheduled.violations >= maxViolationsPerSite ||
    doubts >= maxDoubtsPerSite ||
    idle >= maxIdleChecks
  )
    scheduled.done = true
}
