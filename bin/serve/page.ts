import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  endpointDescriptions,
  isLoopback,
  openapiDocuments,
  type Page,
  type PageAsset,
  pagePaths,
  pageRenderer,
} from '../../reference/index.js'
import { type ServerRequest, splitTarget } from '../../runtime/server/index.js'
import type { Service } from '../../spec/language/index.js'
import { packageRoot } from '../package-root.js'
import type { Terminal } from '../terminal.js'
import type { ServeFlags } from './flags.js'
import type { Identity } from './identity.js'

const json = 'application/json;charset=utf-8'

/** The files of the page in `dist/page`. */
const files = [
  [pagePaths.style, 'page.css', 'text/css;charset=utf-8'],
  [pagePaths.script, 'console.mjs', 'text/javascript;charset=utf-8'],
] as const

/**
 * The page of a service; undefined when nobody may see it.
 *
 * The page needs no credential. By default it is therefore visible only on this machine: the service listens on
 * loopback, has no public address, and the request names loopback as its host. A proxy for others does not do that, nor
 * does a page that has rebound its own name to this machine. `--page` shows the page to everybody.
 */
export function createPage(service: Service, { page, host, publicUrl }: ServeFlags): Page | undefined {
  if (page === false || (page === undefined && (!isLoopback(host) || publicUrl !== undefined))) return undefined
  const serviceUrl = ({ origin }: ServerRequest): string => publicUrl ?? `${origin}/${service.version}`
  const generated = once(async () => {
    const { clientFactory, emitOpenapi } = await import('../../generator/index.js')
    const describe = endpointDescriptions(service, clientFactory(service))
    return { openapi: openapiDocuments(emitOpenapi(service)), describe }
  })
  const renderer = once(async () =>
    pageRenderer(await readFile(join(packageRoot(), 'templates', 'page', 'page.hbs'), 'utf8')),
  )
  // The page of a large service takes half a second.
  const rendered = lastOf(async url => (await renderer())(service, url))
  const parts = new Map<string, (incoming: ServerRequest) => Promise<PageAsset | undefined>>([
    [
      pagePaths.page,
      async incoming => ({ type: 'text/html;charset=utf-8', body: await rendered(serviceUrl(incoming)) }),
    ],
    [
      pagePaths.openapi,
      async incoming => ({ type: json, body: (await generated()).openapi.full(serviceUrl(incoming)) }),
    ],
    [
      pagePaths.endpoint,
      async incoming => {
        const name = new URLSearchParams(splitTarget(incoming.target).query).get('name') ?? ''
        const { openapi, describe } = await generated()
        const described = openapi.operation(name)
        const body = described && JSON.stringify({ root: serviceUrl(incoming), ...described, ...describe(name) })
        return body === undefined ? undefined : { type: json, body }
      },
    ],
    ...files.map(([path, name, type]) => {
      const read = once(() => readFile(join(packageRoot(), 'dist', 'page', name), 'utf8'))
      return [path, async (): Promise<PageAsset> => ({ type, body: await read() })] as const
    }),
  ])
  // The paths of the service take precedence over the page.
  parts.delete(`/${service.version}`)
  const isShown = page === true ? () => true : ({ origin }: ServerRequest) => isLoopback(new URL(origin).host)
  return { assets: parts, isVisible: isShown }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Makes what belongs to a key again only if the key is not that of the last call. */
function lastOf<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  let last: { readonly key: string; readonly made: Promise<T> } | undefined
  return key => {
    if (last?.key !== key) last = { key, made: make(key) }
    return last.made
  }
}

/**
 * The address of the page. It signs the user in: the token is in the fragment, which a browser does not send. A token
 * from the command line is shown on a terminal only, because logs are kept.
 */
export function pageUrl(
  origin: string,
  { token, json }: ServeFlags,
  identity: Identity | undefined,
  { interactive, colour }: Pick<Terminal, 'interactive' | 'colour'>,
): string {
  const shown = identity?.generatedToken ?? (interactive && colour.err && !json ? token : undefined)
  return `${origin}/${shown === undefined ? '' : `#token=${shown}`}`
}
