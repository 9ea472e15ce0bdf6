import type { QueryOptions } from '../../runtime/query/index.js'
import { RequestFault } from '../../runtime/server/index.js'
import type { TokenSealer } from '../store/read/token.js'
import { isObject } from '../store/value/json-object.js'
import { type ContinuedCall, queryHash } from './query-hash.js'

/** Where a page begins, as its link says. */
export interface PageStart {
  /** Sort keys of the item before it. */
  readonly after: readonly unknown[]
  /** Items that are left of all pages together; undefined: no limit. */
  readonly left: number | undefined
}

/** The last token of a query. */
interface GivenToken {
  readonly last: readonly unknown[]
  readonly left: number | undefined
  readonly hash: string
  readonly sealer: TokenSealer
  readonly token: string
}

/** Of each query that the core keeps: who asks for the same page again gets the same link, which need not be signed anew. */
const lastTokens = new WeakMap<QueryOptions, GivenToken>()

/**
 * The token of the page behind an item.
 *
 * @param last sort keys of the item
 * @param left items that are left of all pages together; undefined: no limit
 */
export function pageToken(
  last: readonly unknown[],
  left: number | undefined,
  call: ContinuedCall,
  sealer: TokenSealer,
): string {
  const { options } = call.template
  const hash = queryHash(call)
  const given = lastTokens.get(options)
  if (given?.last === last && given.left === left && given.hash === hash && given.sealer === sealer) return given.token
  const after = last.map(value =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value,
  )
  const token = sealer.seal({ q: hash, after, left })
  lastTokens.set(options, { last, left, hash, sealer, token })
  return token
}

/** Where the page of a token begins. @throws {RequestFault} for one that this service gave for no page of this query */
export function pageStart(token: string, call: ContinuedCall, sealer: TokenSealer): PageStart {
  const opened = sealer.open(token)
  const content = typeof opened === 'string' ? undefined : opened.content
  if (!isObject(content) || !Array.isArray(content['after']))
    throw notOfThisService('$skiptoken comes from no link of this service.')
  if (content['q'] !== queryHash(call))
    throw notOfThisService('$skiptoken belongs to another query: follow the link as it is.')
  const left = content['left']
  return { after: content['after'].map(afterValue), left: typeof left === 'number' ? left : undefined }
}

/** Infinity has no place in JSON. */
function afterValue(value: unknown): unknown {
  return isObject(value) ? Number(value['number']) : value
}

function notOfThisService(reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', {
    target: '$skiptoken',
    values: { option: '$skiptoken', reason },
  })
}
