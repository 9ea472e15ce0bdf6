import type { Json } from '../../../conformance/json.js'
import type {
  BinaryExpression,
  Expression,
  LambdaExpression,
  OrderbyItem,
  QueryOptions,
  SearchExpression,
  TypeTable,
} from '../../../runtime/query/index.js'
import type { Endpoint, ErrorDefinition, NavigationProperty, Property, Service } from '../../../spec/language/index.js'
import type { Entity, Store } from './store.js'
import type { Truth, Value } from './values.js'

/** The credential of a request. */
export type Credential = 'none' | 'wrong' | 'right'

/** One key of an ordering, with its value on each row. */
export interface SortKey {
  readonly item: OrderbyItem
  readonly value: (row: Entity) => Value
}

/** What a service answers instead of an error of the spec's own making. */
export type Rejection =
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
  readonly authenticates: (credential: Credential, at: RequestContext) => boolean
  /** The query text that is read, without `?`. */
  readonly readQuery: (text: string, at: EndpointContext) => string
  /** What the service cannot do, or will not; absent: go on. */
  readonly reject: (options: QueryOptions, at: EndpointContext) => Rejection | undefined
  /** A query that cannot be read, or does not fit the types; absent: it is passed over. */
  readonly rejectMalformed: (message: string, at: EndpointContext) => Rejection | undefined
  /** A query that uses what the endpoint does not support; absent: it is answered all the same. */
  readonly rejectUnsupported: (message: string, at: EndpointContext) => Rejection | undefined
  /** What is understood of the query, after all checks. */
  readonly interpret: (options: QueryOptions, at: EndpointContext) => QueryOptions
  /** The value of a request header. */
  readonly header: (name: string, at: EndpointContext) => string | null
  /** The value of a key in the path, decoded. */
  readonly parseKey: (text: string, at: EndpointContext) => string

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
  readonly readProperty: (value: Value, name: string, env: Environment) => Value

  // Which rows, and in which order
  readonly search: (search: SearchExpression, row: Entity, at: EndpointContext) => boolean
  /** Whether a term is found in a text. */
  readonly matchesTerm: (term: string, text: string, at: EndpointContext) => boolean
  readonly filter: (rows: readonly Entity[], test: (row: Entity) => Truth, at: EndpointContext) => readonly Entity[]
  /** The order of two values under one key; nulls included. */
  readonly compareSortValues: (left: Value, right: Value, item: OrderbyItem, at: EndpointContext) => number
  readonly sortRows: (rows: readonly Entity[], keys: readonly SortKey[], at: EndpointContext) => readonly Entity[]

  // Pages
  readonly page: (rows: readonly Entity[], at: EndpointContext) => Page
  /** The query of the next link. */
  readonly nextLinkQuery: (position: string, at: EndpointContext) => string
  /** The count that is shown; absent: none is. */
  readonly count: (matching: readonly Entity[], page: readonly Entity[], at: EndpointContext) => Json | undefined
  readonly countPath: (matching: readonly Entity[], all: readonly Entity[], at: EndpointContext) => number

  // How items look
  /** Whether a property is shown; `selected` is whether the query names it, undefined when it names none. */
  readonly includesProperty: (
    property: Property,
    selected: boolean | undefined,
    row: Entity | undefined,
    at: EndpointContext,
  ) => boolean
  /** How a value is written; undefined: it is left out. */
  readonly formatValue: (
    value: Json,
    property: Property,
    row: Entity | undefined,
    at: EndpointContext,
  ) => Json | undefined
  readonly related: (row: Entity, relation: NavigationProperty, at: EndpointContext) => readonly Entity[]
  /** Whether a relation is included. */
  readonly includesRelation: (relation: NavigationProperty, asked: boolean, row: Entity, at: EndpointContext) => boolean
  /** The options that hold inside an included relation. */
  readonly nested: (options: QueryOptions, relation: NavigationProperty, at: EndpointContext) => QueryOptions
  /** The items that an included relation shows. */
  readonly expanded: (
    items: readonly Json[],
    relation: NavigationProperty,
    row: Entity,
    at: EndpointContext,
  ) => Json | undefined
  /** A whole item. */
  readonly item: (
    item: { readonly [name: string]: Json },
    row: Entity,
    at: EndpointContext,
  ) => { readonly [name: string]: Json }
  readonly tag: (row: Entity, at: EndpointContext) => string | undefined

  // Changes
  /** The values of a new item, from those that were sent. */
  readonly create: (values: Readonly<Record<string, Json>>, at: EndpointContext) => Readonly<Record<string, Json>>
  /** The values of an item after a change. */
  readonly merge: (
    old: Readonly<Record<string, Json>>,
    changes: Readonly<Record<string, Json>>,
    row: Entity,
    at: EndpointContext,
  ) => Readonly<Record<string, Json>>
  /** Brings what was made, changed or deleted into the world. */
  readonly commit: (change: Change, at: EndpointContext) => void
  /** The item that a change is answered with. */
  readonly updatedItem: (before: Entity, after: Entity, at: EndpointContext) => Entity
  /** Whether `If-Match` or `If-None-Match` names the item's tag. */
  readonly matchesTag: (
    header: string,
    tag: string | undefined,
    which: 'If-Match' | 'If-None-Match',
    at: EndpointContext,
  ) => boolean

  // Operations and change tracking
  readonly operationResult: (
    rows: readonly Entity[],
    parameters: ReadonlyMap<string, Value>,
    at: EndpointContext,
  ) => readonly Entity[]
  readonly traverse: (
    start: Entity,
    relation: NavigationProperty,
    transitive: boolean,
    at: EndpointContext,
  ) => readonly Entity[]
  readonly satisfiesFilter: (
    row: Entity,
    filter: Expression,
    parameters: ReadonlyMap<string, Value>,
    at: EndpointContext,
  ) => boolean
  readonly changedSince: (rows: readonly Entity[], since: number, at: EndpointContext) => readonly Entity[]
  readonly removedSince: (since: number, at: EndpointContext) => readonly Json[]

  // The answer
  readonly error: (error: ErrorDefinition, message: string, at: RequestContext) => Reply
  /** The last hand on an answer. */
  readonly reply: (reply: Reply, at: RequestContext) => Reply
}

/** What a write does to the world. */
export type Change =
  | { readonly kind: 'create'; readonly entity: Entity }
  | { readonly kind: 'update'; readonly entity: Entity; readonly values: Readonly<Record<string, Json>> }
  | { readonly kind: 'delete'; readonly entity: Entity }

/** A request that has come in. */
export interface RequestContext {
  readonly service: Service
  readonly types: TypeTable
  readonly behaviour: Behaviour
  readonly store: Store
  readonly request: ReceivedRequest
  /** Absent: its path leads nowhere, or has no such method. */
  readonly endpoint?: Endpoint
  /** Counts the requests that the service got, from 1. */
  readonly number: number
}

/** One request on its way through the service. */
export interface EndpointContext extends RequestContext {
  readonly endpoint: Endpoint
  /** Values of the path's variables, decoded. */
  readonly variables: ReadonlyMap<string, string>
  /** What the path leads to. */
  readonly target: Target
  /** What is understood of the query. */
  readonly options: QueryOptions
  /** Query options that are none of the query language, by name. */
  readonly custom: ReadonlyMap<string, string>
}

/** A request as it came. */
export interface ReceivedRequest {
  readonly method: string
  /** `http://host/v1.0` */
  readonly root: string
  /** Below the root, encoded: `/users/a%20b`. */
  readonly path: string
  /** Without `?`. */
  readonly query: string
  readonly headers: Headers
  readonly body: string
}

/** What an expression is computed in. */
export interface Environment {
  readonly at: EndpointContext
  /** The row. */
  readonly it: Value
  /** The item of a lambda, by its variable; `this` for the item of an expanded relation. */
  readonly variables: ReadonlyMap<string, Value>
  /** Parameter aliases of the query. */
  readonly aliases: Readonly<Record<string, Expression>>
  /** Arguments of an operation, which its meaning knows as aliases. */
  readonly parameters: ReadonlyMap<string, Value>
}

const noVariables: ReadonlyMap<string, Value> = new Map()
const noAliases: Environment['aliases'] = Object.create(null)

/** The environment of a condition on one row. */
export function environmentOf(
  row: Entity,
  at: EndpointContext,
  parameters: Environment['parameters'] = noVariables,
): Environment {
  return { at, it: objectValue(row), variables: noVariables, aliases: at.options.aliases ?? noAliases, parameters }
}

export function objectValue(row: Entity): Value {
  return { kind: 'object', type: row.type, values: row.values, entity: row }
}

/** What a path leads to. */
export type Target =
  | { readonly kind: 'many'; readonly rows: readonly Entity[]; readonly source: Source }
  | { readonly kind: 'one'; readonly row: Entity }
  /** A single relation that leads to nothing. */
  | { readonly kind: 'empty' }
  /** No item has the key. */
  | { readonly kind: 'missing' }

/** Where the rows of a collection are kept: in a set, or with an item. */
type Source =
  | { readonly kind: 'set'; readonly name: string }
  | { readonly kind: 'relation'; readonly owner: Entity; readonly relation: NavigationProperty }
  | { readonly kind: 'none' }

/** An answer before it becomes HTTP. With `text` the body is that, whatever `json` says. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json?: Json
  readonly text?: string
}

/** An answer without a body. */
export function emptyReply(status: number, headers: Reply['headers'] = {}): Reply {
  return { status, headers }
}

/** The rows of one page. `next` is what the next link carries; absent on the last page. */
export interface Page {
  readonly rows: readonly Entity[]
  readonly next?: string
}

/** A refusal as an answer. */
export function rejectionReply(refusal: Rejection, at: RequestContext): Reply {
  if (refusal.kind === 'reply') return refusal.reply
  return at.behaviour.error(refusal.error, refusal.message ?? refusal.error.message, at)
}
