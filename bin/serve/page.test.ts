import { describe, expect, it } from 'vitest'
import { emitOpenapi } from '../../generator/index.js'
import { withPage } from '../../reference/index.js'
import { fromWebRequest } from '../../runtime/server/create-service.js'
import type { ServerResponse } from '../../runtime/server/index.js'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import type { ServeFlags } from './flags.js'
import { createPage, pageUrl } from './page.js'

const described = (version: string): string => `specwright: 1
service: { name: notes, version: ${version} }
authentication: { scheme: bearer }
resources:
  note: { kind: entityType, key: [id], properties: { id: { type: String, computed: true } } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection } }
errors: {}
`
const service = loadValid(described('v1'))
const local = { port: 8080, host: '127.0.0.1' }

/** What a caller gets: `service` if the service responds. */
async function ask(flags: ServeFlags, address: string, described = service): Promise<ServerResponse | 'service'> {
  const page = createPage(await described, flags)
  if (page === undefined) return 'service'
  const own: ServerResponse = { status: 401, headers: {}, body: undefined }
  const outgoing = await withPage(async () => own, page)(fromWebRequest(new Request(address)))
  return outgoing === own ? 'service' : outgoing
}

describe('pageOf', () => {
  it.each<[what: string, flags: ServeFlags, address: string, shown: boolean]>([
    ['on loopback, to loopback', local, 'http://127.0.0.1:8080/', true],
    ['on loopback, to localhost', local, 'http://localhost:8080/', true],
    ['on IPv6 loopback', { ...local, host: '::1' }, 'http://[::1]:8080/', true],
    ['on loopback, to a name that was rebound to it', local, 'http://evil.example:8080/', false],
    ['on all addresses', { ...local, host: '0.0.0.0' }, 'http://127.0.0.1:8080/', false],
    ['behind a proxy', { ...local, publicUrl: 'https://api.example/v1' }, 'http://127.0.0.1:8080/', false],
    ['on all addresses, when asked for', { ...local, host: '0.0.0.0', page: true }, 'http://192.0.2.1:8080/', true],
    ['when switched off', { ...local, page: false }, 'http://127.0.0.1:8080/', false],
  ])('%s', async (_, flags, address, shown) => {
    for (const path of ['', 'openapi.json']) {
      const outgoing = await ask(flags, address + path)
      expect(outgoing === 'service' ? outgoing : outgoing.status).toBe(shown ? 200 : 'service')
    }
  })

  it.each([
    ['page.css', 'text/css'],
    ['console.mjs', 'text/javascript'],
  ])('has %s from the build', async (name, type) => {
    const outgoing = await ask(local, `http://localhost/$page/${name}`)
    expect(outgoing).toMatchObject({ status: 200, headers: { 'content-type': `${type};charset=utf-8` } })
  })

  it.each(['other.js', '..%2fpage.css', '../page/page.css', '__proto__'])('has no %s', async name => {
    expect(await ask(local, `http://localhost/$page/${name}`)).toBe('service')
  })

  it('shows each caller the address that it uses', async () => {
    const page = createPage(await service, { ...local, page: true })
    if (page === undefined) throw new Error('There is no page.')
    const at = async (origin: string): Promise<string> => {
      const found = await page.assets.get('/')?.(fromWebRequest(new Request(`${origin}/`)))
      return String(found?.body)
    }
    for (const origin of ['http://localhost:1', 'http://localhost:2', 'http://localhost:2', 'http://localhost:1']) {
      expect(await at(origin)).toContain(`<code>${origin}/v1</code>`)
    }
  })

  it('shows the OpenAPI that is exported, with the running address', async () => {
    const outgoing = await ask(local, 'http://localhost:8080/openapi.json')
    const { servers, ...rest } = JSON.parse(outgoing === 'service' ? '' : String(outgoing.body))
    const { servers: _, ...exported } = JSON.parse(emitOpenapi(await service))
    expect([servers, rest]).toEqual([[{ url: 'http://localhost:8080/v1' }], exported])
    const proxied = await ask({ ...local, page: true, publicUrl: 'https://api.example/notes' }, 'http://h/openapi.json')
    expect(proxied === 'service' ? '' : proxied.body).toContain('"servers":[{"url":"https://api.example/notes"}]')
  })

  it('describes one endpoint to the console, and passes unknown names to the service', async () => {
    const outgoing = await ask(local, 'http://localhost/$page/endpoint.json?name=notes.list')
    expect(JSON.parse(outgoing === 'service' ? '' : String(outgoing.body))).toMatchObject({
      root: 'http://localhost/v1',
      name: 'notes.list',
      method: 'GET',
      path: '/notes',
      operation: { operationId: 'notes.list' },
      bearer: true,
      call: { factory: 'createNotes', names: ['notes', 'list'], result: 'list' },
    })
    for (const query of ['', '?name=', '?name=%2Fnotes', '?name=__proto__']) {
      expect(await ask(local, `http://localhost/$page/endpoint.json${query}`)).toBe('service')
    }
  })

  it('leaves paths of the service to the service', async () => {
    expect(await ask(local, 'http://localhost/openapi.json', loadValid(described('openapi.json')))).toBe('service')
  })
})

describe('pageAddress', () => {
  const generated = { authenticate: () => undefined, generatedToken: 'made' }
  const given = { authenticate: () => undefined }
  const terminal = { interactive: true, colour: { out: true, err: true } }
  const log = { interactive: false, colour: { out: false, err: false } }

  it.each([
    ['a generated token', local, generated, log, '#token=made'],
    ['a token that was given, to a person', { ...local, token: 'given' }, given, terminal, '#token=given'],
    ['a token that was given, in a log', { ...local, token: 'given' }, given, log, ''],
    ['a token that was given, to a script', { ...local, token: 'given', json: true as const }, given, terminal, ''],
    ['tokens of an issuer', { ...local, jwks: new URL('https://issuer.example/keys') }, given, terminal, ''],
    ['no credential', local, undefined, terminal, ''],
  ])('%s', (_, flags, identity, seen, fragment) => {
    expect(pageUrl('http://127.0.0.1:8080', flags, identity, seen)).toBe(`http://127.0.0.1:8080/${fragment}`)
  })
})
