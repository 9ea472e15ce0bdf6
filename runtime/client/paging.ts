import { type ApiPromise, type Connection, prepareRequest, send } from './connection.js'
import type { AnyRow, BaseShape, EntityShape, Row, WithCasts } from './entity-shape.js'
import { type ServiceError, throwTypeError } from './errors.js'
import type { LiteralFormats, PathTemplate } from './path.js'
import type { CapabilityTypes, Expand, QueryOptions, RequiredHeaders, Select } from './query-options.js'

export interface Page<T> {
  readonly value: readonly T[]
  /** The number of all matching items, if the query requested it. */
  readonly count: number | undefined
  /** The URL of the next page: absolute and opaque. Undefined on the last page. */
  readonly nextLink: string | undefined
}

/**
 * A collection that is read lazily: the client sends nothing until you request the first item or page. Calls of `next`
 * can overlap. After a failure, every further call fails with the same error.
 */
export interface Paged<T, E, P = Page<T>> extends AsyncIterable<T> {
  page(): ApiPromise<P, E>
  /** Reads page by page. An empty page isn't necessarily the last one. */
  byPage(): AsyncIterable<P>
  /**
   * The same list, starting at a link from an earlier page. The client follows the link unchanged and repeats only the
   * headers of the query. Throws a `TypeError` if the link leads to another origin.
   */
  resume(link: string): Paged<T, E, P>
}

/** A page of changes. */
export interface DeltaPage<T> extends Page<T> {
  /** Set on the last page. Pass it to `resume` later to read what has changed since. */
  readonly deltaLink: string | undefined
}

/** Reads a collection. `Keys` are the arguments in the path. */
export interface ListOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  <const S extends Select<E> = undefined, const X extends Expand<E, C> = object>(
    ...args: [...keys: Keys, query?: QueryOptions<E, C, S, X>]
  ): Paged<Row<E, S, X>, ServiceError<Code>>
  /** Never set. It lets the compiler read the operation's type arguments instead of inferring them again. */
  readonly types?: readonly [E, C]
}

/** Reads a collection whose items have several types. @see ListOperation */
export interface PolymorphicListOperation<
  Keys extends readonly unknown[],
  E extends BaseShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  <const S extends Select<WithCasts<E>> = undefined, const X extends Expand<WithCasts<E>, C> = object>(
    ...args: [...keys: Keys, query?: QueryOptions<WithCasts<E>, C, S, X>]
  ): Paged<AnyRow<E, S, X>, ServiceError<Code>>
  /** Never set. It lets the compiler read the operation's type arguments instead of inferring them again. */
  readonly types?: readonly [E, C]
}

/**
 * Reads the changes of a collection: first all its items, then the changes since a `deltaLink`. Use `'@removed' in
 * item` to recognize removed items.
 *
 * @see OData 4.01 Protocol, 11.3
 */
export interface DeltaOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  <const S extends Select<E> = undefined>(
    ...args: [...keys: Keys, query?: QueryOptions<E, C, S, object>]
  ): Paged<Changed<E, S> | Removed<E>, ServiceError<Code>, DeltaPage<Changed<E, S> | Removed<E>>>
  /** Never set. It lets the compiler read the operation's type arguments instead of inferring them again. */
  readonly types?: readonly [E, C]
}

/** Reads the changes of a collection whose items have several types. @see DeltaOperation */
export interface PolymorphicDeltaOperation<
  Keys extends readonly unknown[],
  E extends BaseShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  <const S extends Select<WithCasts<E>> = undefined>(
    ...args: [...keys: Keys, query?: QueryOptions<WithCasts<E>, C, S, object>]
  ): Paged<AnyChanged<E, S> | Removed<E>, ServiceError<Code>, DeltaPage<AnyChanged<E, S> | Removed<E>>>
  /** Never set. It lets the compiler read the operation's type arguments instead of inferring them again. */
  readonly types?: readonly [E, C]
}

type AnyChanged<E extends BaseShape, S> = KeyOf<E> & Partial<AnyRow<E, S, object>>

/** An item that is new or has changed: its key, and the properties that the service returns. */
export type Changed<E extends EntityShape, S> = KeyOf<E> & Partial<Row<E, S, object>>

/** A removed item: `deleted`, or `changed` so that it no longer belongs to the collection. */
export type Removed<E extends EntityShape> = KeyOf<E> & {
  readonly '@removed': { readonly reason: 'changed' | 'deleted' }
}

type KeyOf<E extends EntityShape> = Pick<E['properties'], E['key'] & keyof E['properties']>

/** The body of a page. @see OData JSON Format 4.01, 4.5 (control information) */
interface PageBody {
  readonly value: readonly never[]
  readonly '@odata.count'?: number
  readonly '@odata.nextLink'?: string
  readonly '@odata.deltaLink'?: string
}

/**
 * Creates the operation of an endpoint whose result comes in pages. The items are `never`: their type comes from the
 * type of the operation.
 */
export const pagedOperation =
  <Code extends string>(
    connection: Connection,
    path: PathTemplate,
    formats?: LiteralFormats,
    conditions?: RequiredHeaders,
  ) =>
  (...args: readonly unknown[]): Paged<never, ServiceError<Code>, DeltaPage<never>> => {
    const call = prepareRequest(connection, 'GET', path, args, formats, conditions)
    return paged(call.url, url =>
      send(connection, { ...call, url }, (body: PageBody) => {
        const absolute = (link: string | undefined): string | undefined => link && resolveLink(link, url)
        return {
          value: body.value,
          nextLink: absolute(body['@odata.nextLink']),
          deltaLink: absolute(body['@odata.deltaLink']),
          count: body['@odata.count'],
        }
      }),
    )
  }

/** Creates the operation that lists the items at a path. */
export const list: <
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
>(
  connection: Connection,
  path: PathTemplate,
  formats?: LiteralFormats,
  conditions?: RequiredHeaders,
) => ListOperation<Keys, E, C, Code> = pagedOperation

/** Creates the operation that reads the changes of the collection at a path. */
export const delta: <
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
>(
  connection: Connection,
  path: PathTemplate,
) => DeltaOperation<Keys, E, C, Code> = pagedOperation

/** Creates a list that starts at the URL `first`. `read` reads one page. */
const paged = <T, E, P extends Page<T>>(first: string, read: (url: string) => ApiPromise<P, E>): Paged<T, E, P> => {
  // Not a generator: one that yields each item takes several times as long as typical work on the item.
  const iterate =
    <I>(itemsOf: (page: P) => readonly I[]) =>
    (): AsyncIterator<I, undefined> => {
      const seen = new Set<string | undefined>()
      const none: readonly I[] = []
      let items = none.values()
      let link: string | undefined = first
      // Overlapping calls wait for the same page and continue in their order. A failed read stays.
      let pending: PromiseLike<void> | undefined
      return {
        async next() {
          let item = items.next()
          while (item.done && link) {
            pending ??= read(seen.has(link) ? throwTypeError('a new link', link) : link).then(page => {
              items = itemsOf(page).values()
              seen.add(link)
              link = page.nextLink
              pending = undefined
            })
            await pending
            item = items.next()
          }
          return item
        },
      }
    }
  return {
    page: () => read(first),
    byPage: () => ({ [Symbol.asyncIterator]: iterate(page => [page]) }),
    resume: link => paged(resolveLink(link, first), read),
    [Symbol.asyncIterator]: iterate(page => page.value),
  }
}

/**
 * Resolves a link against the URL of the page that contained it. The client follows the link with its credentials, so a
 * link to another origin throws a `TypeError`.
 */
const resolveLink = (link: string, page: string): string => {
  const { href, origin } = new URL(link, page)
  return origin === new URL(page).origin ? href : throwTypeError(`a link like ${page}`, href)
}
