import type { Site } from '../discover/site.js'
import type { Transport } from '../http/transport.js'
import type { Phase, Progress } from '../options.js'
import type { Replay } from '../report/replay-token.js'
import type { ActiveRule, Rule, TestCase, TestCases } from '../rule/rule.js'
import type { Session } from '../session/session.js'

/** One rule on one site, with its progress. */
export interface ScheduledRule {
  readonly rule: ActiveRule
  readonly site: Site
  /** Index of the site among those of the rule. */
  readonly rank: number
  cases: TestCases | undefined
  plannedTried: number
  randomTurns: number
  /** Cases that were begun. */
  started: number
  checks: number
  vacuous: number
  /** The shares of the rows that filters selected, in checks that were not vacuous. */
  readonly selected: number[]
  unsupported: number
  inconclusive: number
  flaky: number
  violations: number
  requests: number
  /** Cost in requests. Inconclusive results count more. */
  spent: number
  /** The expected cost of the turns under way. */
  pending: number
  done: boolean
  why: string | undefined
}

export function scheduledRule(rule: ActiveRule, site: Site, rank: number): ScheduledRule {
  return {
    rule,
    site,
    rank,
    cases: undefined,
    plannedTried: 0,
    randomTurns: 0,
    started: 0,
    checks: 0,
    vacuous: 0,
    selected: [],
    unsupported: 0,
    inconclusive: 0,
    flaky: 0,
    violations: 0,
    requests: 0,
    spent: 0,
    pending: 0,
    done: false,
    why: undefined,
  }
}

/** The next planned case. */
export function nextPlanned(scheduled: ScheduledRule): TestCase | undefined {
  return scheduled.cases?.planned?.[scheduled.plannedTried]
}

/** Schedules each rule on each of its sites. A replay schedules its rule on its site with its case. */
export function scheduleRules(
  rules: readonly Rule[],
  session: Session,
  replay: Replay | undefined,
): readonly ScheduledRule[] {
  return rules.flatMap(rule => {
    if (rule.kind === 'passive' || (rule.writes && session.ledger === undefined)) return []
    if (replay === undefined) return rule.sites(session).map((site, rank) => scheduledRule(rule, site, rank))
    if (rule.id !== (replay.activeRule ?? replay.rule) || replay.request !== undefined) return []
    const site = session.sites.find(({ id }) => id === replay.site)
    if (site === undefined) return []
    return [{ ...scheduledRule(rule, site, 0), cases: { planned: [replay.test] } }]
  })
}

/** The first turn of a rule comes earlier than its weight alone would allow. */
const firstTurnFactor = 0.5
/** Each further site of a rule comes later. */
const laterSiteFactor = 1.5

/**
 * The next rule and site: those that have cost least, relative to their weight. First sites come first, so that each
 * rule runs somewhere before any rule runs everywhere.
 */
export function nextScheduled(scheduledRules: readonly ScheduledRule[]): ScheduledRule | undefined {
  let best: ScheduledRule | undefined
  let least = Number.POSITIVE_INFINITY
  for (const scheduled of scheduledRules) {
    if (scheduled.done) continue
    const share =
      scheduled.rank === 0 && scheduled.checks === 0 && scheduled.pending === 0
        ? firstTurnFactor
        : 1 + laterSiteFactor * scheduled.rank
    const turn = ((scheduled.spent + scheduled.pending + scheduled.rule.cost) / scheduled.rule.weight) * share
    if (turn < least) {
      best = scheduled
      least = turn
    }
  }
  return best
}

/**
 * The progress of a run.
 *
 * @param elapsed seconds
 */
export function progressOf(
  phase: Phase,
  scheduledRules: readonly ScheduledRule[],
  transport: Transport,
  requestLimit: number,
  violations: number,
  elapsed: number,
): Progress {
  const requests = transport.requestsSent()
  const rules = new Set<ScheduledRule['rule']>()
  const exercised = new Set<ScheduledRule['rule']>()
  for (const { rule, checks } of scheduledRules) {
    rules.add(rule)
    if (checks > 0) exercised.add(rule)
  }
  const left = requests === 0 ? undefined : (elapsed / requests) * transport.requestsLeft()
  return {
    phase,
    rulesExercised: exercised.size,
    rules: rules.size,
    requests,
    requestLimit,
    violations,
    elapsed,
    ...(left === undefined ? {} : { left }),
  }
}

/** Derives a seed for one part of a run from its name, so that skipping a part does not change the others. */
export function seedOf(seed: number, part: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (const letter of part) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}
