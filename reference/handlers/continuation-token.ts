import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import type { QueryOptions } from '../../runtime/query/index.js'
import { type AnyCall, boundedMap, RequestFault } from '../../runtime/server/index.js'
import { isObject } from '../json-object.js'
import { literalValues, queryShape } from './plan-cache.js'

/** What a token is tied to of a call. */
export interface ContinuedCall extends Pick<AnyCall, 'keys' | 'principal' | 'template'> {
  readonly route: Pick<AnyCall['route'], 'name'>
}

/** Ties a token to the query that it continues, whatever the page, and to the path and the caller. */
export function queryHash({ route, keys, principal, template }: ContinuedCall): string {
  const { options } = template
  const given = [route.name, principal.id, Object.values(keys), literalValues(template)] as const
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

/** Where a page begins, as its link says. */
interface PageStart {
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
  readonly sealer: TokenSigner
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
  sealer: TokenSigner,
): string {
  const { options } = call.template
  const hash = queryHash(call)
  const given = lastTokens.get(options)
  if (given?.last === last && given.left === left && given.hash === hash && given.sealer === sealer) return given.token
  const after = last.map(value =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value,
  )
  const token = sealer.sign({ q: hash, after, left })
  lastTokens.set(options, { last, left, hash, sealer, token })
  return token
}

/** Where the page of a token begins. @throws {RequestFault} for one that this service gave for no page of this query */
export function pageStart(token: string, call: ContinuedCall, sealer: TokenSigner): PageStart {
  const opened = sealer.verify(token)
  const content = typeof opened === 'string' ? undefined : opened.content
  if (!isObject(content) || !Array.isArray(content['after']))
    throw malformedToken('$skiptoken comes from no link of this service.')
  if (content['q'] !== queryHash(call))
    throw malformedToken('$skiptoken belongs to another query: follow the link as it is.')
  const left = content['left']
  return { after: content['after'].map(afterValue), left: typeof left === 'number' ? left : undefined }
}

/** Infinity has no place in JSON. */
function afterValue(value: unknown): unknown {
  return isObject(value) ? Number(value['number']) : value
}

function malformedToken(reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', {
    target: '$skiptoken',
    values: { option: '$skiptoken', reason },
  })
}

/** Bytes of the signature: as many as nobody guesses. */
const signatureLength = 16

/** Says what is wrong with a token: it was changed, or comes from another store. */
type TokenProblem = 'malformed' | 'foreign'

/** Seals what a link carries to the next request, so that nobody can change it; opens what comes back. */
export interface TokenSigner {
  readonly sign: (content: unknown) => string
  readonly verify: (token: string) => { readonly content: unknown } | TokenProblem
}

/** Cached tokens. Callers follow most links soon. */
const maxCachedTokens = 512

/**
 * Tokens signed with the store's secret: `store.content.signature`, each in base64url. The store's name tells tokens of a
 * store that is gone from those that were changed.
 */
export function tokenSigner(identity: { readonly id: string; readonly secret: string }): TokenSigner {
  const store = identity.id.slice(0, 8)
  const key = createSecretKey(identity.secret, 'utf8')
  const signature = (text: string): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, signatureLength)
  // The JSON content of tokens that this signer signed or verified. These need no further check.
  const contents = boundedMap<string>(maxCachedTokens)
  return {
    sign: content => {
      const json = JSON.stringify(content)
      const text = `${store}.${Buffer.from(json).toString('base64url')}`
      const token = `${text}.${signature(text).toString('base64url')}`
      contents.set(token, json)
      return token
    },
    verify: token => {
      const cached = contents.get(token)
      if (cached !== undefined) return { content: JSON.parse(cached) }
      const [found = '', content = '', signed = '', ...more] = token.split('.')
      if (more.length > 0 || signed === '') return 'malformed'
      if (found !== store) return /^[0-9a-f]{8}$/.test(found) ? 'foreign' : 'malformed'
      const given = Buffer.from(signed, 'base64url')
      const expected = signature(`${found}.${content}`)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'malformed'
      const json = Buffer.from(content, 'base64url').toString()
      contents.set(token, json)
      return { content: JSON.parse(json) }
    },
  }
}
