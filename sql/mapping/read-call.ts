import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { Route } from '../../runtime/server/index.js'
import { malformedQuery } from '../query-faults.js'
import { isObject } from '../values/codec.js'
import type { CallOf } from './mapping.js'

/** The call of a handler that reads. The calls of generated handlers have all of it. */
export interface ReadCall<Context = unknown> extends CallOf<Context> {
  readonly route: Route
  readonly keys: Readonly<Record<string, unknown>>
  readonly query: QueryOptions
  readonly pageSize: number | undefined
  readonly limit: number | undefined
}

/** The server core creates calls with all these members; the types of some handlers' calls do not show them. */
export function asReadCall<Context>(call: object): ReadCall<Context> {
  if (!isReadCall<Context>(call))
    throw new TypeError('Pass the call of a handler of a generated server, such as call => collection(…, call).')
  return call
}

function isReadCall<Context>(call: object): call is ReadCall<Context> {
  return 'route' in call && isObject(call.route) && 'principal' in call && isObject(call.principal)
}

/** Where a page starts. */
export interface PageStart {
  /** The sort keys of the last item of the previous page. */
  readonly after: readonly unknown[]
  /** The number of items that remain on all pages together; undefined: no limit. */
  readonly left: number | undefined
}

/** The query that a token continues. */
interface ContinuedQuery {
  readonly query: QueryOptions
  readonly keys: Readonly<Record<string, unknown>>
  readonly route: { readonly name: string }
  readonly principal: { readonly id: string }
}

const signatureLength = 16

/** The token of the page after an item: the start of the page, and a signature that binds it to the query. */
export function pageToken(start: PageStart, call: ContinuedQuery, secret: string): string {
  const after = start.after.map(value =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value,
  )
  const content = Buffer.from(JSON.stringify({ after, left: start.left })).toString('base64url')
  return `${content}.${signature(content, call, secret).toString('base64url')}`
}

/** @throws {RequestFault} if the token belongs to another query, or was changed */
export function pageStart(token: string, call: ContinuedQuery, secret: string): PageStart {
  const [content = '', signed = ''] = token.split('.')
  const expected = signature(content, call, secret)
  const given = Buffer.from(signed, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw malformedQuery('$skiptoken', 'The $skiptoken belongs to another query. Follow the link unchanged.')
  const start = parsedJson(Buffer.from(content, 'base64url').toString())
  const after = isObject(start) ? start['after'] : undefined
  const left = isObject(start) ? start['left'] : undefined
  if (!Array.isArray(after) || after.some(value => Array.isArray(value)))
    throw malformedQuery('$skiptoken', 'This service did not issue the $skiptoken.')
  return {
    after: after.map((value: unknown) => (isObject(value) ? Number(value['number']) : value)),
    left: typeof left === 'number' ? left : undefined,
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function signature(content: string, { query, keys, route, principal }: ContinuedQuery, secret: string): Buffer {
  const { top, skip, count, skiptoken, deltatoken, format, ...rest } = query
  const of = createHash('sha256')
    .update(JSON.stringify([route.name, principal.id, Object.values(keys).map(String), rest]))
    .digest('base64url')
  return createHmac('sha256', secret).update(`${of}.${content}`).digest().subarray(0, signatureLength)
}
