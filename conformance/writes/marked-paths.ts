import type { Service } from '../../spec/language/index.js'
import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'
import { listPages } from '../session/list-pages.js'
import { siteOf } from '../site/site-of.js'

/** What is needed to look for items by their mark. */
export interface MarkSearch {
  readonly service: Service
  readonly send: (ask: Ask) => Promise<Answer>
  readonly origin: string
}

/**
 * Addresses of the items of a collection in which the mark of a run stands: made by creates whose answers were lost. Absent
 * when the collection cannot be looked through to its end, or nothing can be deleted from it.
 *
 * @param collection path of the create endpoint, below the root
 */
export async function markedPaths(
  collection: string,
  mark: string,
  { service, send, origin }: MarkSearch,
): Promise<readonly string[] | undefined> {
  const endpoint = service.endpoints.find(({ kind, path }) => kind === 'collection' && path.template === collection)
  const item = service.endpoints.find(
    ({ kind, path }) =>
      kind === 'delete' &&
      path.template.startsWith(collection) &&
      /^(?:\/\{[^/}]+\}|\([^/]*\))$/.test(path.template.slice(collection.length)),
  )
  const site = endpoint === undefined ? undefined : siteOf(endpoint)
  if (site === undefined || item === undefined) return undefined
  const { rows, end } = await listPages({ method: 'GET', path: site.path }, send, origin, { pages: 1_000 })
  if (end !== 'whole') return undefined
  return rows.filter(row => JSON.stringify(row).includes(mark)).flatMap(row => siteOf(item, { site, row })?.path ?? [])
}
