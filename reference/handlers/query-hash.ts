import { hash } from 'node:crypto'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { AnyCall } from '../../runtime/server/index.js'
import { movingValues, queryShape } from './query-shape.js'

/** Ties a token to the query that it continues, whatever the page, and to the path and the caller. */
export function queryHash({ route, keys, principal, template }: AnyCall): string {
  const { options } = template
  const asked = [principal.id, Object.values(keys), movingValues(template)] as const
  const told = JSON.stringify([route.name, ...asked])
  const known = hashes.get(options)
  if (known?.told === told) return known.hash
  const [id, ofPath, values] = asked
  const text = JSON.stringify([route.name, id, ofPath, queryShape(options).key, values])
  const made = { told, hash: hash('sha256', text, 'base64url').slice(0, 16) }
  hashes.set(options, made)
  return made.hash
}

/** Who asked last, and for what: a page is opened by one token and ends with the next. The core keeps the options. */
const hashes = new WeakMap<QueryOptions, { readonly told: string; readonly hash: string }>()
