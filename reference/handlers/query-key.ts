import { createHash } from 'node:crypto'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { AnyCall } from '../../runtime/server/index.js'

/** What a query asks for, whatever the page: queries with one key are answered by the same statements. */
export function queryKey(options: QueryOptions): string {
  const known = keys.get(options)
  if (known !== undefined) return known
  const { top, skip, count, skiptoken, deltatoken, format, ...rest } = options
  const key = JSON.stringify(rest)
  keys.set(options, key)
  return key
}

/** The core keeps the options of queries that come again. */
const keys = new WeakMap<QueryOptions, string>()

/** Ties a token to the query that it continues, and to the path and the caller. */
export function queryHash({ route, keys, principal, query }: AnyCall): string {
  const text = JSON.stringify([route.name, principal.id, Object.values(keys), queryKey(query)])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
