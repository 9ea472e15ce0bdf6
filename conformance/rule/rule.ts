import type { Arbitrary } from 'fast-check'
import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import type { Json } from '../json.js'
import type { Session } from '../session/session.js'

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

export interface RuleMetadata {
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
export interface ActiveRule extends RuleMetadata {
  readonly kind: 'asking'
  /** It creates, changes or deletes what it created. */
  readonly writes: boolean
  /** Requests that one check takes, about. */
  readonly cost: number
  /** How soon and how often it is tried, 1 to 10, and more for the one that finds most: rules that find more with less come first. */
  readonly weight: number
  /** Where it applies, the most telling site first. Empty: the spec declares nothing of the kind. */
  readonly sites: (session: Session) => readonly Site[]
  readonly cases: (site: Site, session: Session) => TestCases
  /** Asks and compares. Plain in its case and the session, so that it can be run again to confirm and to reduce. */
  readonly check: (test: TestCase, site: Site, session: Session) => Promise<Verdict>
  /** Options without which a case says nothing of this rule: made smaller, it keeps them. */
  readonly requiredOptions?: readonly (keyof QueryOptions)[]
  /** The queries that a case asks. Default: its options, and each of its predicates as a filter. */
  readonly queries?: (test: TestCase) => readonly QueryOptions[]
  /**
   * The plainest case of this rule that a query of another one rests on, absent when there is none. Where it fails, the
   * fault is this rule's, whoever came upon it.
   */
  readonly prerequisite?: (query: QueryOptions, site: Site, session: Session) => TestCase | undefined
  /** Smaller cases that may show the same, beside those that drop options and simplify expressions. */
  readonly shrink?: (test: TestCase, site: Site, session: Session) => Iterable<TestCase>
}

export interface TestCases {
  /** Tried first, in order. */
  readonly planned?: readonly TestCase[]
  /** Then drawn from this, until the budget ends. */
  readonly random?: Arbitrary<TestCase>
  /** Why there are none: what the data lack. */
  readonly skipReason?: string
  /** Wrong implementations that no query could tell from right ones on these data. */
  readonly undetectableBugs?: readonly string[]
}

/** A rule that only watches: it sees every answer that any rule gets. */
export interface PassiveRule extends RuleMetadata {
  readonly kind: 'watching'
  /** `seen`: it had something to look at. */
  readonly inspect: (answer: TestResponse, site: Site | undefined, session: Session) => Finding | 'seen' | undefined
}

/** What one check of a rule is about: plain data, so that it can be reduced, kept and run again. Rules use what they need. */
export interface TestCase {
  /** The query. */
  readonly options?: QueryOptions
  /** Predicates that a rule relates to each other, beside `options.filter`. */
  readonly predicates?: readonly Expression[]
  /** Key of a row, as `keyOf` writes it. */
  readonly key?: string
  /** Name or path of a property, a relation, a header, an option. */
  readonly name?: string
  /** Which of the rule's own situations this is. */
  readonly variant?: string
  readonly text?: string
  readonly numbers?: readonly number[]
  /** What is written, step by step. */
  readonly steps?: readonly TestStep[]
}

/** A step of a life cycle. `item` counts the items that the case has made, from 0. */
export interface TestStep {
  readonly action: string
  readonly item?: number
  readonly body?: Json
  readonly name?: string
}

/** What a check came to. */
export type Verdict =
  /**
   * `trivial`: nothing was told apart, such as a filter that every row meets. `selected`: of each filter that was asked, the
   * share of the rows that it gave, 0 to 1.
   */
  | { readonly kind: 'pass'; readonly vacuous?: boolean; readonly selected?: readonly number[] }
  | { readonly kind: 'fail'; readonly finding: Finding }
  /** Refused with an error in the declared shape, which the spec allows here. `constructs`: what was asked. */
  | { readonly kind: 'unsupported'; readonly constructs: readonly string[] }
  /** It could not be told: trouble on the way, data that changed, a choice that is not known. */
  | { readonly kind: 'inconclusive'; readonly why: string }

/** What is wrong, with its evidence. */
export interface Finding {
  /** One sentence: what the service did that it must not. */
  readonly message: string
  readonly expected: string
  readonly received: string
  /** Keys of rows that should be there, and of rows that should not. */
  readonly missing?: readonly string[]
  readonly surplus?: readonly string[]
  /** Line by line: which sub-expression is what on which row, and the like. */
  readonly why?: readonly string[]
  /** The exchanges that show it, the telling one first. */
  readonly answers: readonly TestResponse[]
  /**
   * What the fault has to do with, `filter.contains`, `type.String`, `null`: findings with the same features, on
   * whatever site and by whatever rule of the area, are taken for one fault.
   */
  readonly features: readonly string[]
  /** Features of which each alone would explain it, where it can be told; `features` names the likeliest. */
  readonly explanations?: readonly string[]
}
