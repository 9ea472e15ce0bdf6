import type { Service } from '../../spec/language/index.js'
import { type Site, siteOf } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { isRow } from '../json.js'

/**
 * The path of a created item, relative to the root: from the key in the response, or else from `Location`. Absent if
 * neither reveals it, or nothing was created. A path is never more than the collection and one key: the suite deletes
 * what is there.
 *
 * @param root address of the service, without a trailing slash
 */
export function createdPath(
  response: TestResponse,
  site: Site,
  service: Pick<Service, 'endpoints'>,
  root: string,
): string | undefined {
  if (response.status < 200 || response.status > 299) return undefined
  const prefix = site.endpoint.resolved
  if (isRow(response.json)) {
    for (const kind of ['delete', 'item', 'update'] as const) {
      const endpoint = service.endpoints.find(
        each =>
          each.kind === kind &&
          each.resolved.length === prefix.length + 1 &&
          isItemTemplate(each.path.template, site.endpoint.path.template),
      )
      const found = endpoint === undefined ? undefined : siteOf(endpoint, { site, row: response.json })
      if (found !== undefined) return found.path
    }
  }
  return pathOfLocation(response.headers['location'], site.path, root)
}

/** Whether a path template is that of a collection plus a key: `/things/{id}` or `/things(id={id})`. */
export function isItemTemplate(template: string, collection: string): boolean {
  return template.startsWith(collection) && /^(?:\/\{[^/}]+\}|\([^/]*\))$/.test(template.slice(collection.length))
}

/**
 * The path that a `Location` names, relative to the root. Absent if it is not an item directly in the collection: on
 * another host, with a query, or with a key that some server may read as several segments.
 *
 * @param collection path of the collection, relative to the root
 */
export function pathOfLocation(location: string | undefined, collection: string, root: string): string | undefined {
  if (location === undefined || !URL.canParse(location, `${root}${collection}`)) return undefined
  const url = new URL(location, `${root}${collection}`)
  if (url.origin !== new URL(root).origin || url.username !== '' || url.password !== '') return undefined
  if (url.search !== '' || url.hash !== '' || !url.href.startsWith(`${root}/`)) return undefined
  const path = url.href.slice(root.length)
  return isItemPath(path, collection) ? path : undefined
}

/** Whether a path is a collection's plus one key, in any reading of its escapes. */
export function isItemPath(path: string, collection: string): boolean {
  if (!path.startsWith(collection)) return false
  const [, segment, predicate] = /^(?:\/([^/()?#\\]+)|\(([^/()?#\\]+)\))$/.exec(path.slice(collection.length)) ?? []
  const key = segment ?? predicate
  if (key === undefined) return false
  const read = decoded(key)
  // Escapes inside escapes: some servers decode twice.
  const again = read === undefined ? undefined : (decoded(read) ?? read)
  return [read, again].every(each => each !== undefined && isPlainKey(each))
}

function isPlainKey(key: string): boolean {
  return !/^\.{0,2}$/.test(key.trim()) && !/[/\\?#\p{Cc}\p{Cs}]/u.test(key) && !key.startsWith('$')
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
