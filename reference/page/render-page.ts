import type { Endpoint, Service } from '../../spec/language/index.js'
import { consoleRoute } from './console-route.js'
import { endpointList } from './endpoint-list.js'
import { escapeHtml as e } from './escape-html.js'
import { pagePaths } from './page-paths.js'

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
    ['Root', `<code>${e(serviceUrl)}</code>`],
    ['Version', e(version)],
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
<title>${e(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${relative(pagePaths.style)}">
<script type="module" src="${relative(pagePaths.script)}"></script>
</head>
<body>
<a class="skip" href="#console">Skip to the console</a>
<header>
<h1>${e(title)}</h1>
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
<div id="explorer" data-openapi="${relative(pagePaths.path)}" data-first="${e(firstOf(service))}"></div>
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
    .map(paragraph => `<p>${e(paragraph.trim())}</p>`)
    .join('\n')
}

/** A read that needs no key, for a terminal. */
function example(service: Service, serviceUrl: string): string {
  const endpoint = simplest(service)
  if (endpoint === undefined) return ''
  const credential = service.authentication.scheme === 'bearer' ? ' -H "Authorization: Bearer $TOKEN"' : ''
  const line = `curl${credential} "${serviceUrl}${endpoint.path.template}"`
  return `<pre class="try" tabindex="0" role="region" aria-label="Example for a terminal"><code>${e(line)}</code></pre>`
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
