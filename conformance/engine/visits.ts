import type { Endpoint } from '../../spec/language/index.js'
import type { CoverageRecord } from '../coverage/coverage-record.js'
import { mainAspect } from '../coverage/declared-aspects.js'
import { indexUnits } from '../coverage/related-units.js'
import type { ScheduledRule } from './schedule.js'

/** An endpoint that nothing has checked yet, with the rules that can. */
interface Visit {
  readonly endpoint: Endpoint
  /** The cheapest first. */
  readonly candidates: readonly ScheduledRule[]
  tries: number
}

/** Finds rules for endpoints that nothing has checked yet. */
export interface VisitPlan {
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
