import type { Case } from '../rule/case.js'
import type { Cases, Rule } from '../rule/rule.js'
import type { Site } from '../site/site.js'

/** One rule on one site, and how far it was tried. */
export interface Unit {
  readonly rule: Rule
  readonly site: Site
  /** Of the site among those of the rule. */
  readonly rank: number
  cases: Cases | undefined
  plannedTried: number
  slices: number
  checks: number
  trivial: number
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

export function unitOf(rule: Rule, site: Site, rank: number): Unit {
  return {
    rule,
    site,
    rank,
    cases: undefined,
    plannedTried: 0,
    slices: 0,
    checks: 0,
    trivial: 0,
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
export function nextPlanned(unit: Unit): Case | undefined {
  return unit.cases?.planned?.[unit.plannedTried]
}
