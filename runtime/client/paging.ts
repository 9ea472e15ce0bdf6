import type { Connection } from './connection.js'
import type { EntityShape, Row } from './entity-shape.js'
import { type ServiceError, throwTypeError } from './errors.js'
import type { LiteralFormats } from './literals.js'
import type { PathTemplate } from './path.js'
import type { CapabilityTypes, Expand, QueryOptions, RequiredHeaders, Select } from './query-options.js'
import { type ApiPromise, prepareRequest, send } from './request.js'

/** A page as it is sent. @see OData JSON Format 4.01, 4.5 (control information) */
interface PageBody {
  readonly value: readonly never[]
  readonly '@odata.count'?: number
  readonly '@odata.nextLink'?: string
  readonly '@odata.deltaLink'?: string
}

/**
 * The operation of an endpoint that answers page by page. The items are `never`: the runtime claims nothing about them,
 * the type of the operation does.
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

/** Reads a collection. `Keys` are the arguments that stand in the path. */
export interface ListOperation<
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
> {
  <const S extends Select<E> = undefined, const X extends Expand<E, C> = object>(
    ...args: [...keys: Keys, query?: QueryOptions<E, C, S, X>]
  ): Paged<Row<E, S, X>, ServiceError<Code>>
  /** Never there: with it the compiler takes the operation's types as they are, instead of inferring them anew. */
  readonly types?: readonly [E, C]
}

/** Makes the operation that lists what is at a path. */
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

/** A page of changes. */
export interface DeltaPage<T> extends Page<T> {
  /** On the last page: give it to `resume`, later, for what has changed since. */
  readonly deltaLink: string | undefined
}

/** An item that is new or has changed: its key, and those of its properties that the service tells. */
export type Changed<E extends EntityShape, S> = KeyOf<E> & Partial<Row<E, S, object>>

/** An item that is gone; `deleted` for good, or `changed` so that it no longer belongs to the collection. */
export type Removed<E extends EntityShape> = KeyOf<E> & {
  readonly '@removed': { readonly reason: 'changed' | 'deleted' }
}

type KeyOf<E extends EntityShape> = Pick<E['properties'], E['key'] & keyof E['properties']>

/**
 * Reads what has changed in a collection: all of it at first, then from each `deltaLink` on. Tell the two kinds of items
 * apart by `'@removed' in item`.
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
  /** Never there: with it the compiler takes the operation's types as they are, instead of inferring them anew. */
  readonly types?: readonly [E, C]
}

/** Makes the operation that tells the changes of what is at a path. */
export const delta: <
  Keys extends readonly unknown[],
  E extends EntityShape,
  C extends CapabilityTypes,
  Code extends string,
>(
  connection: Connection,
  path: PathTemplate,
) => DeltaOperation<Keys, E, C, Code> = pagedOperation

/** One page of a list. */
export interface Page<T> {
  readonly value: readonly T[]
  /** Number of all items that match, when it was asked for. */
  readonly count: number | undefined
  /** Where the next page is: absolute, opaque; undefined on the last page. */
  readonly nextLink: string | undefined
}

/**
 * A list that is read as it is used: nothing is sent before the first item or page is asked for. Calls of `next` may overlap;
 * after a failure each further one fails alike.
 */
export interface Paged<T, E, P = Page<T>> extends AsyncIterable<T> {
  /** The first page alone. */
  page(): ApiPromise<P, E>
  /** Page by page to the last one. A page may be empty and not the last. */
  byPage(): AsyncIterable<P>
  /**
   * The same list, from a link on that an earlier page carried. The link is followed as it is; of the query only the
   * headers are sent again. Throws a `TypeError` when it leads to another origin than the client's.
   */
  resume(link: string): Paged<T, E, P>
}

/** A list that starts at `first`; `read` gets one page. */
const paged = <T, E, P extends Page<T>>(first: string, read: (url: string) => ApiPromise<P, E>): Paged<T, E, P> => {
  // By hand, since a generator that yields each item costs several times as much as what is done with the item.
  const iterate =
    <I>(itemsOf: (page: P) => readonly I[]) =>
    (): AsyncIterator<I, undefined> => {
      const seen = new Set<string | undefined>()
      const none: readonly I[] = []
      let items = none.values()
      let link: string | undefined = first
      // Calls that overlap wait for the same page, and go on in their order. One that failed stays.
      let coming: PromiseLike<void> | undefined
      return {
        async next() {
          let item = items.next()
          while (item.done && link) {
            coming ??= read(seen.has(link) ? throwTypeError('a new link', link) : link).then(page => {
              items = itemsOf(page).values()
              seen.add(link)
              link = page.nextLink
              coming = undefined
            })
            await coming
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
 * A link as the service gave it, made absolute against the page that carried it. It is followed with the caller's
 * credentials, so one that leads to another origin is refused with a `TypeError`.
 */
const resolveLink = (link: string, page: string): string => {
  const { href, origin } = new URL(link, page)
  return origin === new URL(page).origin ? href : throwTypeError(`a link like ${page}`, href)
}
