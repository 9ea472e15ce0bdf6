import type { EntityShape, PropertyName, PropertyPath, Target, ToMany, ToOne } from './entity-shape.js'
import { type AnyFilterBuilder, type Filter, filterBuilder, formatsAt, type OfferedFilterBuilder } from './filter.js'
import type { LiteralFormat, LiteralFormats } from './literals.js'

/** Query options of a read of `E`; `S` and `X` are what `select` and `expand` were given. */
interface ReadOptions<E extends EntityShape, C extends CapabilityTypes, S, X> {
  /** Only these properties are returned. */
  readonly select?: S
  /** Related items to be returned with each item: `true`, or options of their own. */
  readonly expand?: X & StrictExpand<E, C, X>
  /** Only items for which it is true; undefined: all. */
  readonly filter?: ((f: FilterBuilderOf<E, C>) => Filter | undefined) | undefined
  /** Sorted by these properties, the first one first; ascending unless `desc` is said. */
  readonly orderby?: readonly OrderbyItem<E, C>[] | undefined
  /** At most so many items; whether in all or in a page is the service's choice. */
  readonly top?: number | undefined
  /** Without the first so many items. */
  readonly skip?: number | undefined
  /** With the number of all items that match, whatever `top` and `skip` say. */
  readonly count?: boolean | undefined
  /** Only items that match the terms. */
  readonly search?: C['search'] | undefined
}

type FilterBuilderOf<E extends EntityShape, C extends CapabilityTypes> = OfferedFilterBuilder<
  FilterProperties<E, C>,
  C['filter']
>

type FilterProperties<E extends EntityShape, C extends CapabilityTypes> = ([C['unfilterable']] extends [never]
  ? E['properties']
  : Omit<E['properties'], C['unfilterable']>) &
  ([C['through']] extends [never]
    ? unknown
    : { readonly [N in C['through'] & keyof E['navigation']]: Related<E['navigation'][N]> })

type Related<N> =
  N extends ToMany<infer E>
    ? readonly E['properties'][]
    : N extends ToOne<infer E, boolean>
      ? E['properties'] | null
      : never

type OrderbyItem<E extends EntityShape, C extends CapabilityTypes> =
  | OrderbyPath<E, C>
  | `${OrderbyPath<E, C>} ${'asc' | 'desc'}`
type OrderbyPath<E extends EntityShape, C extends CapabilityTypes> = Extract<
  PropertyPath<E['properties']>,
  C['orderby']
>

/** What `select` may be given: names written in place narrow the result; a list built at run time makes all optional. */
export type Select<E extends EntityShape> = readonly PropertyName<E['properties']>[] | undefined

/** What `expand` may be given. */
export type Expand<E extends EntityShape, C extends CapabilityTypes> = {
  readonly [N in keyof E['navigation'] & C['expand']]?: true | NestedOptions<E['navigation'][N], C['nested']>
}

type NestedOptions<N, C extends CapabilityTypes> = Pick<
  ReadOptions<Target<N>, C, Select<Target<N>>, Expand<Target<N>, C>>,
  NestedOptionName<N, C>
>

/** A single related item is neither filtered nor paged. */
type NestedOptionName<N, C extends CapabilityTypes> =
  N extends ToMany<EntityShape> ? C['options'] : Extract<C['options'], 'select' | 'expand'>

/**
 * Makes a name that does not belong an error at its own place: what is inferred for a type parameter is not checked for
 * excess members.
 */
type StrictExpand<E extends EntityShape, C extends CapabilityTypes, X> = {
  readonly [N in keyof X]: N extends keyof E['navigation'] & C['expand']
    ? X[N] extends true
      ? true
      : StrictOptions<E['navigation'][N], C['nested'], X[N]>
    : NoRelation<N>
}

type StrictOptions<N, C extends CapabilityTypes, Q> = {
  readonly [O in keyof Q]: O extends NestedOptionName<N, C>
    ? O extends 'expand'
      ? StrictExpand<Target<N>, C, Q[O]>
      : Q[O]
    : NoOption<O>
}

/** Said by the compiler where a name under `expand` is no relation, or none that can be expanded here. */
interface NoRelation<Name> {
  readonly noRelation: Name
}

/** Said by the compiler where a name is no query option, or none of this relation. */
interface NoOption<Name> {
  readonly noOption: Name
}

/** The options of a read of one item or of many, as far as the endpoint has them. */
export type QueryOptions<
  E extends EntityShape,
  C extends CapabilityTypes,
  S,
  X,
  Names extends QueryOptionName = QueryOptionName,
> = Pick<ReadOptions<E, C, S, X>, Extract<C['options'], Names>> & RequestOptions & Prefer<C['prefer']>

/** The query options that an endpoint may offer. */
export type QueryOptionName = 'select' | 'filter' | 'orderby' | 'expand' | 'top' | 'skip' | 'count' | 'search'

/**
 * What one endpoint allows of the query language, in types: generated code declares one for each set of query options
 * of the spec. What is not named here does not exist in the types of the endpoint's queries.
 *
 * @see OData Capabilities vocabulary V1
 */
export interface CapabilityTypes {
  /** Options that exist. */
  readonly options: QueryOptionName
  /** Members of the filter builder that exist. */
  readonly filter: string
  /** Property paths that cannot be filtered; `never`: all can. */
  readonly unfilterable: string
  /** Relations that a filter may pass through or hold a lambda over; `never`: structural properties only. */
  readonly through: string
  /** Property paths that can be sorted by; `string`: all. */
  readonly orderby: string
  /** Relations that can be expanded. */
  readonly expand: string
  /** What `search` takes: `SearchTerms<…>` or `SearchWords`. */
  readonly search: unknown
  /** What an expanded relation may ask in turn. */
  readonly nested: CapabilityTypes
  /** Preferences of the endpoint, name -> values. */
  readonly prefer: object
}

/** Terms by property, `{ displayName: 'ada', mail: ['x', 'y'] }`: an item matches when any of them does. */
export type SearchTerms<Property extends string> = { readonly [P in Property]?: string | readonly string[] | undefined }

/** Text to be found as it stands. */
export type SearchWords = string

// OData 4.01 has no way to write a double quote in a phrase, and for some services a backslash escapes. Neither is part of
// a word, so a space finds the same.
const phrase = (text: string): string => `"${text.replace(/["\\]/g, ' ')}"`

/**
 * What is searched for, in the query language.
 *
 * @see OData 4.01 URL Conventions, 5.1.7
 */
const searchText = (search: SearchWords | SearchTerms<string>): string =>
  typeof search === 'string'
    ? phrase(search)
    : Object.entries(search)
        .flatMap(([property, terms = []]) => [terms].flat().map(term => phrase(`${property}:${term}`)))
        .join(' OR ')

/** What every call takes beside its own arguments. */
export interface RequestOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Sent on top of the client's own headers; a name given here wins. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Wishes of how the answer be made, name -> value; a service may ignore them.
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
  /** The item's `@odata.etag` as it was read: the change is refused (412) when the item has changed since. */
  readonly ifMatch?: string | undefined
}

/** Options of a change that the service refuses (428) without an entity tag. */
export interface TaggedChangeOptions extends RequestOptions {
  /** The item's `@odata.etag` as it was read; `*` for whatever is there. */
  readonly ifMatch: string
}

/** The last argument: it may be left out when nothing in it is required. */
export type Options<O> = object extends O ? [options?: O] : [options: O]

/**
 * The headers that a query needs because of the constructs it uses. Generated code declares it from `requires` of the
 * spec, also where the spec leaves open whether a service insists. It is given the query percent-encoded, its string
 * literals left out, in which anything may stand.
 */
export type RequiredHeaders = (query: string) => Readonly<Record<string, string | undefined>>

/** The query options as the runtime reads them. */
export interface Query {
  readonly select?: readonly string[] | undefined
  readonly filter?: ((f: AnyFilterBuilder) => Filter | undefined) | undefined
  readonly orderby?: readonly string[] | undefined
  readonly expand?: Readonly<Record<string, true | Query | undefined>> | undefined
  readonly top?: number | undefined
  readonly skip?: number | undefined
  readonly count?: boolean | undefined
  readonly search?: SearchWords | SearchTerms<string> | undefined
}

/** Every option of every operation, as the runtime reads them; the operation's own types say which of them it has. */
export interface CallOptions extends Query, RequestOptions {
  readonly prefer?: Readonly<Record<string, string>> | undefined
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/**
 * The query options that were given, in the query language: each one's text encoded, all joined by `separator`.
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
          ? // A relation that is named is expanded, whatever its options: so the type of the result says.
            Object.entries(given ?? {}).map(([relation, options]) => {
              const nested = queryText(Object(options), formatsAt(formats, relation), ';', String)
              return nested ? `${relation}(${nested})` : relation
            })
          : name === 'search'
            ? query.search && searchText(query.search)
            : given
    const text = `${value ?? ''}`
    // An empty list says nothing, and an option without text would be refused.
    if (text) all += `${all && separator}$${name}=${encode(text)}`
  }
  return all
}
