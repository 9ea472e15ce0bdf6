import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { fromWebRequest } from '../../runtime/server/create-service.js'
import type { ServerResponse } from '../../runtime/server/index.js'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import { withCors } from './middleware.js'
import { isLoopback, pageHeaders, pageRenderer, withPage } from './page.js'

const service: ServerResponse = { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '{}' }
const page = {
  assets: new Map([
    ['/', async () => ({ type: 'text/html', body: '<h1>Things</h1>' })],
    ['/openapi.json', async () => ({ type: 'application/json', body: '{}' })],
  ]),
  isVisible: () => true,
}
const answer = withPage(
  withCors(async () => service, ['*']),
  page,
)
const request = (path: string, init: RequestInit = {}): Promise<ServerResponse> =>
  answer(fromWebRequest(new Request(`http://127.0.0.1:8080${path}`, init)))

describe('withPage', () => {
  it.each(['GET', 'HEAD'])('answers %s without a credential, with its policy and an entity tag', async method => {
    const { status, headers } = await request('/', { method })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ ...pageHeaders, 'content-type': 'text/html' })
    expect(headers['etag']).toMatch(/^"[\w-]{43}"$/)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s and lists the allowed methods', async method => {
    const { status, headers } = await request('/', { method })
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
  })

  it.each<[accept: string | undefined, status: number]>([
    [undefined, 200],
    ['', 200],
    ['*/*', 200],
    ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 200],
    ['text/*', 200],
    ['application/json', 401],
    ['application/json, text/html;q=0', 401],
    ['application/json, text/html;q=0, */*', 401],
    ['nonsense', 401],
  ])('leaves / to the service if the caller does not accept HTML: %s', async (accept, status) => {
    expect((await request('/', { headers: accept === undefined ? {} : { accept } })).status).toBe(status)
  })

  it('returns the OpenAPI document for any Accept header', async () => {
    expect((await request('/openapi.json', { headers: { accept: 'application/json' } })).status).toBe(200)
  })

  it.each(['/v1.0', '/v1.0/', '/$page', '/page', '/openapi.json/', '//'])('leaves %s to the service', async path => {
    expect((await request(path)).status).toBe(401)
  })

  it('ignores the query of the page', async () => {
    expect((await request('/?x=1')).status).toBe(200)
  })

  it('shares nothing across origins, even if the service does', async () => {
    const headers = { origin: 'https://evil.example' }
    expect((await request('/v1.0', { headers })).headers).toHaveProperty('access-control-allow-origin')
    for (const path of ['/', '/openapi.json']) {
      expect((await request(path, { headers })).headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('answers 304 if the caller has the current version', async () => {
    const { headers } = await request('/')
    const again = await request('/', { headers: { 'if-none-match': `"other", ${headers['etag']}` } })
    expect([again.status, again.body]).toEqual([304, undefined])
    expect((await request('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('does not exist for callers that may not see it', async () => {
    const hidden = withPage(async () => service, { ...page, isVisible: () => false })
    expect(await hidden(fromWebRequest(new Request('http://127.0.0.1/')))).toBe(service)
  })
})

const spec = (service: string, scheme = 'bearer'): string => `specwright: 1
service: ${service}
authentication: { scheme: ${scheme} }
resources:
  note: { kind: entityType, key: [id], properties: { id: { type: String, computed: true } } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection }, post: { creates: note } }
  /notes/{id}: { delete: { deletes: note } }
errors: {}
`
const render = async (text: string): Promise<string> => {
  const renderPage = await pageRenderer(await readFile('templates/page/page.hbs', 'utf8'))
  return renderPage(await loadValid(text), 'http://127.0.0.1:1/v1')
}

describe('the page', () => {
  it('lists each path once, and each method with the endpoint that it opens', async () => {
    const page = await render(spec('{ name: notes, version: v1 }'))
    expect(page.match(/<code>\/notes.*?<\/code>/g)).toEqual(['<code>/notes</code>', '<code>/notes<wbr>/{id}</code>'])
    expect([...page.matchAll(/data-endpoint="([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'notes.list',
      'notes.create',
      'notes.delete',
    ])
    expect(page).toContain('3 on 2 paths')
    expect(page).toContain('data-first="notes.list"')
  })

  it('describes each type with its properties, relations and members, and links them', async () => {
    const page = await render(`specwright: 1
service: { name: notes, version: v1 }
resources:
  item: { kind: entityType, abstract: true, key: [id], properties: { id: { type: String, computed: true } } }
  note:
    kind: entityType
    base: item
    description: A note.
    properties:
      title: { type: String, maxLength: 80, description: 'What it is about.' }
      tags: { type: String, collection: true }
      colour: { type: colour, nullable: true }
    navigation: { replies: { to: note, collection: true } }
  colour: { kind: enumType, members: { red: 1, blue: 2 } }
container: { notes: { entitySet: note } }
paths: { /notes: { get: { returns: collection } } }
errors: {}
`)
    const text = page.slice(page.indexOf('<section id="types"')).replace(/<[^>]*>/g, ' ')
    expect(text.replaceAll(/\s+/g, ' ').trim()).toBe(
      'Types item entity type notes.item , abstract id String key, set by the service ' +
        'note entity type notes.note , derives from item A note. ' +
        'title String required in a create, at most 80 characters What it is about. ' +
        'tags String[] colour colour nullable replies note[] relation ' +
        'colour enumeration notes.colour red 1 blue 2',
    )
    expect(page).toContain('<a href="#type-colour">colour</a>')
    expect(page.match(/<details id="type-\w+"/g)).toHaveLength(3)
  })

  it('asks for a token only if the service requires one', async () => {
    expect(await render(spec('{ name: notes, version: v1 }'))).toContain('id="sign-in"')
    expect(await render(spec('{ name: notes, version: v1 }', 'none'))).not.toMatch(/id="sign-in"|Authorization/)
  })

  it('shows the texts of a spec as text', async () => {
    const hostile = `</title><script>alert(1)</script>`
    const page = await render(
      spec(
        `{ name: notes, version: v1, title: "${hostile}", description: "${hostile}\\n\\n<img src=x onerror=alert(1)>" }`,
      ),
    )
    expect(page).not.toMatch(/<script>|<img/)
    expect(page).toContain('&lt;img src&#x3D;x onerror&#x3D;alert(1)&gt;')
    expect(page).toContain('<h1>&lt;/title&gt;&lt;script&gt;')
  })
})

describe('isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.0.0.1:8080', true],
    ['127.1.2.3', true],
    ['localhost:80', true],
    ['LOCALHOST', true],
    ['[::1]:8080', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.2', false],
    ['127.0.0.1.evil.example', false],
    ['localhost.evil.example', false],
    ['evil.example:8080', false],
    ['', false],
  ])('%s: %s', (host, expected) => expect(isLoopback(host)).toBe(expected))
})
