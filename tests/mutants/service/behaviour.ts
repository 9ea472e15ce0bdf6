import type {
  AggregationMethod,
  BinaryExpression,
  Expression,
  LambdaExpression,
  OrderbyItem,
  QueryOptions,
  SearchExpression,
  SelectItem,
  TypeTable,
} from '../../../runtime/query/index.js'
import type {
  Endpoint,
  ErrorDefinition,
  Facets,
  NavigationProperty,
  Operation,
  Property,
  Service,
  StructuredType,
} from '../../../spec/language/index.js'
import type { Json, JsonObject } from './json.js'
import type { ContainedChange, LinkedChange, ReferenceChange } from './relation-writes.js'
import type { Entity, Store, Stream } from './store.js'
import type { Truth, Value } from './values.js'

/** The others resemble the right one: in letter case, scheme, or with a character more or less. */
export type Credential = 'none' | 'wrong' | 'right' | 'shortened' | 'lengthened' | 'otherCase' | 'otherScheme'

/** A sort key and its value for each row. */
export interface SortKey {
  readonly item: OrderbyItem
  readonly value: (row: Entity) => Value
}

/** How a service rejects a request: with an error of the spec, or with a response of its own. */
export type Rejection =
  | { readonly kind: 'refused'; readonly error: ErrorDefinition; readonly message?: string }
  | { readonly kind: 'reply'; readonly reply: Reply }

/** A property or a parameter. */
export type TypedValue = Pick<Property, 'name' | 'type' | 'collection' | 'nullable'> & Facets

/**
 * The decisions of a service, one function each. `correctBehaviour` follows the spec. A variant overrides decisions that
 * the spec leaves open; a mutant overrides one that the spec prescribes.
 */
export interface Behaviour {
  /** The values of the open choices. */
  readonly choices: Readonly<Record<string, string | number>>

  // Request
  /** Whether a credential admits the request. */
  readonly authenticates: (credential: Credential, at: RequestContext) => boolean
  /** The query string to parse, without `?`. */
  readonly readQuery: (text: string, at: EndpointContext) => string
  /** Rejects a query that the service does not support. Undefined: continue. */
  readonly reject: (options: QueryOptions, at: EndpointContext) => Rejection | undefined
  /** Rejects a query that is malformed or does not match the types. Undefined: ignore it. */
  readonly rejectMalformed: (message: string, at: EndpointContext) => Rejection | undefined
  /** Rejects a query that the endpoint does not support. Undefined: answer it anyway. */
  readonly rejectUnsupported: (message: string, at: EndpointContext) => Rejection | undefined
  /** The paths that an item of `$select` with options of its own stands for. */
  readonly nestedSelect: (item: SelectItem) => readonly SelectItem[]
  /** The query options to apply, after all checks. */
  readonly interpret: (options: QueryOptions, at: EndpointContext) => QueryOptions
  readonly header: (name: string, at: EndpointContext) => string | null
  /** The decoded key value from the path. */
  readonly parseKey: (text: string, at: EndpointContext) => string

  /** The item that an alternate key finds. Undefined: none. */
  readonly byAlternateKey: (
    found: Entity | undefined,
    rows: readonly Entity[],
    at: EndpointContext,
  ) => Entity | undefined

  // Expressions
  readonly compare: (node: BinaryExpression, left: Value, right: Value, env: Environment) => Truth
  /** `right` is evaluated lazily. */
  readonly combine: (operator: 'and' | 'or', left: Truth, right: () => Truth) => Truth
  readonly negate: (operand: Truth, node: Expression) => Truth
  readonly call: (name: string, values: readonly Value[], nodes: readonly Expression[], env: Environment) => Value
  /** The value of a function of the service on an item. */
  readonly callService: (
    operation: Operation,
    item: Value,
    given: ReadonlyMap<string, Value>,
    env: Environment,
  ) => Value
  /** `test` evaluates the predicate for an item. */
  readonly lambda: (
    node: LambdaExpression,
    items: readonly Value[],
    test: (item: Value) => Truth,
    env: Environment,
  ) => Truth
  readonly calculate: (operator: string, left: number, right: number, integral: boolean) => number | null
  /** Reads the property that a path segment names. */
  readonly readProperty: (value: Value, name: string, env: Environment) => Value

  /** Whether a type cast in a path or filter keeps an object of a type. */
  readonly castKeeps: (type: StructuredType, cast: string, at: EndpointContext) => boolean

  // Rows and their order
  readonly search: (search: SearchExpression, row: Entity, at: EndpointContext) => boolean
  /** Whether a text contains a search term. */
  readonly matchesTerm: (term: string, text: string, at: EndpointContext) => boolean
  readonly filter: (rows: readonly Entity[], test: (row: Entity) => Truth, at: EndpointContext) => readonly Entity[]
  /** Compares two values of a sort key, including nulls. */
  readonly compareSortValues: (left: Value, right: Value, item: OrderbyItem, at: EndpointContext) => number
  readonly sortRows: (rows: readonly Entity[], keys: readonly SortKey[], at: EndpointContext) => readonly Entity[]

  // Transformations
  readonly aggregate: (method: AggregationMethod, values: readonly Value[], at: EndpointContext) => Value
  readonly groups: <T>(
    rows: readonly T[],
    keyOf: (row: T) => readonly (readonly [path: string, value: Value])[],
  ) => readonly { readonly values: readonly (readonly [path: string, value: Value])[]; readonly rows: readonly T[] }[]

  // Pages
  readonly page: (rows: readonly Entity[], at: EndpointContext) => Page
  readonly nextLinkQuery: (position: string, at: EndpointContext) => string
  /** The count to report. Undefined: none. */
  readonly count: (matching: readonly Entity[], page: readonly Entity[], at: EndpointContext) => Json | undefined
  readonly countPath: (matching: readonly Entity[], all: readonly Entity[], at: EndpointContext) => number

  // Representation of items
  /** Whether to include a property. `selected` says whether $select names it; it is undefined without $select. */
  readonly includesProperty: (
    property: Property,
    selected: boolean | undefined,
    row: Entity | undefined,
    at: EndpointContext,
  ) => boolean
  /** The JSON of a value. Undefined: omit it. */
  readonly formatValue: (
    value: Json,
    property: Property,
    row: Entity | undefined,
    at: EndpointContext,
  ) => Json | undefined
  readonly related: (row: Entity, relation: NavigationProperty, at: EndpointContext) => readonly Entity[]
  readonly includesRelation: (
    relation: NavigationProperty,
    isRequested: boolean,
    row: Entity,
    at: EndpointContext,
  ) => boolean
  /** The options to apply inside an expanded relation. */
  readonly nested: (options: QueryOptions, relation: NavigationProperty, at: EndpointContext) => QueryOptions
  /** Where an expanded list ends that has a path of its own, and where its next link goes on. Undefined: it is complete. */
  readonly expandedEnd: (
    rows: readonly Entity[],
    options: QueryOptions,
    at: EndpointContext,
  ) => { readonly shown: number; readonly next: number } | undefined
  /** The value of an expanded relation. */
  readonly expanded: (
    items: readonly Json[],
    relation: NavigationProperty,
    row: Entity,
    at: EndpointContext,
  ) => Json | undefined
  /** The JSON of an item. */
  readonly item: (
    item: { readonly [name: string]: Json },
    row: Entity,
    at: EndpointContext,
  ) => { readonly [name: string]: Json }
  /** A text in the form that a preference asks for. */
  readonly convertText: (text: string, form: string) => string
  /** Whether a read that prefers to omit values omits this one. */
  readonly omits: (value: Json, property: Property, omitted: 'nulls' | 'defaults') => boolean
  /** The links that a path to the links of a relation returns. */
  readonly links: (urls: readonly string[], at: EndpointContext) => readonly Json[]
  /** The value that the path of a property returns. */
  readonly propertyValue: (value: Json, at: EndpointContext) => Json
  readonly tag: (row: Entity, at: EndpointContext) => string | undefined
  /** The stream to send. */
  readonly sentStream: (stream: Stream, at: EndpointContext) => Stream
  /** The stream that an item says it has. */
  readonly announcedStream: (stream: Stream, at: EndpointContext) => Stream

  // Writes
  /** Why a value in a body is invalid for a property. Undefined if it is valid. */
  readonly valueProblem: (value: Json, property: TypedValue, at: EndpointContext) => string | undefined
  /** The values of a new item, given the values of the request. */
  readonly create: (values: Readonly<Record<string, Json>>, at: EndpointContext) => Readonly<Record<string, Json>>
  /** The items that the links in a body lead to. */
  readonly bound: (targets: readonly Entity[], relation: NavigationProperty, at: EndpointContext) => readonly Entity[]
  /** The items to create that are nested in the body of a create. */
  readonly inserted: (
    items: readonly JsonObject[],
    relation: NavigationProperty,
    at: EndpointContext,
  ) => readonly JsonObject[]
  /** The items that the lists of relations in the body of a create link. */
  readonly insertedLinks: (
    targets: readonly Entity[],
    relation: NavigationProperty,
    at: EndpointContext,
  ) => readonly Entity[]
  /** The changes of contained items in an update. */
  readonly containedChange: (change: ContainedChange, isDelta: boolean, at: EndpointContext) => ContainedChange
  /** The links that an update sets and removes. */
  readonly linkedChange: (change: LinkedChange, isDelta: boolean, at: EndpointContext) => LinkedChange
  /** Applies a write to the links of a relation. */
  readonly changeReference: (
    change: ReferenceChange,
    owner: Entity,
    relation: NavigationProperty,
    at: EndpointContext,
  ) => void
  /** Whether an update stores the values of computed properties in its body. */
  readonly storesComputed: boolean
  /** The values of an item after an update. */
  readonly merge: (
    old: Readonly<Record<string, Json>>,
    changes: Readonly<Record<string, Json>>,
    row: Entity,
    at: EndpointContext,
  ) => Readonly<Record<string, Json>>
  /** The stream to store, given that of the request or its rejection, and the one before. */
  readonly storedStream: (given: Stream | Reply, before: Stream | undefined, at: EndpointContext) => Stream | Reply
  /** Whether an update of an item that does not exist creates it. */
  readonly upserts: (at: EndpointContext) => boolean
  /** Applies a create, update or delete to the store. */
  readonly commit: (change: Change, at: EndpointContext) => void
  /** The item to return from an update. */
  readonly updatedItem: (before: Entity, after: Entity, at: EndpointContext) => Entity
  /** Whether `If-Match` or `If-None-Match` matches the entity tag. */
  readonly matchesTag: (
    header: string,
    tag: string | undefined,
    which: 'If-Match' | 'If-None-Match',
    at: EndpointContext,
  ) => boolean

  // Operations and delta queries
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

  // Response
  readonly error: (error: ErrorDefinition, message: string, at: RequestContext) => Reply
  /** Final changes to a response. */
  readonly reply: (reply: Reply, at: RequestContext) => Reply
}

/** A write to the store. */
export type Change =
  | { readonly kind: 'create'; readonly entity: Entity }
  | { readonly kind: 'update'; readonly entity: Entity; readonly values: Readonly<Record<string, Json>> }
  | { readonly kind: 'delete'; readonly entity: Entity }

/** A received request and the service that handles it. */
export interface RequestContext {
  readonly service: Service
  readonly types: TypeTable
  readonly behaviour: Behaviour
  readonly store: Store
  readonly request: ReceivedRequest
  /** Absent if no endpoint matches the path and the method. */
  readonly endpoint?: Endpoint
  /** The number of the request, starting at 1. */
  readonly number: number
  /** Whether another request has come in since. */
  readonly isOvertaken: () => boolean
}

/** A request that was routed to an endpoint. */
export interface EndpointContext extends RequestContext {
  readonly endpoint: Endpoint
  /** The decoded path variables. */
  readonly variables: ReadonlyMap<string, string>
  /** The resource that the path identifies. */
  readonly target: Target
  /** The parsed query options. */
  readonly options: QueryOptions
  /** Custom query options, by name. */
  readonly custom: ReadonlyMap<string, string>
}

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

/** The context in which an expression is evaluated. */
export interface Environment {
  readonly at: EndpointContext
  /** The current row. */
  readonly it: Value
  /** The current item of each lambda variable, and of `$this` for an expanded relation. */
  readonly variables: ReadonlyMap<string, Value>
  readonly aliases: Readonly<Record<string, Expression>>
  /** Arguments of an operation. The filter of the operation refers to them as aliases. */
  readonly parameters: ReadonlyMap<string, Value>
}

const noVariables: ReadonlyMap<string, Value> = new Map()
const noAliases: Environment['aliases'] = Object.create(null)

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

/** The resource that a path identifies. */
export type Target =
  | { readonly kind: 'many'; readonly rows: readonly Entity[]; readonly source: Source }
  | { readonly kind: 'one'; readonly row: Entity }
  /** A single-valued relation without a target. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'missing' }

/** Where the rows of a collection are stored: in an entity set, or in a relation of an item. */
type Source =
  | { readonly kind: 'set'; readonly name: string }
  | { readonly kind: 'relation'; readonly owner: Entity; readonly relation: NavigationProperty }
  | { readonly kind: 'none' }

/** A response before serialization. `text`, if present, replaces `json` as the body. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json?: Json
  readonly text?: string
}

export function emptyReply(status: number, headers: Reply['headers'] = {}): Reply {
  return { status, headers }
}

/** The rows of one page. `next` is the token of the next link; absent on the last page. */
interface Page {
  readonly rows: readonly Entity[]
  readonly next?: string
}

export function rejectionReply(rejection: Rejection, at: RequestContext): Reply {
  if (rejection.kind === 'reply') return rejection.reply
  return at.behaviour.error(rejection.error, rejection.message ?? rejection.error.message, at)
}
