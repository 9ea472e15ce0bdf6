import type { EntityShape, PropertyName, PropertyPath, Queryable, Target, ToMany, ToOne } from './entity-shape.js'
import {
  type AnyFilterBuilder,
  type Arithmetic,
  type Expression,
  type Filter,
  filterBuilder,
  formatsAt,
  type OfferedFilterBuilder,
} from './filter.js'
import type { LiteralFormat, LiteralFormats } from './path.js'

/** Query options of a read of `E`. `S` and `X` are the types of the arguments `select` and `expand`. */
interface ReadOptions<E extends EntityShape, C extends CapabilityTypes, S, X> {
  /** Returns only these properties. */
  readonly select?: S
  /** Returns related items with each item: `true`, or nested options. */
  readonly expand?: X & Expand<E, C> & StrictExpand<E, C, X>
  /** Returns only items for which the filter is true. Undefined: all items. */
  readonly filter?: ((f: FilterBuilderOf<E, C>) => Filter | undefined) | undefined
  /** Sorts by these properties, in this order. Ascending unless `desc` is given. */
  readonly orderby?: readonly OrderbyItem<E, C>[] | undefined
  /** The maximum number of items. The service chooses whether this limits the result or a page. */
  readonly top?: number | undefined
  /** The number of items to skip. */
  readonly skip?: number | undefined
  /** Returns the number of all matching items, regardless of `top` and `skip`. */
  readonly count?: boolean | undefined
  /** Returns only items that match the terms. */
  readonly search?: Supported<C, 'search'> | undefined
  /** Adds properties to each item: name -> expression. With `select`, those that it names. */
  readonly compute?: Compute<E, C> | undefined
  /** Expands the same navigation property of the related items, to this depth; `max`: as deep as the service permits. */
  readonly levels?: number | 'max' | undefined
}

/** Properties to compute: name -> expression. */
export interface Compute<E extends EntityShape, C extends CapabilityTypes> {
  readonly [name: string]: (f: ExpressionBuilder<FilterProperties<E, C>, C>) => Expression<unknown>
}

/** Builds values of items with the properties `P`: what a filter can have, and arithmetic. */
export type ExpressionBuilder<P, C extends CapabilityTypes> = OfferedFilterBuilder<P, Supported<C, 'filter'> & string> &
  Pick<
    Arithmetic<P, Supported<C, 'numbers'>>,
    Extract<keyof Arithmetic<P, Supported<C, 'numbers'>>, Supported<C, 'filter'> | 'property'>
  >

type FilterBuilderOf<E extends EntityShape, C extends CapabilityTypes> = OfferedFilterBuilder<
  FilterProperties<E, C>,
  Supported<C, 'filter'> & string
>

export type FilterProperties<E extends EntityShape, C extends CapabilityTypes> = (C extends {
  readonly unfilterable: infer Names extends string
}
  ? Omit<E['properties'], Names>
  : E['properties']) &
  (C extends { readonly through: infer Names }
    ? {
        readonly [N in Names & keyof E['navigation']]: Related<E['navigation'][N], Refused<C, N>>
      }
    : unknown)

/** The names behind a navigation property that can't be used in a filter. */
type Refused<C, N> = C extends { readonly unfilterable: infer Paths } ? Behind<Paths, N> : never
type Behind<Paths, N> = Paths extends `${N & string}/${infer Rest}` ? Rest : never

/** Related items with their own navigation properties: a filter goes through two. */
type Related<N, Names> =
  N extends ToMany<infer E>
    ? readonly RelatedItem<E, Names>[]
    : N extends ToOne<infer E, boolean>
      ? RelatedItem<E, Names> | null
      : never

type RelatedItem<E extends EntityShape, Names> = Omit<
  E['properties'] & {
    readonly [K in keyof E['navigation']]: E['navigation'][K] extends ToMany<infer Other>
      ? readonly Other['properties'][]
      : E['navigation'][K] extends ToOne<infer Other, boolean>
        ? Other['properties'] | null
        : never
  },
  Names & string
>

type OrderbyItem<E extends EntityShape, C extends CapabilityTypes> =
  | OrderbyPath<E, C>
  | `${OrderbyPath<E, C>} ${'asc' | 'desc'}`
type OrderbyPath<E extends EntityShape, C extends CapabilityTypes> = Extract<
  PropertyPath<E['properties']>,
  Supported<C, 'orderby'>
>

/**
 * The type of `select`. Literal names narrow the result type; a list built at run time makes all properties optional. `*` is
 * all properties that the service returns by default.
 */
export type Select<E extends EntityShape> = readonly (PropertyName<E['properties']> | '*')[] | undefined

export type Expand<E extends EntityShape, C extends CapabilityTypes> = {
  readonly [N in keyof E['navigation'] & Supported<C, 'expand'>]?:
    | true
    | NestedOptions<E['navigation'][N], NestedCapabilities<C>>
} & {
  /** Every relation that the endpoint expands, except those that are named beside it. */
  readonly '*'?: true
}

type NestedOptions<N, C extends CapabilityTypes, E extends EntityShape = Queryable<Target<N>>> = Pick<
  ReadOptions<E, C, NestedSelect<E, C>, Expand<E, C>>,
  NestedOptionName<N, C>
>

/** Where `compute` is possible, `select` can name computed properties, so the compiler doesn't check the names. */
type NestedSelect<E extends EntityShape, C extends CapabilityTypes> =
  'compute' extends Supported<C, 'options'> ? readonly string[] | undefined : Select<E>

/** A single related item can't be filtered or paged. */
type NestedOptionName<N, C extends CapabilityTypes> = Extract<
  Supported<C, 'options'>,
  N extends ToMany<EntityShape> ? QueryOptionName : 'select' | 'expand' | 'compute' | 'levels'
>

/**
 * Makes the compiler report an unknown name at its location. Without it, the compiler doesn't check an inferred type
 * argument for excess properties.
 */
type StrictExpand<E extends EntityShape, C extends CapabilityTypes, X> = {
  readonly [N in keyof X]: N extends keyof E['navigation'] & Supported<C, 'expand'>
    ? X[N] extends true
      ? true
      : StrictOptions<E['navigation'][N], NestedCapabilities<C>, X[N]>
    : N extends '*'
      ? true
      : UnknownNavigationProperty<N>
}

type StrictOptions<N, C extends CapabilityTypes, Q> = {
  readonly [O in keyof Q]: O extends NestedOptionName<N, C>
    ? O extends 'expand'
      ? StrictExpand<Queryable<Target<N>>, C, Q[O]>
      : Q[O]
    : UnknownQueryOption<O>
}

/** Appears in compiler errors: the name isn't a navigation property, or can't be expanded here. */
interface UnknownNavigationProperty<Name> {
  readonly unknownNavigationProperty: Name
}

/** Appears in compiler errors: the name isn't a query option, or isn't supported by this navigation property. */
interface UnknownQueryOption<Name> {
  readonly unknownQueryOption: Name
}

/** The options of a read that the endpoint supports. */
export type QueryOptions<
  E extends EntityShape,
  C extends CapabilityTypes,
  S,
  X,
  Names extends QueryOptionName = QueryOptionName,
> = Pick<ReadOptions<E, C, S, X>, Extract<Supported<C, 'options'>, Names>> & RequestOptions & Prefer<Preferences<C>>

/** The query options that an endpoint can support. */
export type QueryOptionName =
  | 'select'
  | 'filter'
  | 'orderby'
  | 'expand'
  | 'top'
  | 'skip'
  | 'count'
  | 'search'
  /** Only inside `expand`. */
  | 'compute'
  | 'levels'

/**
 * The part of the query language that an endpoint supports, as types. Generated code declares one for each set of query
 * options in the spec. What a member does not name does not exist in the types of the endpoint's queries; an absent member
 * names nothing.
 *
 * @see OData Capabilities vocabulary V1
 */
export interface CapabilityTypes {
  readonly options?: QueryOptionName
  readonly filter?: string
  /** Property paths that can't be used in a filter. */
  readonly unfilterable?: string
  /** Navigation properties that a filter can use in a path or a lambda. */
  readonly through?: string
  /** Property paths to sort by. `string`: all. */
  readonly orderby?: string
  /** Navigation properties that can be expanded. */
  readonly expand?: string
  /** The type of `search`: `SearchTerms<...>` or `SearchWords`. */
  readonly search?: unknown
  /** The type of computed numbers. With exact numbers, it includes `string`. */
  readonly numbers?: unknown
  /** The transformations of `apply`. */
  readonly transformations?: string
  /** Property paths to group by. `string`: all. */
  readonly groupable?: string
  /** Property paths to aggregate. `string`: all. */
  readonly aggregatable?: string
  /** The capabilities inside `expand`. */
  readonly nested?: CapabilityTypes
  /** The endpoint's preferences: name -> values. */
  readonly prefer?: object
}

/** The type of a member of an endpoint's capabilities; `never` if it is absent. */
export type Supported<C extends CapabilityTypes, Member extends keyof CapabilityTypes> = C extends {
  readonly [M in Member]: infer Value
}
  ? Value
  : never

type NestedCapabilities<C extends CapabilityTypes> = C extends { readonly nested: infer Nested extends CapabilityTypes }
  ? Nested
  : object

export type Preferences<C extends CapabilityTypes> = C extends { readonly prefer: infer Names extends object }
  ? Names
  : object

/** Terms by property, `{ displayName: 'ada', mail: ['x', 'y'] }`. An item matches if any term matches. */
export type SearchTerms<Property extends string> = { readonly [P in Property]?: string | readonly string[] | undefined }

/** A phrase to search for. */
export type SearchWords = string

// OData 4.01 can't express a double quote in a phrase, and some services treat a backslash as an escape. Neither is part of
// a word, so a space has the same effect.
const phrase = (text: string): string => `"${text.replace(/["\\]/g, ' ')}"`

/**
 * Writes a `$search` expression.
 *
 * @see OData 4.01 URL Conventions, 5.1.7
 */
const searchText = (search: SearchWords | SearchTerms<string>): string =>
  typeof search === 'string'
    ? phrase(search)
    : Object.entries(search)
        .flatMap(([property, terms = []]) => [terms].flat().map(term => phrase(`${property}:${term}`)))
        .join(' OR ')

export interface RequestOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Headers of this request. They override the client's headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Preferences for the response: name -> value. A service can ignore them.
 *
 * @see RFC 7240
 */
export interface Prefer<Preferences> {
  readonly prefer?: Preferences | undefined
}

/**
 * Options of a change to an item that carries an entity tag.
 *
 * @see RFC 9110, 13.1.1
 */
export interface ChangeOptions extends RequestOptions {
  /**
   * The `@odata.etag` of the item that you read. The service rejects the change (412) if the item has changed since.
   */
  readonly ifMatch?: string | undefined
}

/** Options of a change that the service rejects (428) without an entity tag. */
export interface TaggedChangeOptions extends RequestOptions {
  /** The `@odata.etag` of the item that you have read, or `*` for any version. */
  readonly ifMatch: string
}

/** Options of a change that creates the item if it does not exist. `ifMatch` prevents that. */
export interface UpsertOptions extends ChangeOptions {
  /** Only creates the item. The service rejects the request (412) if the item exists. */
  readonly ifNoneMatch?: '*' | undefined
}

/** Options of such a change that the service rejects (428) without a condition. */
export type TaggedUpsertOptions =
  | (TaggedChangeOptions & { readonly ifNoneMatch?: undefined })
  | (RequestOptions & { readonly ifMatch?: undefined; readonly ifNoneMatch: '*' })

/** The body of a change that creates the item, with the key that the path has. */
export type NewItem<Create, Key extends string> = Create extends unknown
  ? { readonly [Name in keyof Create as Exclude<Name, Key>]: Create[Name] }
  : never

/** The last argument. It is optional if none of the options is required. */
export type Options<O> = object extends O ? [options?: O] : [options: O]

/**
 * Returns the headers that a query requires because of the constructs it uses. Generated code declares it from
 * `requires` in the spec, even if the spec leaves open whether a service enforces it. The argument is the
 * percent-encoded query without its string literals, which can contain any text.
 */
export type RequiredHeaders = (query: string) => Readonly<Record<string, string | undefined>>

/** The query options, untyped. */
export interface Query {
  readonly select?: readonly string[] | undefined
  readonly filter?: ((f: AnyFilterBuilder) => Filter | undefined) | undefined
  readonly orderby?: readonly string[] | undefined
  readonly expand?: Readonly<Record<string, true | Query | undefined>> | undefined
  readonly top?: number | undefined
  readonly skip?: number | undefined
  readonly count?: boolean | undefined
  readonly search?: SearchWords | SearchTerms<string> | undefined
  /** Text in the query language, as for `apply`: their types belong to operations of their own. */
  readonly compute?: string | undefined
  readonly apply?: string | undefined
  readonly levels?: number | 'max' | undefined
}

/** All options of all operations, untyped. The type of each operation says which of them it accepts. */
export interface CallOptions extends Query, RequestOptions {
  readonly prefer?: Readonly<Record<string, string>> | undefined
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/**
 * Writes query options in the query language. The text of each option is encoded; `separator` joins them.
 *
 * @see OData 4.01 URL Conventions, 5.1 (system query options)
 */
export const queryText = (
  query: Query,
  formats: LiteralFormat | LiteralFormats | undefined,
  separator: string,
  encode: (text: string) => string,
): string => {
  let all = ''
  for (const [name, given] of Object.entries(query)) {
    const value =
      name === 'filter'
        ? query.filter?.(filterBuilder(formats))?.text
        : name === 'expand'
          ? // The result type includes every named navigation property, so each one is expanded, whatever its options.
            Object.entries(given ?? {}).map(([property, options]) => {
              const nested = queryText(Object(options), formatsAt(formats, property), ';', String)
              return nested ? `${property}(${nested})` : property
            })
          : name === 'search'
            ? query.search && searchText(query.search)
            : given
    const text = `${value ?? ''}`
    // An empty list has no meaning, and services reject an option without text.
    if (text) all += `${all && separator}$${name}=${encode(text)}`
  }
  return all
}
