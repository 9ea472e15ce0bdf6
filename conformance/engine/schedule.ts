import type { Endpoint } from '../../spec/language/index.js'
import type { CoverageRecord } from '../coverage/coverage-record.js'
import { mainAspect } from '../coverage/declared-aspects.js'
import { indexUnits } from '../coverage/reach.js'
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
  /** How much less often it is its turn than that of the first site. */
  readonly lag: number
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

export function scheduledRule(rule: ActiveRule, site: Site, rank: number, lag: number = rank): ScheduledRule {
  return {
    rule,
    site,
    rank,
    lag,
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
    if (replay === undefined) {
      const sites = rule.sites(session)
      const lags = lagsOf(sites)
      return sites.map((site, rank) => scheduledRule(rule, site, rank, lags[rank]))
    }
    if (rule.id !== (replay.activeRule ?? replay.rule) || replay.request !== undefined) return []
    const site = session.sites.find(({ id }) => id === replay.site)
    if (site === undefined) return []
    return [{ ...scheduledRule(rule, site, 0), cases: { planned: [replay.test] } }]
  })
}

/** The first turn of a rule comes earlier than its weight alone would allow. */
const firstTurnFactor = 0.5
/** From here on, first turns follow one another closely: expensive rules also run somewhere before most rules run again. */
const lateFirstTurn = 0.15
const lateFirstTurnFactor = 0.1

/** When the first turn of a rule comes. It keeps the order of the rules. */
function firstTurn(turn: number): number {
  return turn <= lateFirstTurn ? turn : lateFirstTurn + (turn - lateFirstTurn) * lateFirstTurnFactor
}

/**
 * Each further site of a rule comes later, its first turn less so: a fault may be at one site only. Further sites of an endpoint
 * come much later.
 */
const laterEndpointLag = 0.7
const laterSiteLag = 1.5
const laterFirstTurnFactor = 0.75

function lagsOf(sites: readonly Site[]): readonly number[] {
  const endpoints = new Set<Endpoint>()
  let lag = -laterEndpointLag
  return sites.map(({ endpoint }) => {
    lag += endpoints.has(endpoint) ? laterSiteLag : laterEndpointLag
    endpoints.add(endpoint)
    return lag
  })
}

/**
 * The next rule and site: those that have cost least, relative to their weight. First sites come first, so that each
 * rule runs somewhere before any rule runs everywhere.
 */
export function nextScheduled(scheduledRules: readonly ScheduledRule[]): ScheduledRule | undefined {
  let best: ScheduledRule | undefined
  let least = Number.POSITIVE_INFINITY
  for (const scheduled of scheduledRules) {
    if (scheduled.done) continue
    const isFirstTurn = scheduled.checks === 0 && scheduled.pending === 0
    const cost = (scheduled.spent + scheduled.pending + scheduled.rule.cost) / scheduled.rule.weight
    const turn =
      scheduled.rank === 0 && isFirstTurn
        ? firstTurn(cost * firstTurnFactor)
        : cost * (1 + (isFirstTurn ? laterFirstTurnFactor * scheduled.rank : scheduled.lag))
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

/** An endpoint that nothing has checked yet, with the rules that can. */
interface Visit {
  readonly endpoint: Endpoint
  /** The cheapest first. */
  readonly candidates: readonly ScheduledRule[]
  tries: number
}

/** Finds rules for endpoints that nothing has checked yet. */
interface VisitPlan {
  /**
   * The next rule that visits an endpoint, if visits are due.
   *
   * @param requestsLeft without those that are reserved
   */
  readonly next: (requestsLeft: number) => ScheduledRule | undefined
}

/**
 * Visits are due when those that remain need this share of the remaining requests. On a small service, other rules visit
 * most endpoints before that. On a service with many endpoints, the visits come first.
 */
const dueShare = 0.5
/** How many rules to try at one endpoint. */
const maxTries = 4

export function planVisits(
  endpoints: readonly Endpoint[],
  scheduledRules: readonly ScheduledRule[],
  coverage: Pick<CoverageRecord, 'isAnswered'>,
): VisitPlan {
  let open: readonly Visit[] = visitsOf(endpoints, scheduledRules)
  return {
    next: requestsLeft => {
      open = open.filter(visit => isOpen(visit) && !coverage.isAnswered(visit.endpoint))
      const cost = open.reduce((sum, visit) => sum + (candidateOf(visit)?.rule.cost ?? 0), 0)
      if (cost < requestsLeft * dueShare) return undefined
      // Every endpoint is visited once before any is visited again.
      const least = Math.min(...open.map(({ tries }) => tries))
      const visit = open.find(({ tries }) => tries === least)
      const found = visit === undefined ? undefined : candidateOf(visit)
      if (visit !== undefined) visit.tries++
      return found
    },
  }
}

function isOpen(visit: Visit): boolean {
  return visit.tries < maxTries && candidateOf(visit) !== undefined
}

/** The rule to try next. Several tries of one rule make sense only while other rules are not left. */
function candidateOf({ candidates, tries }: Visit): ScheduledRule | undefined {
  const left = candidates.filter(({ done }) => !done)
  return left.find(({ started }) => started === 0) ?? left[tries % Math.max(1, left.length)]
}

function visitsOf(endpoints: readonly Endpoint[], scheduledRules: readonly ScheduledRule[]): readonly Visit[] {
  const units = indexUnits(scheduledRules)
  const visits = endpoints.flatMap(endpoint => {
    const candidates = units
      .about(endpoint, mainAspect(endpoint))
      .toSorted((a, b) => a.rule.cost - b.rule.cost || b.rule.weight - a.rule.weight || a.rank - b.rank)
    return candidates.length === 0 ? [] : [{ endpoint, candidates, tries: 0 }]
  })
  return visits.sort((a, b) => (a.candidates[0]?.rule.cost ?? 0) - (b.candidates[0]?.rule.cost ?? 0))
}
