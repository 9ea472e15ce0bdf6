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

/** A file of the page. */
export interface PageAsset {
  /** The media type. */
  readonly type: string
  readonly body: string | ArrayBuffer
}

/** The page of a service, and who may see it. */
export interface Page {
  /** The files by path. A file is created on request; undefined if it does not exist for this query. */
  readonly assets: ReadonlyMap<string, (incoming: ServerRequest) => Promise<PageAsset | undefined>>
  /** Whether this caller may see the page. For other callers, the service answers as if there were no page. */
  readonly isVisible: (incoming: ServerRequest) => boolean
}

/**
 * Serves the page next to the service, for `GET` and `HEAD`, without a credential and without CORS. At `/`, callers that
 * don't accept HTML get the answer of the service.
 */
export function withPage(answer: HttpHandler, { assets, isVisible: isShown }: Page): HttpHandler {
  return async incoming => {
    const { path } = splitTarget(incoming.target)
    const create = assets.get(path)
    if (create === undefined || !isShown(incoming)) return answer(incoming)
    const { method, headers } = incoming.head
    if (path === pagePaths.page && !acceptsHtml(headers.get('accept'))) return answer(incoming)
    if (method !== 'GET' && method !== 'HEAD') return notAllowed()
    const asset = await create(incoming)
    return asset === undefined ? answer(incoming) : assetResponse(asset, headers.get('if-none-match'))
  }
}

function assetResponse({ type, body }: PageAsset, ifNoneMatch: string | null): ServerResponse {
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
  const message = 'This page supports GET and HEAD only.'
  return {
    status: 405,
    headers: { ...pageHeaders, 'content-type': 'application/json;charset=utf-8', allow: 'GET, HEAD' },
    body: JSON.stringify({ error: { code: 'notAllowed', message } }),
  }
}

/**
 * The paths of the page on the server. The paths of a service begin with its version, which is not empty and has no dollar
 * sign. Only `/openapi.json` can collide with a service.
 */
export const pagePaths = {
  page: '/',
  openapi: '/openapi.json',
  /** With `?path=/users`: the OpenAPI document of that path, for the console. */
  path: '/$page/openapi.json',
  style: '/$page/page.css',
  script: '/$page/console.mjs',
  component: '/$page/openapi-explorer.js',
  licences: '/$page/licences.txt',
} as const

/**
 * The headers of every response of the page. Scripts come from this server only, requests go to this server only, and no
 * other page can embed or read the page. Inline styles are allowed because the console component uses them.
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
 * Whether a caller accepts HTML. A request without `Accept` does.
 *
 * @see RFC 9110, 12.5.1 (Accept)
 */
function acceptsHtml(accept: string | null): boolean {
  if (accept === null || accept.trim() === '') return true
  const given = splitUnquoted(accept, ',').flatMap(part => parseMediaType(part) ?? [])
  // The most specific range takes precedence.
  const best = ranges.flatMap(range => given.find(({ type }) => type === range) ?? [])[0]
  return best !== undefined && Number(best.parameters.get('q') ?? '1') > 0
}

/** Whether a host is this machine. The host has the form of a URL or of the `Host` header, with or without a port. */
export function isLoopback(host: string): boolean {
  if (host === '::1') return true
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
