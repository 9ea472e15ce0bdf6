// The console of the page: OpenAPI Explorer beside our list of endpoints, signed in with the token of this tab.

const remembered = 'specwright.token'
const narrow = matchMedia('(max-width: 63.99rem)')
const byId = id => document.getElementById(id)
const panel = byId('console')
const place = byId('explorer')

/** A token in the fragment, which browsers send to nobody, signs in; it does not stay in the address or the history. */
function takeToken() {
  const token = /^#token=([A-Za-z0-9\-._~+/]+=*)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  sessionStorage.setItem(remembered, token)
  history.replaceState(null, '', location.pathname + location.search)
}

/** The endpoint that the address names: `#?route=get-/users`. */
const routeOf = () => new URLSearchParams(location.hash.split('?')[1] ?? '').get('route')

takeToken()
const anchors = [...document.querySelectorAll('a[data-route]')]
for (const anchor of anchors) {
  anchor.href = `#?route=${encodeURIComponent(anchor.dataset.route)}`
}

// A fragment of its own would be taken for the name of an endpoint.
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault()
  panel.focus()
})

// What custom properties cannot say of the component: one endpoint without the frame around it, focus that can be seen,
// and parameters one below the other where there is no room beside each other.
const style = new CSSStyleSheet()
style.replaceSync(`
  .nav-bar, .tag-link { display: none !important }
  .body, .main-content { height: auto; min-width: 0; overflow: visible }
  .main-content-inner, .section-gap--focused-mode { padding: 0 }
  .api-request.focused-mode { padding-top: 1rem; border-top: 1px solid var(--border-color) }
  h2 { margin: 0; font-size: 1.25rem }
  .tab-buttons { flex-wrap: wrap; height: auto }
  :focus-visible { outline: .15rem solid var(--primary-color) !important; outline-offset: .1rem }
  .m-btn { border-width: 1px; box-shadow: none }
  .m-btn:hover, .m-btn:focus-visible { color: var(--fg); border-color: var(--fg) }
  .m-btn.primary:hover, .m-btn.primary:focus-visible { color: var(--primary-btn-text-color); background: var(--primary-color) }
  @media (max-width: 47.99rem) {
    .m-table, .m-table tbody, .m-table tr, .m-table td { display: block; width: auto !important }
    .m-table td { border-top: 0 !important }
    .m-table tr { padding: .5rem 0; border-top: 1px solid var(--light-border-color) }
    .m-table tr:first-child { border-top: 0 }
    .param-name, .param-type { display: inline; text-align: left }
    .m-table [style*="margin"] { margin-top: 0 !important; margin-bottom: 0 !important }
  }
`)

await import('./openapi-explorer.js')
// It writes query options as a form would, a space as a plus sign, which in the query language is a plus sign.
const request = customElements.get('api-request').prototype
const { recomputeFetchOptions } = request
request.recomputeFetchOptions = function () {
  const made = recomputeFetchOptions.call(this)
  made.fetchUrl.search = made.fetchUrl.search.replaceAll('+', '%20')
  return made
}
const explorer = document.createElement('openapi-explorer')
// It would show all endpoints at once on a narrow screen; our list is there already.
explorer.handleResize = () => {
  explorer.renderStyle = 'focused'
}
// It would scroll to itself, and write its own entries into the history.
explorer.scrollTo = async () => undefined
for (const name of ['hide-info', 'hide-search', 'hide-authentication', 'hide-server-selection', 'hide-components']) {
  explorer.setAttribute(name, 'true')
}
explorer.setAttribute('default-schema-tab', 'body')
explorer.setAttribute('schema-expand-level', '1')
place.append(explorer)
explorer.shadowRoot.adoptedStyleSheets = [...explorer.shadowRoot.adoptedStyleSheets, style]

/** The path that the console has the description of, or waits for; one is read after the other. */
let path
let reading = Promise.resolve()

/** Shows an endpoint; the component gets the description of its path only, which it can read in no time. */
async function show(route) {
  const anchor = anchors.find(({ dataset }) => dataset.route === route)
  if (anchor === undefined) return
  for (const each of anchors) each.removeAttribute('aria-current')
  anchor.setAttribute('aria-current', 'true')
  explorer.explorerLocation = route
  if (path !== anchor.dataset.path) {
    path = anchor.dataset.path
    reading = reading.then(() => read(anchor.dataset.path))
  }
  await reading
  await explorer.updateComplete
  explorer.shadowRoot.querySelector('api-request')?.resetRequestBodySelection()
  explorer.shadowRoot.querySelector('api-response')?.resetSelection()
}

async function read(wanted) {
  if (wanted !== path) return
  // What is below stays where it is.
  place.style.minHeight = `${place.offsetHeight}px`
  await explorer.loadSpec(`${place.dataset.openapi}?path=${encodeURIComponent(wanted)}`)
  place.style.minHeight = ''
}

window.addEventListener('hashchange', () => {
  takeToken()
  showSignIn()
  void show(routeOf() ?? place.dataset.first)
  // Below the list, it is out of sight.
  if (narrow.matches) panel.scrollIntoView()
})

/** Gives the console the token of this tab, and asks for one when there is none. */
function showSignIn(refused = false) {
  const form = byId('sign-in')
  if (form === null) return
  const token = sessionStorage.getItem(remembered) ?? ''
  form.hidden = token !== '' && !refused
  byId('signed-in').hidden = !form.hidden
  if (refused) byId('sign-in-why').textContent = 'The service refused the token: it may have expired. Give another.'
  if (explorer.resolvedSpec) void explorer.setAuthenticationConfiguration('bearer', { token })
}

explorer.addEventListener('spec-loaded', async () => {
  showSignIn()
  await explorer.updateComplete
  // The page has a main part already.
  const main = explorer.shadowRoot.querySelector('main')
  const part = document.createElement('div')
  part.className = main.className
  part.append(...main.childNodes)
  main.replaceWith(part)
})
explorer.addEventListener('response', ({ detail }) => {
  if (detail.response?.status === 401) showSignIn(true)
  const request = explorer.shadowRoot.querySelector('api-request')
  request.responseText = narrowed(request.responseText)
})

/** It indents JSON by eight, which leaves no room on a phone. */
function narrowed(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

byId('sign-in')?.addEventListener('submit', event => {
  event.preventDefault()
  sessionStorage.setItem(remembered, byId('token').value.trim())
  byId('token').value = ''
  showSignIn()
})
byId('sign-out')?.addEventListener('click', () => {
  sessionStorage.removeItem(remembered)
  showSignIn()
  byId('token').focus()
})
showSignIn()
void show(routeOf() ?? place.dataset.first)
