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
import type { Endpoint, Path, Service } from '../../spec/language/index.js'
import type { HttpHandler } from './middleware.js'
import { type TypeView, typeViews } from './type-reference.js'

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
  /** With `?name=users.list`: what the console needs to know of that endpoint. */
  endpoint: '/$page/endpoint.json',
  style: '/$page/page.css',
  script: '/$page/console.mjs',
} as const

/**
 * The headers of every response of the page. Scripts and styles come from this server only, requests go to this server only,
 * and no other page can embed or read the page.
 *
 * @see Content Security Policy Level 3; Fetch Standard, 3.7 (Cross-Origin-Resource-Policy)
 */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
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

/** Renders the page of a service. `serviceUrl` is the URL of the service root as callers know it. */
type PageRenderer = (service: Service, serviceUrl: string) => string

/**
 * Compiles the template of the page (`templates/page/page.hbs`). Handlebars escapes every value, so that nothing in a spec
 * becomes markup. The page shows what the spec says and nothing else: no data and no token.
 */
export async function pageRenderer(template: string): Promise<PageRenderer> {
  const { default: handlebars } = await import('handlebars')
  const render = handlebars.compile<PageView>(template, { strict: true })
  return (service, serviceUrl) => render(pageView(service, serviceUrl))
}

/** What the template shows. */
interface PageView {
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly serviceUrl: string
  readonly version: string
  readonly endpointCount: number
  readonly pathCount: number
  readonly bearer: boolean
  /** A `curl` command that needs no key; absent if the service has no such endpoint. */
  readonly example: string | undefined
  /** The endpoint that the console opens first. */
  readonly firstEndpoint: string
  readonly links: Readonly<Record<keyof typeof pagePaths, string>>
  readonly groups: readonly PathGroup[]
  readonly types: readonly TypeView[]
}

/** The paths that begin with one entity set or singleton. */
interface PathGroup {
  readonly name: string
  readonly paths: readonly PathView[]
}

interface PathView {
  /** The template of the path. A line may break between two parts: before a slash or a parenthesis, never inside a name. */
  readonly parts: readonly string[]
  readonly endpoints: readonly EndpointView[]
}

/** The script of the page gives each endpoint its address in the console. */
interface EndpointView {
  readonly method: string
  readonly className: string
  readonly name: string
  readonly path: string
  readonly description: string | undefined
}

function pageView(service: Service, serviceUrl: string): PageView {
  const { title, version, description = '', endpoints, paths } = service
  const first = simplestRead(service) ?? endpoints[0]
  return {
    title,
    paragraphs: description.split(/\n\s*\n/).flatMap(paragraph => paragraph.trim() || []),
    serviceUrl,
    version,
    endpointCount: endpoints.length,
    pathCount: paths.length,
    bearer: service.authentication.scheme === 'bearer',
    example: exampleCommand(service, serviceUrl),
    firstEndpoint: first?.name ?? '',
    links: relativeLinks(),
    groups: pathGroups(service),
    types: typeViews(service),
  }
}

/** Relative links: behind a proxy, the page may be below the root of its server. */
function relativeLinks(): PageView['links'] {
  const { page, openapi, endpoint, style, script } = pagePaths
  const relative = (absolute: string): string => `.${absolute}`
  return {
    page: relative(page),
    openapi: relative(openapi),
    endpoint: relative(endpoint),
    style: relative(style),
    script: relative(script),
  }
}

function exampleCommand(service: Service, serviceUrl: string): string | undefined {
  const endpoint = simplestRead(service)
  if (endpoint === undefined) return undefined
  const credential = service.authentication.scheme === 'bearer' ? ' -H "Authorization: Bearer $TOKEN"' : ''
  return `curl${credential} "${serviceUrl}${endpoint.path.template}"`
}

/** A read that needs no key, preferably of a collection. */
function simplestRead({ endpoints }: Service): Endpoint | undefined {
  const keyless = endpoints.filter(({ method, path }) => method === 'GET' && !path.template.includes('{'))
  return keyless.find(({ kind }) => kind === 'collection') ?? keyless[0]
}

function pathGroups({ paths }: Service): readonly PathGroup[] {
  const groups = new Map<string, PathView[]>()
  for (const path of paths) {
    const name = groupName(path)
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push({ parts: path.template.split(/(?<=.)(?=[/(])/), endpoints: path.endpoints.map(endpointView) })
  }
  return [...groups].map(([name, members]) => ({ name, paths: members }))
}

function groupName({ template, endpoints: [endpoint] }: Path): string {
  const first = endpoint?.resolved[0]
  if (first?.kind === 'entitySet' || first?.kind === 'singleton') return first.element.name
  return template.slice(1)
}

function endpointView({ name, method, path, description }: Endpoint): EndpointView {
  return { name, method, className: method.toLowerCase(), path: path.template, description }
}
