import { printQueryOptions } from '../../runtime/query/index.js'
import { isRow } from '../json.js'
import { compareRationals, rationalOf } from '../oracle/rational.js'
import type { TestRequest, TransportError } from './message.js'
import type { PendingResponse, Target, WireResponse } from './sender.js'

/**
 * Maximum nesting of arrays and objects. No real response comes close, and `JSON.stringify` fails on much deeper
 * values.
 */
const maxNesting = 1000

/** Parses a body. Returns `undefined` if it is not JSON or exceeds the nesting limit. */
export function parseJsonBody(text: string): unknown {
  if (text === '') return undefined
  try {
    const exact = withLongNumeralsAsText(text)
    const json: unknown = mayShadowObjectMethods(text)
      ? JSON.parse(exact, (_, value) => withSafeToString(value))
      : JSON.parse(exact)
    return mayExceedNesting(text) && exceedsNesting(json, maxNesting) ? undefined : json
  } catch {
    return undefined
  }
}

const stringOrNumeral = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.]{15,}(?![0-9.eE])/gs

/**
 * The JSON with numbers that would lose digits as strings. Rules accept both forms of Int64 and Decimal.
 *
 * @throws {SyntaxError} if it is not JSON
 */
function withLongNumeralsAsText(text: string): string {
  if (!/[0-9.]{16}/.test(text)) return text
  JSON.parse(text)
  return text.replaceAll(stringOrNumeral, token => {
    if (token.startsWith('"')) return token
    const nearest = rationalOf(String(Number(token)))
    const exact = rationalOf(token)
    const isExact = nearest === undefined || exact === undefined || compareRationals(nearest, exact) === 0
    return isExact ? token : `"${token}"`
  })
}

/** Whether a member could be named `toString` or `valueOf`, written literally or with `\u` escapes. */
function mayShadowObjectMethods(text: string): boolean {
  return text.includes('"toString"') || text.includes('"valueOf"') || /\\u00[4-7]/.test(text)
}

/**
 * Converting an object to text throws if its members shadow `toString` and `valueOf`. Such an object gets a safe
 * conversion.
 */
function withSafeToString(value: unknown): unknown {
  if (!isRow(value) || !(Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf'))) return value
  return Object.defineProperty(value, Symbol.toPrimitive, { value: () => '[object Object]' })
}

/** Whether a text has enough brackets to exceed the limit. This cheap check avoids a walk through most bodies. */
function mayExceedNesting(text: string): boolean {
  let opened = 0
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      opened++
      if (opened > maxNesting) return true
    }
  }
  return false
}

function exceedsNesting(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some(each => exceedsNesting(each, levels - 1))
  for (const name in value) if (isRow(value) && exceedsNesting(value[name], levels - 1)) return true
  return false
}

/** The outcome of one request. */
export type ExchangeResult =
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
      readonly json?: unknown
      readonly hasByteOrderMark?: true
    }
  | { readonly transportError: TransportError; readonly detail?: string }

interface ExchangeOptions {
  readonly target: Target
  /** Headers that hold credentials. They are never recorded. */
  readonly credentialHeaders: Readonly<Record<string, string>>
  /** Milliseconds to wait for the response. */
  readonly timeout: number
  /** Maximum size of a body in bytes. */
  readonly bodyLimit: number
  readonly signal?: AbortSignal | undefined
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const maxRedirects = 5

/**
 * Sends one request and reads the response. Follows redirects of reads within the same origin, so credentials never
 * leave it.
 */
export function exchange(sent: SentRequest, options: ExchangeOptions): Promise<ExchangeResult> {
  const { target, credentialHeaders, bodyLimit, signal } = options
  return new Promise(resolve => {
    let underway: PendingResponse | undefined
    let ended = false
    const end = (received: ExchangeResult): void => {
      ended = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', interrupt)
      resolve(received)
    }
    // A function in the same process may ignore the cancellation.
    const giveUp = (transportError: TransportError): void => {
      end({ transportError })
      underway?.cancel()
    }
    const interrupt = (): void => giveUp('interrupted')
    const timer = setTimeout(() => giveUp('timeout'), options.timeout)
    signal?.addEventListener('abort', interrupt, { once: true })
    const send = (url: string): Promise<WireResponse> => {
      if (ended) throw new Error('The request was cancelled.')
      const { method, headers, body, chunks } = sent
      underway = target.send({ method, url, headers: { ...headers, ...credentialHeaders }, body, chunks }, bodyLimit)
      return underway.response
    }
    followRedirects(sent, target, send).then(end, error =>
      end({ transportError: 'unreachable', detail: networkError(error) }),
    )
  })
}

/** The error code of the innermost cause, such as `ECONNREFUSED`. */
function networkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return networkError(error.cause)
  return 'code' in error ? String(error.code) : error.message
}

async function followRedirects(
  sent: SentRequest,
  target: Target,
  send: (url: string) => Promise<WireResponse>,
): Promise<ExchangeResult> {
  let url = sent.url
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await send(url)
    const next = redirectTarget(answer, url, sent.method, target)
    if (next === undefined) return resultOf(answer)
    url = next
  }
  return { transportError: 'tooManyRedirects' }
}

function redirectTarget(
  { status, headers: { location } }: WireResponse,
  url: string,
  method: string,
  { origin }: Target,
): string | undefined {
  if (location === undefined || !redirects.has(status) || !['GET', 'HEAD'].includes(method)) return undefined
  if (!URL.canParse(location, url)) return undefined
  const next = new URL(location, url)
  return next.origin === origin ? next.href : undefined
}

function resultOf({ status, headers, text, hasByteOrderMark }: WireResponse): ExchangeResult {
  if (text === undefined) return { transportError: 'tooLarge' }
  const json = parseJsonBody(text)
  return {
    status,
    headers,
    text,
    ...(json === undefined ? {} : { json }),
    ...(hasByteOrderMark === undefined ? {} : { hasByteOrderMark }),
  }
}

/** A request as sent, without credentials. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly chunks?: number
}

/** @throws {PrintError} if an option has no textual form */
export function toHttpRequest(request: TestRequest, target: Target): SentRequest {
  const printed = request.options === undefined ? '' : printQueryOptions(request.options)
  const query = [printed, request.rawQuery ?? ''].filter(text => text !== '').join('&')
  const address = request.path.startsWith('/') || request.path === '' ? target.root + request.path : request.path
  const body = request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
  return {
    method: request.method,
    url: query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.chunks === undefined ? {} : { 'transfer-encoding': 'chunked' }),
      ...lowerCased(request.headers ?? {}),
    },
    ...(body === undefined ? {} : { body }),
    ...(request.chunks === undefined ? {} : { chunks: request.chunks }),
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
