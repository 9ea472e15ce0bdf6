import type { Endpoint, Path, Service } from '../../spec/language/index.js'
import { pagePaths } from './page.js'

/**
 * The page of a service: what it is, its endpoints, and a console. All but the console is plain HTML and needs no script.
 * It tells what the spec says and nothing else: no data, no token.
 *
 * @param serviceUrl address of the service's root as callers know it
 */
export function renderPage(service: Service, serviceUrl: string): string {
  const { title, version, endpoints, authentication } = service
  const bearer = authentication.scheme === 'bearer'
  const facts = [
    ['Root', `<code>${escapeHtml(serviceUrl)}</code>`],
    ['Version', escapeHtml(version)],
    ['Endpoints', `${endpoints.length} on ${service.paths.length} paths`],
    ['Credential', bearer ? 'bearer token' : 'none'],
    ['Description', `<a href="${relative(pagePaths.openapi)}">OpenAPI 3.1</a>`],
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${relative(pagePaths.style)}">
<script type="module" src="${relative(pagePaths.script)}"></script>
</head>
<body>
<a class="skip" href="#console">Skip to the console</a>
<header>
<h1>${escapeHtml(title)}</h1>
${paragraphs(service.description)}
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
${example(service, serviceUrl)}
</header>
<main>
<nav aria-labelledby="endpoints">
<h2 id="endpoints">Endpoints</h2>
${endpointList(service)}
</nav>
<section id="console" aria-labelledby="console-title" tabindex="-1">
<h2 id="console-title">Console</h2>
<noscript><p>The console needs JavaScript. Everything else on this page does without.</p></noscript>
${bearer ? signIn : ''}
<div id="explorer" data-openapi="${relative(pagePaths.path)}" data-first="${escapeHtml(firstOf(service))}"></div>
</section>
</main>
</body>
</html>
`
}

/** Filled in by whoever opens the page: the token is in no page that is served. */
const signIn = `<form id="sign-in" hidden>
<label for="token">Bearer token</label>
<input id="token" type="password" autocomplete="off" autocapitalize="none" spellcheck="false" required aria-describedby="sign-in-why">
<button type="submit">Sign in</button>
<p id="sign-in-why" role="status">Requests need one. <code>specwright serve</code> prints it when it starts, or is given it.</p>
</form>
<div id="signed-in" hidden><p role="status">Signed in: requests carry the token, which stays in this tab.</p> <button type="button" id="sign-out">Sign out</button></div>`

/** The page may be below the root of its server, behind a proxy. */
const relative = (path: string): string => `.${path}`

function paragraphs(text: string | undefined): string {
  if (text === undefined) return ''
  return text
    .split(/\n\s*\n/)
    .map(paragraph => `<p>${escapeHtml(paragraph.trim())}</p>`)
    .join('\n')
}

/** A read that needs no key, for a terminal. */
function example(service: Service, serviceUrl: string): string {
  const endpoint = simplest(service)
  if (endpoint === undefined) return ''
  const credential = service.authentication.scheme === 'bearer' ? ' -H "Authorization: Bearer $TOKEN"' : ''
  const line = `curl${credential} "${serviceUrl}${endpoint.path.template}"`
  return `<pre class="try" tabindex="0" role="region" aria-label="Example for a terminal"><code>${escapeHtml(line)}</code></pre>`
}

const firstOf = (service: Service): string => {
  const endpoint = simplest(service) ?? service.endpoints[0]
  return endpoint === undefined ? '' : consoleRoute(endpoint)
}

/** A collection that can be read without knowing a key; or else anything such. */
function simplest({ endpoints }: Service): Endpoint | undefined {
  const open = endpoints.filter(({ method, path }) => method === 'GET' && !path.template.includes('{'))
  return open.find(({ kind }) => kind === 'collection') ?? open[0]
}

/**
 * Every path of a service with its methods, under the entity set or singleton that it begins with. The anchors lead
 * nowhere until the page's script gives them the address of the endpoint in the console.
 */
function endpointList({ paths }: Service): string {
  const groups = new Map<string, Path[]>()
  for (const path of paths) {
    const name = beginning(path)
    groups.set(name, [...(groups.get(name) ?? []), path])
  }
  return [...groups].map(([name, members]) => section(name, members)).join('\n')
}

function section(name: string, paths: readonly Path[]): string {
  const items = paths.map(path => `<li><code>${breakable(path.template)}</code>${methods(path)}</li>`)
  return `<section aria-label="${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>\n<ul>\n${items.join('\n')}\n</ul></section>`
}

const methods = ({ endpoints }: Path): string => `<span class="methods">${endpoints.map(method).join(' ')}</span>`

function method(endpoint: Endpoint): string {
  const { method: name, path, description } = endpoint
  const title = description === undefined ? '' : ` title="${escapeHtml(description)}"`
  return `<a class="method ${name.toLowerCase()}" data-route="${escapeHtml(consoleRoute(endpoint))}" data-path="${escapeHtml(path.template)}"${title}>${name}<span class="unseen"> ${escapeHtml(path.template)}</span></a>`
}

/** Long paths break before a slash or a parenthesis rather than in a name. */
const breakable = (template: string): string => escapeHtml(template).replaceAll(/(?<=.)[/(]/g, '<wbr>$&')

function beginning({ template, endpoints: [endpoint] }: Path): string {
  const first = endpoint?.resolved[0]
  if (first?.kind === 'entitySet' || first?.kind === 'singleton') return first.element.name
  return template.slice(1)
}

/**
 * What the console calls an endpoint in the fragment of its address, `#?route=get-/users/-id-`: the name that OpenAPI
 * Explorer makes for an operation.
 */
function consoleRoute({ method, path }: Endpoint): string {
  return `${method.toLowerCase()}-${path.template.replaceAll(/[\s#:?&={}-]+/g, '-')}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text inside an element or a quoted attribute of HTML. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => entities[character] ?? '')
}
