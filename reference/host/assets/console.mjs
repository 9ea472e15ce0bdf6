// The console of the page: the form of one endpoint, its request as code, and the response.

import { element } from './element.mjs'
import { filterBuilder } from './filter-builder.mjs'
import { curlOf, requestOf, sampleOf, typescriptOf } from './request.mjs'

const remembered = 'specwright.token'
const narrow = matchMedia('(max-width: 63.99rem)')
const byId = id => document.getElementById(id)
const panel = byId('console')
const place = byId('endpoint')

/** The texts of a description: what is between backquotes is code. */
const described = (text = '') =>
  text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part))

const paragraphs = text =>
  (text ?? '')
    .split(/\n\s*\n/)
    .flatMap(each => (each.trim() === '' ? [] : [element('p', {}, ...described(each.trim()))]))

/** A token in the fragment, which browsers send to nobody, signs in; it does not stay in the address or the history. */
function takeToken() {
  const token = /^#token=([A-Za-z0-9\-._~+/]+=*)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  sessionStorage.setItem(remembered, token)
  history.replaceState(null, '', location.pathname + location.search)
}

const tokenOfTab = () => sessionStorage.getItem(remembered) ?? ''

/** The endpoint that the address names: `#?endpoint=users.list`. */
const named = () => new URLSearchParams(location.hash.split('?')[1] ?? '').get('endpoint')

takeToken()
const anchors = [...document.querySelectorAll('a[data-endpoint]')]
for (const anchor of anchors) anchor.href = `#?endpoint=${encodeURIComponent(anchor.dataset.endpoint)}`

// A fragment of its own would be taken for the name of an endpoint.
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault()
  panel.focus()
})

/** The endpoint that the reader chose last. */
let wanted = ''

async function show(name) {
  const anchor = anchors.find(({ dataset }) => dataset.endpoint === name)
  if (anchor === undefined || name === wanted) return
  wanted = name
  for (const each of anchors) each.removeAttribute('aria-current')
  anchor.setAttribute('aria-current', 'true')
  const response = await fetch(`${place.dataset.described}?name=${encodeURIComponent(name)}`)
  const endpoint = await response.json()
  if (wanted !== name) return
  place.replaceChildren(...endpointForm(endpoint))
  place.dataset.name = name
}

/** The heading, the form, the code and the responses of an endpoint. */
function endpointForm(endpoint) {
  const { method, path, operation, bearer, scopes, filter } = endpoint
  const fields = new Map()
  let builder
  const body = bodyField(operation)
  const values = () => {
    const of = place =>
      Object.fromEntries(
        [...fields].flatMap(([name, field]) => (field.place === place ? [[name, field.input.value]] : [])),
      )
    return { path: of('path'), query: of('query'), headers: of('header'), ...body?.value() }
  }
  const code = { curl: element('code'), typescript: element('code') }
  const update = () => {
    code.curl.textContent = curlOf(requestOf(endpoint, values()), bearer)
    code.typescript.textContent = typescriptOf(endpoint, values(), builder?.code(fields.get('$filter').input.value))
  }
  const rows = (operation.parameters ?? []).map(parameter => {
    const field = parameterField(parameter)
    fields.set(parameter.name, field)
    if (parameter.name !== '$filter' || filter === undefined) return field.row
    builder = filterBuilder(filter, text => {
      field.input.value = text
      update()
    })
    field.row.append(builder.element)
    return field.row
  })
  const result = element('div', { id: 'response', 'aria-live': 'polite' })
  const form = element(
    'form',
    {
      id: 'request',
      oninput: update,
      onsubmit: event => {
        event.preventDefault()
        void send(requestOf(endpoint, values()), bearer, result)
      },
    },
    ...rows,
    body?.element,
    element('button', { type: 'submit' }, 'Send request'),
  )
  update()
  return [
    element('h3', { class: 'summary' }, operation.summary ?? endpoint.name),
    element(
      'p',
      { class: 'address' },
      element('span', { class: `method ${method.toLowerCase()}` }, method),
      ' ',
      element('code', {}, path),
    ),
    ...paragraphs(operation.description),
    ...(scopes.length === 0 ? [] : [element('p', { class: 'kind' }, 'Scope: ', scopes.join(' or '))]),
    form,
    codeTabs(code),
    result,
    element('h4', {}, 'Responses'),
    ...Object.entries(operation.responses ?? {}).map(responseView),
  ]
}

function parameterField({ name, in: where, description, required, schema = {} }) {
  const id = `field-${name}`
  const about = `${id}-about`
  const choices = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined)
  const common = {
    id,
    name,
    required: required === true,
    'aria-describedby': description === undefined ? undefined : about,
  }
  const input =
    choices === undefined
      ? element('input', {
          ...common,
          type: 'text',
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: 'false',
          placeholder: formatOf(schema),
        })
      : element(
          'select',
          common,
          ...['', ...choices].map(choice => element('option', { value: choice }, String(choice))),
        )
  const row = element(
    'div',
    { class: 'field' },
    element('label', { for: id }, name, required === true ? ' (required)' : ''),
    input,
    description === undefined ? undefined : element('p', { id: about, class: 'kind' }, ...described(description)),
  )
  return { place: where, input, row }
}

const formatOf = ({ format, type }) =>
  typeof (format ?? type) === 'string' && type !== 'array' && type !== 'string' ? (format ?? type) : format

/** The field of a body: JSON with an example, or a file. */
function bodyField({ requestBody }) {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (media === undefined) return undefined
  if (!/json/.test(type)) {
    const input = element('input', { id: 'body', type: 'file', required: true })
    const value = () => ({ body: input.files[0], bodyType: input.files[0]?.type || 'application/octet-stream' })
    return { value, element: element('div', { class: 'field' }, element('label', { for: 'body' }, 'Body'), input) }
  }
  const example = JSON.stringify(sampleOf(media.schema ?? {}), null, 2)
  const input = element('textarea', {
    id: 'body',
    rows: Math.min(16, example.split('\n').length + 1),
    spellcheck: 'false',
  })
  input.value = example
  const type_ = typeLink(media.schema)
  return {
    value: () => ({ body: input.value }),
    element: element(
      'div',
      { class: 'field' },
      element('label', { for: 'body' }, 'Body'),
      input,
      type_ && element('p', { class: 'kind' }, 'Type: ', type_),
    ),
  }
}

/** A link to the type that a schema describes, or whose items it describes. */
function typeLink(schema = {}) {
  const name = /^[^-.]*/.exec(schema.title ?? schema.anyOf?.[0]?.title ?? '')[0]
  return name !== '' && byId(`type-${name}`) !== null ? element('a', { href: `#type-${name}` }, name) : undefined
}

function codeTabs(code) {
  const tabs = Object.entries({ curl: 'curl', typescript: 'TypeScript' })
  const panels = tabs.map(([name]) =>
    element(
      'pre',
      { id: `code-${name}`, role: 'tabpanel', 'aria-labelledby': `tab-${name}`, tabindex: '0', class: 'code' },
      code[name],
    ),
  )
  const buttons = tabs.map(([name, label]) =>
    element(
      'button',
      {
        id: `tab-${name}`,
        type: 'button',
        role: 'tab',
        'aria-controls': `code-${name}`,
        class: 'plain',
        onclick: () => select(name),
      },
      label,
    ),
  )
  const select = chosen => {
    for (const [index, [name]] of tabs.entries()) {
      buttons[index].setAttribute('aria-selected', String(name === chosen))
      buttons[index].tabIndex = name === chosen ? 0 : -1
      panels[index].hidden = name !== chosen
    }
  }
  select('curl')
  const list = element(
    'div',
    {
      role: 'tablist',
      'aria-label': 'The request as code',
      onkeydown: ({ key }) => {
        if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
        const other = buttons.find(button => button.tabIndex === -1)
        select(other.id.slice('tab-'.length))
        other.focus()
      },
    },
    ...buttons,
  )
  return element('div', { class: 'tabs' }, list, ...panels)
}

/** A documented response; its examples are closed until the reader opens them. */
function responseView([status, { description, content = {} }]) {
  const media = content['application/json']
  const given = Object.values(media?.examples ?? {}).map(({ value }) => value)
  const examples = given.length > 0 ? given : media?.schema === undefined ? [] : [sampleOf(media.schema, true)]
  const type = typeLink(media?.schema?.properties?.value?.items ?? media?.schema)
  return element(
    'details',
    { class: 'documented' },
    element('summary', {}, element('strong', {}, status), ' ', ...described((description ?? '').split('\n')[0])),
    ...paragraphs((description ?? '').split('\n').slice(1).join('\n')),
    type && element('p', {}, 'Type: ', type),
    ...examples.slice(0, 3).map(example => block('Example', JSON.stringify(example, null, 2))),
  )
}

/** A text that scrolls when it is long. */
const block = (label, text) =>
  element('pre', { class: 'block', tabindex: '0', role: 'region', 'aria-label': label }, element('code', {}, text))

/** The characters of a response that are shown. The browser would need seconds for more. */
const mostShown = 500_000

async function send({ url, headers, ...request }, bearer, result) {
  result.replaceChildren(element('p', { class: 'kind' }, 'Sending…'))
  const token = tokenOfTab()
  const began = performance.now()
  try {
    const response = await fetch(url, {
      ...request,
      headers: {
        Accept: 'application/json',
        ...headers,
        ...(bearer && token !== '' && { Authorization: `Bearer ${token}` }),
      },
      cache: 'no-store',
    })
    const bytes = await response.arrayBuffer()
    const milliseconds = Math.round(performance.now() - began)
    result.replaceChildren(...responseParts(response, bytes, milliseconds))
    if (response.status === 401) showSignIn(true)
  } catch (error) {
    result.replaceChildren(element('p', {}, `The request failed: ${error.message}`))
  }
}

function responseParts(response, bytes, milliseconds) {
  const { status, statusText, headers } = response
  const type = headers.get('content-type') ?? ''
  const isText = /json|text|xml/.test(type)
  const whole = isText ? indented(new TextDecoder().decode(bytes)) : ''
  const shown = whole.slice(0, mostShown)
  const file = isText
    ? undefined
    : element(
        'a',
        { href: URL.createObjectURL(new Blob([bytes], { type })), download: 'response' },
        `Download ${bytes.byteLength} bytes of ${type}`,
      )
  return [
    element(
      'p',
      { class: 'status' },
      element('strong', {}, `${status} ${statusText}`.trim()),
      element('span', { class: 'kind' }, ` ${milliseconds} ms, ${bytes.byteLength} bytes`),
    ),
    ...(bytes.byteLength === 0 ? [] : [isText ? block('Response', shown) : element('p', {}, file)]),
    ...(shown.length < whole.length ? [element('p', { class: 'kind' }, `The first ${mostShown} characters.`)] : []),
    element(
      'details',
      { class: 'documented' },
      element('summary', {}, 'Headers'),
      block('Response headers', [...headers].map(header => header.join(': ')).join('\n')),
    ),
  ]
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Asks for a token if the tab has none, or if the service refused it. */
function showSignIn(refused = false) {
  const form = byId('sign-in')
  if (form === null) return
  form.hidden = tokenOfTab() !== '' && !refused
  byId('signed-in').hidden = !form.hidden
  if (refused && tokenOfTab() !== '')
    byId('sign-in-why').textContent = 'The service refused the token: it may have expired. Give another.'
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

/** Opens the type that the address names: `#type-user`. */
function showType() {
  const type = location.hash.startsWith('#type-') ? byId(decodeURIComponent(location.hash.slice(1))) : null
  if (type === null) return false
  type.open = true
  type.scrollIntoView()
  type.querySelector('summary').focus({ preventScroll: true })
  return true
}

function follow() {
  takeToken()
  showSignIn()
  if (showType()) return
  void show(named() ?? place.dataset.first)
  // Below the list, it is out of sight.
  if (narrow.matches) panel.scrollIntoView()
}
window.addEventListener('hashchange', follow)
// A link to the type that the address names already changes nothing, so there is no such event.
document.addEventListener('click', ({ target }) => {
  if (target.closest?.('a')?.hash === location.hash) showType()
})

/** What can be found: each item of the list, with the text that the search looks in. */
const items = [...document.querySelectorAll('nav li')].map(item => {
  const link = item.querySelector('a.type')
  const type = link && byId(link.hash.slice(1) && decodeURIComponent(link.hash.slice(1)))
  const titles = [...item.querySelectorAll('a[title]')].map(({ title }) => title)
  return { item, text: [item.textContent, ...titles, type?.textContent ?? ''].join(' ').toLowerCase() }
})

byId('search-form').hidden = false
byId('search-form').addEventListener('submit', event => event.preventDefault())
byId('search').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/)
  let count = 0
  for (const { item, text } of items) {
    const isFound = words.every(word => text.includes(word))
    item.hidden = !isFound
    if (isFound) count++
  }
  for (const section of document.querySelectorAll('nav section'))
    section.hidden = section.querySelector('li:not([hidden])') === null
  byId('found').textContent = target.value.trim() === '' ? '' : `${count} found`
})

showSignIn()
void show(named() ?? place.dataset.first)
showType()
