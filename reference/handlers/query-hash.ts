import { hash } from 'node:crypto'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { AnyCall } from '../../runtime/server/index.js'
import { movingValues, queryShape } from './query-shape.js'

/** What a token is tied to of a call. */
export interface ContinuedCall extends Pick<AnyCall, 'keys' | 'principal' | 'template'> {
  readonly route: Pick<AnyCall['route'], 'name'>
}

/** Ties a token to the query that it continues, whatever the page, and to the path and the caller. */
export function queryHash({ route, keys, principal, template }: ContinuedCall): string {
  const { options } = template
  const given = [route.name, principal.id, Object.values(keys), movingValues(template)] as const
  const last = lastHashes.get(options)
  if (last !== undefined && isSame(last.given, given)) return last.hash
  const { quoted } = queryShape(options)
  // One list, of which the shape, the longest part, is written once for all.
  const [name, caller, path, values] = given
  const text = `${JSON.stringify([name, caller, path]).slice(0, -1)},${quoted},${JSON.stringify(values)}]`
  const made = hash('sha256', text, 'base64url').slice(0, 16)
  lastHashes.set(options, { given, hash: made })
  return made
}

/** The path, who asks, the keys of the path and the values that the shape of the query leaves out. */
type Given = readonly [route: string, caller: string, path: readonly unknown[], values: readonly unknown[]]

/** Of each query that the core keeps, by who asked it last: a page is opened by one token and ends with the next. */
const lastHashes = new WeakMap<QueryOptions, { readonly given: Given; readonly hash: string }>()

function isSame(
  [route, caller, path, values]: Given,
  [otherRoute, otherCaller, otherPath, otherValues]: Given,
): boolean {
  return route === otherRoute && caller === otherCaller && areSame(path, otherPath) && areSame(values, otherValues)
}

function areSame(values: readonly unknown[], others: readonly unknown[]): boolean {
  return values.length === others.length && values.every((value, index) => value === others[index])
}
