import type {
  BinaryExpression,
  Expression,
  LambdaExpression,
  OrderbyItem,
  QueryOptions,
  SearchExpression,
} from '../../../runtime/query/index.js'
import type { ErrorDefinition, NavigationProperty, Property } from '../../../spec/language/index.js'
import type { Json } from '../../json.js'
import type { Environment } from './evaluate/environment.js'
import type { Arrival, Exchange } from './exchange.js'
import type { Page } from './read/page.js'
import type { Reply } from './reply/reply.js'
import type { Truth, Value } from './value/value.js'
import type { Entity } from './world/entity.js'

/** The credential of a request. */
export type Credential = 'none' | 'wrong' | 'right'

/** One key of an ordering, with its value on each row. */
export interface SortKey {
  readonly item: OrderbyItem
  readonly value: (row: Entity) => Value
}

/** What a service answers instead of an error of the spec's own making. */
export type Refusal =
  | { readonly kind: 'refused'; readonly error: ErrorDefinition; readonly message?: string }
  | { readonly kind: 'reply'; readonly reply: Reply }

/**
 * The small decisions of a service, one function each. `correctBehaviour` makes them as the spec says; a variant makes one
 * otherwise where the spec leaves a choice, a mutant where it leaves none.
 */
export interface Behaviour {
  /** Values of the open choices. */
  readonly choices: Readonly<Record<string, string | number>>

  // The request
  /** Whether a credential lets the request through. */
  readonly admits: (credential: Credential, at: Arrival) => boolean
  /** The query text that is read, without `?`. */
  readonly readQuery: (text: string, at: Exchange) => string
  /** What the service cannot do, or will not; absent: go on. */
  readonly refuse: (options: QueryOptions, at: Exchange) => Refusal | undefined
  /** A query that cannot be read, or does not fit the types; absent: it is passed over. */
  readonly refuseMalformed: (message: string, at: Exchange) => Refusal | undefined
  /** A query that uses what the endpoint does not support; absent: it is answered all the same. */
  readonly refuseUnsupported: (message: string, at: Exchange) => Refusal | undefined
  /** What is understood of the query, after all checks. */
  readonly understand: (options: QueryOptions, at: Exchange) => QueryOptions
  /** The value of a request header. */
  readonly header: (name: string, at: Exchange) => string | null
  /** The value of a key in the path, decoded. */
  readonly readKey: (text: string, at: Exchange) => string

  // Expressions
  readonly compare: (node: BinaryExpression, left: Value, right: Value, env: Environment) => Truth
  /** `right` is not computed before it is asked for. */
  readonly combine: (operator: 'and' | 'or', left: Truth, right: () => Truth) => Truth
  readonly negate: (operand: Truth, node: Expression) => Truth
  readonly call: (name: string, values: readonly Value[], nodes: readonly Expression[], env: Environment) => Value
  /** `test` is the predicate on an item. */
  readonly lambda: (
    node: LambdaExpression,
    items: readonly Value[],
    test: (item: Value) => Truth,
    env: Environment,
  ) => Truth
  readonly calculate: (operator: string, left: number, right: number, integral: boolean) => number | null
  /** A step of a path. */
  readonly step: (value: Value, name: string, env: Environment) => Value

  // Which rows, and in which order
  readonly search: (search: SearchExpression, row: Entity, at: Exchange) => boolean
  /** Whether a term is found in a text. */
  readonly finds: (term: string, text: string, at: Exchange) => boolean
  readonly filter: (rows: readonly Entity[], test: (row: Entity) => Truth, at: Exchange) => readonly Entity[]
  /** The order of two values under one key; nulls included. */
  readonly sort: (left: Value, right: Value, item: OrderbyItem, at: Exchange) => number
  readonly order: (rows: readonly Entity[], keys: readonly SortKey[], at: Exchange) => readonly Entity[]

  // Pages
  readonly page: (rows: readonly Entity[], at: Exchange) => Page
  /** The query of the next link. */
  readonly link: (position: string, at: Exchange) => string
  /** The count that is shown; absent: none is. */
  readonly count: (matching: readonly Entity[], page: readonly Entity[], at: Exchange) => Json | undefined
  readonly countPath: (matching: readonly Entity[], all: readonly Entity[], at: Exchange) => number

  // How items look
  /** Whether a property is shown; `selected` is whether the query names it, undefined when it names none. */
  readonly shows: (property: Property, selected: boolean | undefined, row: Entity | undefined, at: Exchange) => boolean
  /** How a value is written; undefined: it is left out. */
  readonly write: (value: Json, property: Property, row: Entity | undefined, at: Exchange) => Json | undefined
  readonly related: (row: Entity, relation: NavigationProperty, at: Exchange) => readonly Entity[]
  /** Whether a relation is included. */
  readonly expands: (relation: NavigationProperty, asked: boolean, row: Entity, at: Exchange) => boolean
  /** The options that hold inside an included relation. */
  readonly nested: (options: QueryOptions, relation: NavigationProperty, at: Exchange) => QueryOptions
  /** The items that an included relation shows. */
  readonly expanded: (
    items: readonly Json[],
    relation: NavigationProperty,
    row: Entity,
    at: Exchange,
  ) => Json | undefined
  /** A whole item. */
  readonly item: (
    item: { readonly [name: string]: Json },
    row: Entity,
    at: Exchange,
  ) => { readonly [name: string]: Json }
  readonly tag: (row: Entity, at: Exchange) => string | undefined

  // Changes
  /** The values of a new item, from those that were sent. */
  readonly create: (values: Readonly<Record<string, Json>>, at: Exchange) => Readonly<Record<string, Json>>
  /** The values of an item after a change. */
  readonly merge: (
    old: Readonly<Record<string, Json>>,
    changes: Readonly<Record<string, Json>>,
    row: Entity,
    at: Exchange,
  ) => Readonly<Record<string, Json>>
  /** Brings what was made, changed or deleted into the world. */
  readonly commit: (change: Change, at: Exchange) => void
  /** The item that a change is answered with. */
  readonly changed: (before: Entity, after: Entity, at: Exchange) => Entity
  /** Whether `If-Match` or `If-None-Match` names the item's tag. */
  readonly matches: (
    header: string,
    tag: string | undefined,
    which: 'If-Match' | 'If-None-Match',
    at: Exchange,
  ) => boolean

  // Operations and change tracking
  readonly operate: (rows: readonly Entity[], parameters: ReadonlyMap<string, Value>, at: Exchange) => readonly Entity[]
  readonly reaches: (
    start: Entity,
    relation: NavigationProperty,
    transitive: boolean,
    at: Exchange,
  ) => readonly Entity[]
  readonly meets: (row: Entity, filter: Expression, parameters: ReadonlyMap<string, Value>, at: Exchange) => boolean
  readonly changes: (rows: readonly Entity[], since: number, at: Exchange) => readonly Entity[]
  readonly removals: (since: number, at: Exchange) => readonly Json[]

  // The answer
  readonly error: (error: ErrorDefinition, message: string, at: Arrival) => Reply
  /** The last hand on an answer. */
  readonly reply: (reply: Reply, at: Arrival) => Reply
}

/** What a write does to the world. */
export type Change =
  | { readonly kind: 'create'; readonly entity: Entity }
  | { readonly kind: 'update'; readonly entity: Entity; readonly values: Readonly<Record<string, Json>> }
  | { readonly kind: 'delete'; readonly entity: Entity }
