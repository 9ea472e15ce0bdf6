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

/** A list that is read as it is used: nothing is sent before the first item or page is asked for. */
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
  async function* byPage(): AsyncGenerator<P, undefined> {
    const seen = new Set<string>()
    let url: string | undefined = first
    while (url) {
      if (seen.has(url)) unexpected('a new link', url)
      seen.add(url)
      const page: P = await read(url)
      yield page
      url = page.nextLink
    }
  }
  return {
    page: () => read(first),
    byPage,
    resume: link => paged(resolveLink(link, first), read),
    // By hand, since a generator that yields each item costs several times as much as what is done with the item.
    [Symbol.asyncIterator]() {
      const none: readonly T[] = []
      const pages = byPage()
      let items = none.values()
      return {
        async next() {
          for (;;) {
            const item = items.next()
            if (!item.done) return item
            const page = await pages.next()
            if (page.done) return page
            items = page.value.value.values()
          }
        },
      }
    },
  }
}
