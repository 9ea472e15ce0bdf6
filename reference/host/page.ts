import { createHash } from 'node:crypto'
import {
  includesTag,
  parseEntityTags,
  parseMediaType,
  type ServerRequest,
  type ServerResponse,
  splitTarget,
  splitUnquoted,
} from '../../runtime/server/index.js'
import type { HttpHandler } from './http-handler.js'

/** Something that the page is made of. */
export interface PageAsset {
  /** Its media type. */
  readonly type: string
  readonly body: string | ArrayBuffer
}

/** The page of a service, and who may see it. */
export interface Page {
  /** Path on the server -> what is there, made when it is asked for; undefined: nothing for such a query. */
  readonly assets: ReadonlyMap<string, (incoming: ServerRequest) => Promise<PageAsset | undefined>>
  /** Whether the caller may see it; otherwise the service answers as if there were none. */
  readonly isVisible: (incoming: ServerRequest) => boolean
}

/**
 * Serves the page beside the service, without a credential and without CORS: `GET` and `HEAD`. At `/`, whoever does not
 * take HTML gets what the service answers.
 */
export function withPage(answer: HttpHandler, { assets: parts, isVisible: isShown }: Page): HttpHandler {
  return async incoming => {
    const { path } = splitTarget(incoming.target)
    const make = parts.get(path)
    if (make === undefined || !isShown(incoming)) return answer(incoming)
    const { method, headers } = incoming.head
    if (path === pagePaths.page && !acceptsHtml(headers.get('accept'))) return answer(incoming)
    if (method !== 'GET' && method !== 'HEAD') return notAllowed()
    const part = await make(incoming)
    return part === undefined ? answer(incoming) : outgoingOf(part, headers.get('if-none-match'))
  }
}

function outgoingOf({ type, body }: PageAsset, ifNoneMatch: string | null): ServerResponse {
  const etag = `"${createHash('sha256')
    .update(typeof body === 'string' ? body : new Uint8Array(body))
    .digest('base64url')}"`
  const headers = { ...pageHeaders, 'content-type': type, etag, vary: 'Accept, Host' }
  const known = ifNoneMatch === null ? undefined : parseEntityTags(ifNoneMatch)
  if (known !== undefined && includesTag(known, etag)) return { status: 304, headers, body: undefined }
  return { status: 200, headers, body }
}

/** @see RFC 9110, 15.5.6 */
function notAllowed(): ServerResponse {
  const message = 'This is a page for people; it can be read with GET and HEAD.'
  return {
    status: 405,
    headers: { ...pageHeaders, 'content-type': 'application/json;charset=utf-8', allow: 'GET, HEAD' },
    body: JSON.stringify({ error: { code: 'notAllowed', message } }),
  }
}

/**
 * Where the page and what belongs to it is on the server. A version, which is what a service's own paths begin with, has
 * no dollar sign and is not empty, so that only the OpenAPI document can meet a service of that name.
 */
export const pagePaths = {
  page: '/',
  openapi: '/openapi.json',
  /** With `?path=/users`: what the console needs to know of that path. */
  path: '/$page/openapi.json',
  style: '/$page/page.css',
  script: '/$page/console.mjs',
  component: '/$page/openapi-explorer.js',
  licences: '/$page/licences.txt',
} as const

/**
 * What every answer of the page carries. Scripts come from the page's own server only, requests go nowhere else, and no
 * other page may show or read it. Styles may be inline, since the console's component styles its elements so.
 *
 * @see Content Security Policy Level 3; Fetch Standard, 3.7 (Cross-Origin-Resource-Policy)
 */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
} as const

const ranges = ['text/html', 'text/*', '*/*']

/**
 * Whether a caller takes HTML: whoever says nothing does.
 *
 * @see RFC 9110, 12.5.1 (Accept)
 */
function acceptsHtml(accept: string | null): boolean {
  if (accept === null || accept.trim() === '') return true
  const given = splitUnquoted(accept, ',').flatMap(part => parseMediaType(part) ?? [])
  // The most specific range decides.
  const best = ranges.flatMap(range => given.find(({ type }) => type === range) ?? [])[0]
  return best !== undefined && Number(best.parameters.get('q') ?? '1') > 0
}

/** Whether a host, as in an address or the header `Host`, with or without a port, is this very machine. */
export function isLoopback(host: string): boolean {
  if (host === '::1') return true
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
