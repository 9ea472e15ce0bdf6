import type { Endpoint, Path, Service } from '../../spec/language/index.js'
import { pagePaths } from './page.js'

/** Renders the page of a service. `serviceUrl` is the URL of the service root as callers know it. */
export type PageRenderer = (service: Service, serviceUrl: string) => string

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
  readonly firstRoute: string
  readonly links: Readonly<Record<keyof typeof pagePaths, string>>
  readonly groups: readonly PathGroup[]
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
  readonly route: string
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
    firstRoute: first === undefined ? '' : consoleRoute(first),
    links: relativeLinks(),
    groups: pathGroups(service),
  }
}

/** Relative links: behind a proxy, the page may be below the root of its server. */
function relativeLinks(): PageView['links'] {
  const { page, openapi, path, style, script, component, licences } = pagePaths
  const relative = (absolute: string): string => `.${absolute}`
  return {
    page: relative(page),
    openapi: relative(openapi),
    path: relative(path),
    style: relative(style),
    script: relative(script),
    component: relative(component),
    licences: relative(licences),
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

function endpointView(endpoint: Endpoint): EndpointView {
  const { method, path, description } = endpoint
  return { method, className: method.toLowerCase(), route: consoleRoute(endpoint), path: path.template, description }
}

/**
 * The name of an endpoint in the fragment of the console's address, `#?route=get-/users/-id-`. OpenAPI Explorer derives the
 * same name from an operation.
 */
function consoleRoute({ method, path }: Endpoint): string {
  return `${method.toLowerCase()}-${path.template.replaceAll(/[\s#:?&={}-]+/g, '-')}`
}
