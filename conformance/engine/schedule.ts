import type { AspectGroup, Endpoint, Service } from '../../spec/language/index.js'
import type { CoverageRecord } from '../coverage/coverage-record.js'
import { declaredAspects, mainAspect } from '../coverage/declared-aspects.js'
import { indexUnits } from '../coverage/reach.js'
import type { Site } from '../discover/site.js'
import type { Transport } from '../http/transport.js'
import type { Phase, Progress } from '../options.js'
import type { Replay } from '../report/replay-token.js'
import type { ActiveRule, Rule, TestCase, TestCases } from '../rule/rule.js'
import type { Session } from '../session/session.js'
import {
  lastTurns,
  laterTurns,
  type PrioritizedTurns,
  prioritizedTurns,
  requestsBeforeLastTurns,
} from './prioritized-turns.js'

/** One rule on one site, with its progress. */
export interface ScheduledRule {
  readonly rule: ActiveRule
  readonly site: Site
  /** Index of the site among those of the rule. */
  readonly rank: number
  /** How much less often it is its turn than that of the first site. */
  readonly lag: number
  cases: TestCases | undefined
  /** Turns that were begun. */
  turns: number
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
    turns: 0,
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
const firstTurnFactor = 0.3
/** The first turns of expensive rules come later: in the same number of requests, several others find more. */
const firstTurnExponent = 1.6
/** From here on, first turns follow one another closely: expensive rules also run somewhere before most rules run again. */
const lateFirstTurn = 0.12
const lateFirstTurnFactor = 0.2

/** At how many sites, one after another, a rule has its first turn until it proves something. */
const sitesToProve = 4

/** From here on, what a rule has planned at its first site comes soon: it may find what random cases elsewhere cannot. */
const latePlan = 0.85
const latePlanFactor = 0.1

/** A turn that comes late comes sooner by a factor. It keeps the order of the rules. */
function sooner(turn: number, late: number, factor: number): number {
  return turn <= late ? turn : late + (turn - late) * factor
}

/**
 * Each further site of a rule comes later, its first turn less so: a fault may be at one site only. Further sites of an endpoint
 * come much later.
 */
const laterEndpointLag = 0.7
const laterSiteLag = 1.5
const laterFirstTurnFactor = 1.1

function lagsOf(sites: readonly Site[]): readonly number[] {
  const endpoints = new Set<Endpoint>()
  let lag = -laterEndpointLag
  return sites.map(({ endpoint }) => {
    lag += endpoints.has(endpoint) ? laterSiteLag : laterEndpointLag
    endpoints.add(endpoint)
    return lag
  })
}

/** A rule that takes more requests waits for its turn, even for its first one. */
const mostOfFirstTurn = 6

/**
 * The next rule and site: first by priority, then each rule that had no turn, and then the one whose turn it is. If few requests are
 * left, rules that had no turn come first.
 */
export function nextScheduled(
  scheduledRules: readonly ScheduledRule[],
  requestsLeft: number = Number.POSITIVE_INFINITY,
): ScheduledRule | undefined {
  const byRule = new Map<string, ScheduledRule[]>()
  for (const each of scheduledRules) {
    const sites = byRule.get(each.rule.id)
    if (sites === undefined) byRule.set(each.rule.id, [each])
    else sites.push(each)
  }
  const waiting = [...byRule.values()].filter(
    sites => turnsOf(sites) === 0 && sites.some(({ rule }) => rule.cost <= mostOfFirstTurn),
  )
  const firstTurn = byTurn(waiting.flat())
  const cost = waiting.reduce((sum, [each]) => sum + (each?.rule.cost ?? 0), 0)
  if (firstTurn !== undefined && cost > requestsLeft) return firstTurn
  const sent = scheduledRules.reduce((sum, { requests }) => sum + requests, 0)
  return (
    byPriority(prioritizedTurns, byRule) ??
    firstTurn ??
    byPriority(laterTurns, byRule) ??
    (sent < requestsBeforeLastTurns ? undefined : byPriority(lastTurns, byRule)) ??
    byTurn(scheduledRules)
  )
}

function byPriority(
  prioritized: readonly PrioritizedTurns[],
  byRule: ReadonlyMap<string, readonly ScheduledRule[]>,
): ScheduledRule | undefined {
  for (const [id, turns, where] of prioritized) {
    const sites = (byRule.get(id) ?? []).slice(0, where === 'first site' ? 1 : undefined)
    const next = turnsOf(sites) < turns ? byTurn(sites) : undefined
    if (next !== undefined) return next
  }
  return undefined
}

function turnsOf(sites: readonly ScheduledRule[]): number {
  return sites.reduce((sum, { turns }) => sum + turns, 0)
}

/**
 * The rule and site that have cost least, relative to their weight. First sites come first, so that each rule runs somewhere
 * before any rule runs everywhere.
 */
function byTurn(scheduledRules: readonly ScheduledRule[]): ScheduledRule | undefined {
  const proven = new Set<ActiveRule>()
  for (const each of scheduledRules) if (hasProved(each)) proven.add(each.rule)
  let best: ScheduledRule | undefined
  let least = Number.POSITIVE_INFINITY
  for (const scheduled of scheduledRules) {
    if (scheduled.done) continue
    const isFirstTurn = scheduled.checks === 0 && scheduled.pending === 0
    // Where the first site proves nothing, another one may.
    const isFirst = isFirstTurn && scheduled.rank < sitesToProve && !proven.has(scheduled.rule)
    if (isFirst) proven.add(scheduled.rule)
    const turn = isFirst ? firstTurnOf(scheduled) : laterTurnOf(scheduled, isFirstTurn)
    if (turn < least) {
      best = scheduled
      least = turn
    }
  }
  return best
}

/** Whether the rule has checked something at the site, or may do so now. */
function hasProved({ checks, vacuous, unsupported, inconclusive, pending }: ScheduledRule): boolean {
  return pending > 0 || checks > vacuous + unsupported + inconclusive
}

function costOf({ spent, pending, rule }: ScheduledRule): number {
  return (spent + pending + rule.cost) / rule.weight
}

function firstTurnOf({ spent, pending, rule }: ScheduledRule): number {
  const cost = (spent + pending + rule.cost) ** firstTurnExponent
  return sooner((cost / rule.weight) * firstTurnFactor, lateFirstTurn, lateFirstTurnFactor)
}

function laterTurnOf(scheduled: ScheduledRule, isFirstTurn: boolean): number {
  const { rank, lag, cases } = scheduled
  const turn = costOf(scheduled) * (1 + (isFirstTurn ? laterFirstTurnFactor * rank : lag))
  const isPlanned = rank === 0 && cases?.random === undefined && nextPlanned(scheduled) !== undefined
  return isPlanned ? sooner(turn, latePlan, latePlanFactor) : turn
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

/** An aspect of an endpoint that nothing has checked yet, with the rules that can. */
interface Visit {
  readonly endpoint: Endpoint
  readonly aspect: AspectGroup
  /** The cheapest first, but those that only cause errors last. */
  readonly candidates: readonly ScheduledRule[]
  tries: number
}

/** Finds rules for endpoints that nothing has checked yet, and later for their other aspects. */
interface VisitPlan {
  /**
   * The next rule that visits an endpoint or an aspect, if visits are due; otherwise the rule that is scheduled.
   *
   * @param requestsLeft without those that are reserved
   */
  readonly instead: (scheduled: ScheduledRule | undefined, requestsLeft: number) => ScheduledRule | undefined
}

/**
 * Visits are due when those that remain need this share of the remaining requests. On a small service, other rules visit
 * most endpoints before that. On a service with many endpoints, the visits come first.
 */
const dueShare = 0.5
/** A rule may need as many times its cost: some that write do. */
const mostTimesCost = 5
/** How urgent a visit is to an endpoint that returned errors only. */
const errorUrgency = 0.25
/** How many rules to try at one endpoint. */
const maxTries = 4
/** On a service with more of them, visits to the other aspects of endpoints leave no room for random cases. */
const mostAspects = 200

/** What has been checked. */
type Coverage = Pick<CoverageRecord, 'answerOf' | 'at'>

/** The parts of a service that say what to visit. */
type Declared = Pick<Service, 'endpoints' | 'authentication'>

export function planVisits(service: Declared, scheduledRules: readonly ScheduledRule[], coverage: Coverage): VisitPlan {
  const isVisited = ({ endpoint, aspect }: Visit): boolean => {
    if (aspect === mainAspect(endpoint)) return coverage.answerOf(endpoint) === 'yes'
    const found = coverage.at({ endpoint, aspect })
    return found !== undefined && found.checked + found.refused > 0
  }
  const visits = visitsOf(service, scheduledRules)
  let endpoints: readonly Visit[] = visits.filter(({ endpoint, aspect }) => aspect === mainAspect(endpoint))
  let aspects: readonly Visit[] = visits.filter(visit => !endpoints.includes(visit))
  if (aspects.length > mostAspects) aspects = []
  return {
    instead: (scheduled, requestsLeft) => {
      const stillOpen = (visit: Visit): boolean => isOpen(visit) && !isVisited(visit)
      const most = (scheduled?.rule.cost ?? 0) * mostTimesCost
      const dueOf = (open: readonly Visit[]): ScheduledRule | undefined => {
        const cost = open.reduce((sum, visit) => sum + costOfVisit(visit, coverage), 0)
        if (open.length === 0 || cost < Math.min(requestsLeft * dueShare, requestsLeft - most)) return undefined
        // Every endpoint is visited once before any is visited again.
        const least = Math.min(...open.map(({ tries }) => tries))
        const visit = open.find(({ tries }) => tries === least)
        const found = visit === undefined ? undefined : candidateOf(visit)
        if (visit !== undefined) visit.tries++
        return found
      }
      endpoints = endpoints.filter(stillOpen)
      aspects = aspects.filter(stillOpen)
      return dueOf(endpoints) ?? dueOf(aspects) ?? scheduled
    },
  }
}

function costOfVisit(visit: Visit, coverage: Coverage): number {
  const cost = candidateOf(visit)?.rule.cost ?? 0
  const isByError = visit.aspect === mainAspect(visit.endpoint) && coverage.answerOf(visit.endpoint) === 'by-error'
  return isByError ? cost * errorUrgency : cost
}

function isOpen(visit: Visit): boolean {
  return visit.tries < maxTries && candidateOf(visit) !== undefined
}

/** The rule to try next. Several tries of one rule make sense only while other rules are not left. */
function candidateOf({ candidates, tries }: Visit): ScheduledRule | undefined {
  const left = candidates.filter(({ done }) => !done)
  return left.find(({ started }) => started === 0) ?? left[tries % Math.max(1, left.length)]
}

/** Its responses are errors, which show little of what an endpoint is for. */
function causesErrors({ area }: Pick<ActiveRule, 'area'>): boolean {
  return area === 'errors' || area === 'authentication'
}

function visitsOf(service: Declared, scheduledRules: readonly ScheduledRule[]): readonly Visit[] {
  const units = indexUnits(scheduledRules)
  const visits = service.endpoints.flatMap(endpoint =>
    [...declaredAspects(endpoint, service)].flatMap(aspect => {
      const candidates = units
        .about(endpoint, aspect)
        .toSorted(
          (a, b) =>
            Number(causesErrors(a.rule)) - Number(causesErrors(b.rule)) ||
            a.rule.cost - b.rule.cost ||
            b.rule.weight - a.rule.weight ||
            a.rank - b.rank,
        )
      return candidates.length === 0 ? [] : [{ endpoint, aspect, candidates, tries: 0 }]
    }),
  )
  return visits.sort((a, b) => (a.candidates[0]?.rule.cost ?? 0) - (b.candidates[0]?.rule.cost ?? 0))
}
