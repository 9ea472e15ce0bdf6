import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import type { QueryOptions } from '../../runtime/query/index.js'
import { type AnyCall, boundedMap, RequestFault } from '../../runtime/server/index.js'
import { isObject } from '../../sql/index.js'
import { literalValues, queryShape } from './query-shape.js'

/** The parts of a call that a token is bound to. */
export interface ContinuedCall extends Pick<AnyCall, 'keys' | 'principal' | 'template'> {
  readonly route: Pick<AnyCall['route'], 'name'>
}

/** The hash that binds a token to its query, path and caller. All pages of a query have the same hash. */
export function queryHash({ route, keys, principal, template }: ContinuedCall): string {
  const { options } = template
  const given = [route.name, principal.id, Object.values(keys), literalValues(template)] as const
  const last = lastHashes.get(options)
  if (last !== undefined && isSame(last.given, given)) return last.hash
  const { quoted } = queryShape(options)
  // The shape is the longest part. It is serialised once per query and inserted here.
  const [name, caller, path, values] = given
  const text = `${JSON.stringify([name, caller, path]).slice(0, -1)},${quoted},${JSON.stringify(values)}]`
  const made = hash('sha256', text, 'base64url').slice(0, 16)
  lastHashes.set(options, { given, hash: made })
  return made
}

/** The route, the caller, the keys of the path, and the literals that are not part of the query's shape. */
type Given = readonly [route: string, caller: string, path: readonly unknown[], values: readonly unknown[]]

/** The last hash of each cached query. A call verifies one token and signs the next, so that the hash is needed twice. */
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

/** Where a page starts, as its token says. */
interface PageStart {
  /** The sort keys of the last item of the previous page. */
  readonly after: readonly unknown[]
  /** The number of items that remain on all pages together; undefined: no limit. */
  readonly left: number | undefined
}

/** The token that was issued last for a query. */
interface GivenToken {
  readonly last: readonly unknown[]
  readonly left: number | undefined
  readonly hash: string
  readonly signer: TokenSigner
  readonly token: string
}

/**
 * The last token of each cached query. A caller who requests the same page again gets the same token, without a new
 * signature.
 */
const lastTokens = new WeakMap<QueryOptions, GivenToken>()

/**
 * The token of the page after an item.
 *
 * @param last the sort keys of the item
 * @param left the number of items that remain on all pages together; undefined: no limit
 */
export function pageToken(
  last: readonly unknown[],
  left: number | undefined,
  call: ContinuedCall,
  signer: TokenSigner,
): string {
  const { options } = call.template
  const hash = queryHash(call)
  const given = lastTokens.get(options)
  if (given !== undefined && areSame(given.last, last)) {
    if (given.left === left && given.hash === hash && given.signer === signer) return given.token
  }
  const after = last.map(value =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value,
  )
  const token = signer.sign({ q: hash, after, left })
  lastTokens.set(options, { last, left, hash, signer, token })
  return token
}

/**
 * Where the page of a token starts.
 *
 * @throws {RequestFault} if this service did not issue the token for this query
 */
export function pageStart(token: string, call: ContinuedCall, signer: TokenSigner): PageStart {
  const verified = signer.verify(token)
  const content = typeof verified === 'string' ? undefined : verified.content
  if (!isObject(content) || !Array.isArray(content['after']))
    throw malformedToken('This service did not issue the $skiptoken.')
  if (content['q'] !== queryHash(call))
    throw malformedToken('The $skiptoken belongs to another query. Follow the link unchanged.')
  const left = content['left']
  const after = content['after'].map(afterValue)
  if (after.includes(undefined)) throw malformedToken('This service did not issue the $skiptoken.')
  return { after, left: typeof left === 'number' ? left : undefined }
}

/** The sort key in a token; undefined if it cannot be one. JSON cannot represent infinity. */
function afterValue(value: unknown): unknown {
  if (Array.isArray(value)) return undefined
  return isObject(value) ? infinities.get(value['number']) : value
}

const infinities: ReadonlyMap<unknown, number> = new Map(
  [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN].map(value => [String(value), value]),
)

function malformedToken(reason: string): RequestFault {
  return new RequestFault('malformedQueryOption', {
    target: '$skiptoken',
    values: { option: '$skiptoken', reason },
  })
}

/** The content of a token; undefined if it is not JSON, which only the owner of the secret can sign. */
function parsedJson(text: string): { readonly content: unknown } | undefined {
  try {
    return { content: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The length of a signature in bytes. 16 bytes cannot be guessed. */
const signatureLength = 16

/** Why a token is invalid: `malformed` if it was changed, `foreign` if another store issued it. */
type TokenProblem = 'malformed' | 'foreign'

/** Signs the content that a link carries to the next request, and verifies it when it returns. */
export interface TokenSigner {
  readonly sign: (content: unknown) => string
  readonly verify: (token: string) => { readonly content: unknown } | TokenProblem
}

/** The number of tokens in the cache. Callers follow most links soon. */
const maxCachedTokens = 512

/**
 * Creates a signer whose tokens are `store.content.signature`, each part in base64url. The name of the store distinguishes a
 * token of a deleted store from a token that was changed.
 */
export function tokenSigner(identity: { readonly id: string; readonly secret: string }): TokenSigner {
  const store = identity.id.slice(0, 8)
  const key = createSecretKey(identity.secret, 'utf8')
  const signature = (text: string): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, signatureLength)
  // The JSON content of tokens that this signer signed or verified. They need no further check.
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
      const parsed = parsedJson(json)
      if (parsed === undefined) return 'malformed'
      contents.set(token, json)
      return parsed
    },
  }
}
