import type { Arbitrary } from 'fast-check'
import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import type { Aspect } from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import type { Json } from '../json.js'
import type { Session } from '../session/session.js'
import type { Finding, Verdict } from './verdict.js'

/** The part of the interface that a rule checks. */
export const areas = [
  'authentication',
  'errors',
  'filter',
  'aggregation',
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

export interface RuleMetadata {
  /** In kebab-case. Its meaning never changes. */
  readonly id: string
  readonly area: Area
  /** The requirement, in one sentence. */
  readonly statement: string
  /** Why it matters, and how to fix such a bug. `--explain` prints it. */
  readonly advice: string
  /** The aspects of a service that it checks. Reports quote the clauses of the spec on them, or else the standard. */
  readonly aspects: readonly Aspect[]
  /** What it covers: constructs such as `filter.contains`, `orderby`, `endpoint.delta`, `error.itemNotFound`. */
  readonly covers: readonly string[]
  /**
   * `must`: the interface states the requirement. `should`: only a standard such as HTTP or JSON states it, or a service
   * that violates it contradicts itself.
   */
  readonly severity: 'must' | 'should'
}

/** A rule of the catalogue. */
export type Rule = ActiveRule | PassiveRule

/** A rule that sends requests: on each of its sites, one case after another. */
export interface ActiveRule extends RuleMetadata {
  readonly kind: 'active'
  /** Whether it creates items, and changes or deletes the items it created. */
  readonly writes: boolean
  /** Whether it changes items that existed before, and sets their old values again. Default: it does not. */
  readonly changesExisting?: boolean
  /** Approximate number of requests per check. */
  readonly cost: number
  /**
   * Priority from 1 to 10, or more for the rule that finds most. Rules that find more with fewer requests run earlier
   * and more often.
   */
  readonly weight: number
  /** Where it applies, the most informative site first. Empty if the spec declares nothing to check. */
  readonly sites: (session: Session) => readonly Site[]
  readonly cases: (site: Site, session: Session) => TestCases
  /**
   * Sends requests and checks the responses. It depends on the case and the session only, so that the engine can repeat
   * it to confirm and to reduce a violation.
   */
  readonly check: (test: TestCase, site: Site, session: Session) => Promise<Verdict>
  /** Options that reduction must keep, because the rule is about them: those that it covers and all its cases have. */
  readonly requiredOptions?: readonly (keyof QueryOptions)[]
  /** The queries that a case sends. Default: its options, and each of its predicates as a filter. */
  readonly queries?: (test: TestCase) => readonly QueryOptions[]
  /**
   * The simplest case of this rule that another rule's query depends on, if there is one. If it fails, this rule
   * reports the violation.
   */
  readonly prerequisite?: (query: QueryOptions, site: Site, session: Session) => TestCase | undefined
  /** Smaller cases that may still fail, in addition to dropped options and simplified expressions. */
  readonly shrink?: (test: TestCase, site: Site, session: Session) => Iterable<TestCase>
}

export interface TestCases {
  /** These run first, in order. */
  readonly planned?: readonly TestCase[]
  /** Then the engine draws cases until the budget is used up. */
  readonly random?: Arbitrary<TestCase>
  /** Why there are no cases: what the data lack. */
  readonly skipReason?: string
  /** Bug models that no filter can detect with these data. */
  readonly undetectableBugs?: readonly string[]
}

/** A rule that sends no requests. It inspects every response that other rules receive. */
export interface PassiveRule extends RuleMetadata {
  readonly kind: 'passive'
  /** Returns `seen` if the response is relevant and correct. */
  readonly inspect: (response: TestResponse, site: Site | undefined, session: Session) => Finding | 'seen' | undefined
}

/**
 * What one check is about. A case is plain data, so that it can be reduced, stored and repeated. Each rule uses the
 * members it needs.
 */
export interface TestCase {
  readonly options?: QueryOptions
  /** Predicates that the rule relates to each other, in addition to `options.filter`. */
  readonly predicates?: readonly Expression[]
  /** The key of a row, in the format of `keyOf`. */
  readonly key?: string
  /** Name or path of a property, a navigation property, a header or an option. */
  readonly name?: string
  /** A variant that the rule defines. */
  readonly variant?: string
  readonly text?: string
  readonly numbers?: readonly number[]
  /** The steps of a life cycle. */
  readonly steps?: readonly TestStep[]
}

/** A step of a life cycle. `item` is the index of the item among those that the case has created. */
export interface TestStep {
  readonly action: string
  readonly item?: number
  readonly body?: Json
  /** The properties that a `read` selects. All if absent. */
  readonly select?: readonly string[]
}
