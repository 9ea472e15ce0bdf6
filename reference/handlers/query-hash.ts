import { hash } from 'node:crypto'
import type { AnyCall } from '../../runtime/server/index.js'
import { movingValues, queryShape } from './query-shape.js'

/** Ties a token to the query that it continues, whatever the page, and to the path and the caller. */
export function queryHash({ route, keys, principal, template }: AnyCall): string {
  const { key } = queryShape(template.options)
  const values = movingValues(template)
  const text = JSON.stringify([route.name, principal.id, Object.values(keys), key, values])
  return hash('sha256', text, 'base64url').slice(0, 16)
}
