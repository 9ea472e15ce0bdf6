import { hash } from 'node:crypto'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { AnyCall } from '../../runtime/server/index.js'
import { movingValues, queryShape } from './query-shape.js'

/** Ties a token to the query that it continues, whatever the page, and to the path and the caller. */
export function queryHash({ route, keys, principal, template }: AnyCall): string {
  const { options } = template
  const caller = JSON.stringify([route.name, principal.id, Object.values(keys)])
  const values = JSON.stringify(movingValues(template))
  const last = lastHashes.get(options)
  if (last?.caller === caller && last.values === values) return last.hash
  // One list, of which the shape, the longest part, is written once for all.
  const text = `${caller.slice(0, -1)},${queryShape(options).quoted},${values}]`
  const made = { caller, values, hash: hash('sha256', text, 'base64url').slice(0, 16) }
  lastHashes.set(options, made)
  return made.hash
}

/** Of each query that the core keeps, by who asked it last: a page is opened by one token and ends with the next. */
const lastHashes = new WeakMap<QueryOptions, LastHash>()

interface LastHash {
  readonly caller: string
  readonly values: string
  readonly hash: string
}
