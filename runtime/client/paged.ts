import type { ApiPromise } from './api-promise.js'
import { resolveLink } from './link.js'
import { unexpected } from './unexpected.js'

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
export const paged = <T, E, P extends Page<T>>(
  first: string,
  read: (url: string) => ApiPromise<P, E>,
): Paged<T, E, P> => {
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
            coming ??= read(seen.has(link) ? unexpected('a new link', link) : link).then(page => {
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
