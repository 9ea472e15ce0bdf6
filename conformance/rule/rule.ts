import type { Arbitrary } from 'fast-check'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { Answer } from '../http/answer.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import type { Case } from './case.js'
import type { Finding, Verdict } from './verdict.js'

/** The part of the interface that a rule is about. */
export const areas = [
  'authentication',
  'errors',
  'filter',
  'ordering',
  'paging',
  'top-skip-count',
  'select',
  'expand',
  'search',
  'advanced-queries',
  'items',
  'writing',
  'entity-tags',
  'preferences',
  'operations',
  'delta',
  'protocol',
  'choices',
] as const

export type Area = (typeof areas)[number]

export interface RuleFacts {
  /** Kebab-case, never changes its meaning. */
  readonly id: string
  readonly area: Area
  /** What must hold, in one sentence. */
  readonly statement: string
  /** Why it matters and how such a fault is usually mended, for `--explain`. */
  readonly advice: string
  /** Ids of the clauses that it holds, where a spec has them. */
  readonly clauses: readonly string[]
  /** What of a spec it covers: constructs such as `filter.contains`, `orderby`, `endpoint.delta`, `error.itemNotFound`. */
  readonly covers: readonly string[]
  /** `must`: the interface says so. `should`: a service that does otherwise contradicts itself or its protocol. */
  readonly severity: 'must' | 'should'
}

/** A rule that asks: on each site that it applies to, case after case. */
export interface Rule extends RuleFacts {
  readonly kind: 'asking'
  /** It creates, changes or deletes what it created. */
  readonly writes: boolean
  /** Requests that one check takes, about. */
  readonly cost: number
  /** How soon and how often it is tried, 1 to 10, and more for the one that finds most: rules that find more with less come first. */
  readonly weight: number
  /** Where it applies, the most telling site first. Empty: the spec declares nothing of the kind. */
  readonly sites: (session: Session) => readonly Site[]
  readonly cases: (site: Site, session: Session) => Cases
  /** Asks and compares. Plain in its case and the session, so that it can be run again to confirm and to reduce. */
  readonly check: (test: Case, site: Site, session: Session) => Promise<Verdict>
  /** Options without which a case says nothing of this rule: made smaller, it keeps them. */
  readonly about?: readonly (keyof QueryOptions)[]
  /** The queries that a case asks. Default: its options, and each of its predicates as a filter. */
  readonly queries?: (test: Case) => readonly QueryOptions[]
  /**
   * The plainest case of this rule that a query of another one rests on, absent when there is none. Where it fails, the
   * fault is this rule's, whoever came upon it.
   */
  readonly plainest?: (query: QueryOptions, site: Site, session: Session) => Case | undefined
  /** Smaller cases that may show the same, beside those that drop options and simplify expressions. */
  readonly smaller?: (test: Case, site: Site, session: Session) => Iterable<Case>
}

export interface Cases {
  /** Tried first, in order. */
  readonly planned?: readonly Case[]
  /** Then drawn from this, until the budget ends. */
  readonly random?: Arbitrary<Case>
  /** Why there are none: what the data lack. */
  readonly thin?: string
  /** Wrong implementations that no query could tell from right ones on these data. */
  readonly tooThinFor?: readonly string[]
}

/** A rule that only watches: it sees every answer that any rule gets. */
export interface Watch extends RuleFacts {
  readonly kind: 'watching'
  /** `seen`: it had something to look at. */
  readonly watch: (answer: Answer, site: Site | undefined, session: Session) => Finding | 'seen' | undefined
}
