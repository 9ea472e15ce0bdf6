import type { Endpoint, Path, Service } from '../../spec/language/index.js'
import { consoleRoute } from './console-route.js'
import { escapeHtml as e } from './escape-html.js'

/**
 * Every path of a service with its methods, under the entity set or singleton that it begins with. The anchors lead
 * nowhere until the page's script gives them the address of the endpoint in the console.
 */
export function endpointList({ paths }: Service): string {
  const groups = new Map<string, Path[]>()
  for (const path of paths) {
    const name = beginning(path)
    groups.set(name, [...(groups.get(name) ?? []), path])
  }
  return [...groups].map(([name, members]) => section(name, members)).join('\n')
}

function section(name: string, paths: readonly Path[]): string {
  const items = paths.map(path => `<li><code>${breakable(path.template)}</code>${methods(path)}</li>`)
  return `<section aria-label="${e(name)}"><h3>${e(name)}</h3>\n<ul>\n${items.join('\n')}\n</ul></section>`
}

const methods = ({ endpoints }: Path): string => `<span class="methods">${endpoints.map(method).join(' ')}</span>`

function method(endpoint: Endpoint): string {
  const { method: name, path, description } = endpoint
  const title = description === undefined ? '' : ` title="${e(description)}"`
  return `<a class="method ${name.toLowerCase()}" data-route="${e(consoleRoute(endpoint))}" data-path="${e(path.template)}"${title}>${name}<span class="unseen"> ${e(path.template)}</span></a>`
}

/** Long paths break before a slash or a parenthesis rather than in a name. */
const breakable = (template: string): string => e(template).replaceAll(/(?<=.)[/(]/g, '<wbr>$&')

function beginning({ template, endpoints: [endpoint] }: Path): string {
  const first = endpoint?.resolved[0]
  if (first?.kind === 'entitySet' || first?.kind === 'singleton') return first.element.name
  return template.slice(1)
}
