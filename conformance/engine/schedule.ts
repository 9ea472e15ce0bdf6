import type { Site } from '../discover/site.js'
import type { Transport } from '../http/transport.js'
import type { Phase, Progress } from '../options.js'
import type { Replay } from '../report/replay-token.js'
import type { ActiveRule, PassiveRule, TestCase, TestCases } from '../rule/rule.js'
import type { Session } from '../session/session.js'

/** One rule on one site, and how far it was tried. */
export interface ScheduledRule {
  readonly rule: ActiveRule
  readonly site: Site
  /** Of the site among those of the rule. */
  readonly rank: number
  cases: TestCases | undefined
  plannedTried: number
  randomTurns: number
  checks: number
  vacuous: number
  /** What the filters of checks that were not trivial selected: shares of the rows. */
  readonly selected: number[]
  unsupported: number
  inconclusive: number
  flaky: number
  violations: number
  requests: number
  /** What it has cost, in requests; what told nothing counts more. */
  spent: number
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
    checks: 0,
    vacuous: 0,
    selected: [],
    unsupported: 0,
    inconclusive: 0,
    flaky: 0,
    violations: 0,
    requests: 0,
    spent: 0,
    done: false,
    why: undefined,
  }
}

/** The case that is next in its plan. */
export function nextPlanned(unit: ScheduledRule): TestCase | undefined {
  return unit.cases?.planned?.[unit.plannedTried]
}

/** Each rule on each of its sites; for a replay, its rule on its site with its case. */
export function scheduleRules(
  rules: readonly (ActiveRule | PassiveRule)[],
  session: Session,
  replay: Replay | undefined,
): readonly ScheduledRule[] {
  return rules.flatMap(rule => {
    if (rule.kind === 'watching' || (rule.writes && session.ledger === undefined)) return []
    if (replay === undefined) return rule.sites(session).map((site, rank) => scheduledRule(rule, site, rank))
    if (rule.id !== (replay.activeRule ?? replay.rule) || replay.request !== undefined) return []
    const site = session.sites.find(({ id }) => id === replay.site)
    if (site === undefined) return []
    return [{ ...scheduledRule(rule, site, 0), cases: { planned: [replay.test] } }]
  })
}

/** How much sooner a rule is tried for the first time than its weight alone would have it. */
const firstTurnFactor = 0.5
/** How much later each further site of a rule has its turn. */
const laterSiteFactor = 1.5

/**
 * The unit whose turn it is: the one that, for its weight, has cost least so far. Of a rule's sites the first come first, so
 * that each rule is tried somewhere before any is tried everywhere.
 */
export function nextScheduled(units: readonly ScheduledRule[]): ScheduledRule | undefined {
  let best: ScheduledRule | undefined
  let least = Number.POSITIVE_INFINITY
  for (const unit of units) {
    if (unit.done) continue
    const share = unit.rank === 0 && unit.checks === 0 ? firstTurnFactor : 1 + laterSiteFactor * unit.rank
    const turn = ((unit.spent + unit.rule.cost) / unit.rule.weight) * share
    if (turn < least) {
      best = unit
      least = turn
    }
  }
  return best
}

/** How far a run has come. @param elapsed seconds */
export function progressOf(
  phase: Phase,
  units: readonly ScheduledRule[],
  transport: Transport,
  requestLimit: number,
  violations: number,
  elapsed: number,
): Progress {
  const requests = transport.requestsSent()
  const rules = new Set<ScheduledRule['rule']>()
  const exercised = new Set<ScheduledRule['rule']>()
  for (const { rule, checks } of units) {
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

/** A seed for one part of a run, from the run's seed and the part's name: parts that are left out change no others. */
export function seedOf(seed: number, part: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (const letter of part) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}
