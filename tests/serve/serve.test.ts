import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../bin/testing/run-command.js'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { mintToken } from '../../reference/host/identity.js'
import { root } from '../root.js'
import { expectServeToFail, interruptLoading, killAll, type ServeProcess, startServe } from './serve-process.js'

const folder = temporaryFolders()
afterAll(killAll)
const directory = join(root, 'spec/directory.yaml')
const quick = ['--port', '0', '--log', 'off', '--token', 'let-me-in']

/** Sends a request with a token, and parses the response. */
async function ask(
  { url }: ServeProcess,
  path: string,
  { token = 'let-me-in', method = 'GET', body }: { token?: string; method?: string; body?: unknown } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(url + path, { method, headers, ...sent })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}

describe('specwright serve without options', () => {
  let service: ServeProcess
  beforeAll(async () => {
    service = await startServe(['--port', '0', '--log', 'json'])
  })
  afterAll(() => service.stop())

  const token = (): string => /^token +(\S+)$/m.exec(service.err())?.[1] ?? ''

  it('listens on loopback, and prints the address in one line', async () => {
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\.0$/)
  })

  it('serves the Directory service with its data, and prints a token of the first person', async () => {
    expect(service.err()).toMatch(/^principal +mira$/m)
    const me = await ask(service, '/me', { token: token() })
    expect([me.status, me.body]).toMatchObject([200, { id: 'mira', displayName: 'Mira Özdemir' }])
    const mail = await ask(service, '/me/messages?$count=true&$top=3&$orderby=receivedDateTime%20desc', {
      token: token(),
    })
    expect(mail.body).toMatchObject({
      '@odata.count': 30,
      value: [{ id: 'msg-02' }, { id: 'msg-01' }, { id: 'msg-05' }],
    })
  })

  it.each([undefined, 'let-me-in', 'a.b.c'])('rejects other credentials: %s', async wrong => {
    const headers: Record<string, string> = wrong === undefined ? {} : { authorization: `Bearer ${wrong}` }
    for (const path of ['/me', '', '/$metadata', '/nowhere']) {
      const response = await fetch(service.url + path, { headers })
      expect(response.status, path).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="directory"/)
      expect(await response.json()).toMatchObject({ error: { code: 'InvalidAuthenticationToken' } })
    }
  })

  it('answers health checks without a credential', async () => {
    const response = await fetch(new URL('/healthz', service.url))
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
    expect((await fetch(new URL('/metrics', service.url))).status).toBe(401)
  })

  it('supports the service document, metadata as XML and JSON, and batches', async () => {
    const document = await ask(service, '', { token: token() })
    expect(document.body).toMatchObject({ value: [{ name: 'users' }, { name: 'groups' }, { name: 'me' }] })
    expect((await ask(service, '/$metadata', { token: token() })).body).toContain('<edmx:Edmx')
    expect((await ask(service, '/$metadata?$format=json', { token: token() })).body).toHaveProperty('$Version')
    const requests = [
      { id: '1', method: 'GET', url: '/me?$select=id' },
      { id: '2', method: 'GET', url: '/me/manager?$select=id', dependsOn: ['1'] },
    ]
    const batch = await ask(service, '/$batch', { token: token(), method: 'POST', body: { requests } })
    expect(batch.body).toMatchObject({ responses: [{ status: 200, body: { id: 'mira' } }, { body: { id: 'jonas' } }] })
  })

  it('logs requests without credentials and queries', async () => {
    await ask(service, '/users?$filter=surname%20eq%20%27Lindgren%27', { token: token() })
    const line = service
      .err()
      .split('\n')
      .findLast(each => each.includes('"/v1.0/users"'))
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 'info', method: 'GET', path: '/v1.0/users', status: 200 })
    expect(service.err()).not.toContain('Lindgren')
    // Once as the token, and once in the address of the page.
    expect(service.err().split(token())).toHaveLength(3)
  })
})

describe('specwright serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s', async signal => {
    const service = await startServe(quick)
    const { code, out } = await service.stop(signal)
    expect([code, out]).toEqual([0, `listening ${service.url}\n`])
  })

  it('shows metrics without a credential with --metrics only', async () => {
    const service = await startServe([...quick, '--metrics', '--limit', 'url=100'])
    await ask(service, '/users?$top=1')
    await ask(service, '/users/mira', { token: 'wrong' })
    await ask(service, `/users/${'x'.repeat(100)}`)
    const misdirected = connect(Number(new URL(service.url).port), '127.0.0.1')
    misdirected.end('GET /metrics HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n')
    expect(await text(misdirected)).toMatch(/^HTTP\/1\.1 421 /)
    const response = await fetch(new URL('/metrics', service.url), { headers: { origin: 'https://app.example' } })
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    const lines = (await response.text()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'http_requests_total{method="GET",route="/v1.0/users",status="200"} 1',
        'http_requests_total{method="GET",route="/v1.0/users/{id}",status="401"} 1',
        'http_requests_refused_total{by="service",status="414"} 1',
        'http_requests_refused_total{by="server",status="421"} 1',
      ]),
    )
    const memory = lines.find(line => line.startsWith('process_resident_memory_bytes '))?.split(' ')[1]
    expect(Number(memory)).toBeGreaterThan(1_000_000)
    await service.stop()
  })

  it('keeps acknowledged writes in a file, after a shutdown and after a crash', async () => {
    const cwd = folder()
    const args = [...quick, '--store', 'sqlite:kept.db']
    const create = async (subject: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      const service = await startServe(args, cwd)
      expect((await ask(service, '/me/messages', { method: 'POST', body: { subject } })).status).toBe(201)
      await service.stop(signal)
    }
    await create('before an orderly end', 'SIGTERM')
    await create('before a sudden one', 'SIGKILL')
    const service = await startServe(args, cwd)
    const { body } = await ask(service, "/me/messages?$select=subject&$filter=startsWith(subject,'before')&$count=true")
    expect(body).toMatchObject({ '@odata.count': 2 })
    expect(service.err()).toContain('the store has data, so nothing was loaded')
    expect((await service.stop()).code).toBe(0)
  })

  it('exits with 0 while it loads data, and has loaded nothing', async () => {
    const cwd = folder()
    const pipe = join(cwd, 'endless.jsonl')
    execFileSync('mkfifo', [pipe])
    const line = (id: number): string => `{"users":{"id":"u${id}","displayName":"Ann","userPrincipalName":"u${id}"}}\n`
    const args = [...quick, '--store', 'sqlite:x.db', '--principal', 'ann']
    const ended = await interruptLoading([...args, '--data', pipe], pipe, line, cwd)
    expect(ended).toMatchObject({ code: 0, out: '' })
    const service = await startServe([...args, '--data', 'none'], cwd)
    expect((await ask(service, '/users')).body).toMatchObject({ value: [] })
    await service.stop()
  })

  it('serves any spec, with the data file beside it', async () => {
    const service = await startServe([join(root, 'spec/library.yaml'), ...quick])
    expect(service.url).toMatch(/\/v1$/)
    const { body } = await ask(service, "/books?$filter=genres%20has%20'poetry'&$expand=authors($select=name)")
    expect(body).toMatchObject({ value: [{ isbn: '9780000000057', authors: [{ name: { family: 'Homer' } }] }] })
    await service.stop()
  })

  it('loads no data with --data none, and reports that the token has no principal', async () => {
    const service = await startServe(['--port', '0', '--log', 'off', '--data', 'none'])
    expect(service.err()).toContain('Name one with --principal ID')
    const token = /^token +(\S+)$/m.exec(service.err())?.[1] ?? ''
    expect((await ask(service, '/users', { token })).body).toMatchObject({ value: [] })
    await service.stop()
  })

  it.each([
    ['who is in the store', [], 'principal  mira\n'],
    [
      'who is not',
      ['--principal', 'ann'],
      'principal  ann, who is not in the store. Name one who is with --principal ID\n',
    ],
  ])('prints the principal of a fixed token, %s', async (_, more, line) => {
    const service = await startServe([...quick, ...more])
    expect(service.err()).toContain(line)
    await service.stop()
  })

  it('accepts JSON Web Tokens signed with a secret, with their scopes', async () => {
    const secret = 'at least thirty-two bytes of secret'
    const service = await startServe(['--port', '0', '--log', 'off', '--secret', secret])
    const token = await mintToken({ id: 'greta', scopes: ['User.Read'] }, secret, 3_600, Date.now())
    expect((await ask(service, '/me', { token })).body).toMatchObject({ id: 'greta' })
    expect((await ask(service, '/me/messages', { token })).status).toBe(403)
    expect(service.err()).not.toContain('token')
    await service.stop()
  })

  it('hides the items of other principals', async () => {
    const service = await startServe([...quick, '--principal', 'jonas'])
    const { body } = await ask(service, '/me/messages?$select=id')
    expect(body).toMatchObject({ value: [{ id: 'jonas-msg-01' }] })
    for (const [method, sent] of [
      ['GET', undefined],
      ['DELETE', undefined],
      ['PATCH', { isRead: true }],
    ] as const) {
      expect((await ask(service, '/me/messages/msg-01', { method, body: sent })).status, method).toBe(404)
    }
    expect((await ask(service, '/drive/items/folder-root/children')).status).toBe(404)
    await service.stop()
  })

  it('rejects the next link of another principal, and returns to each principal their own items', async () => {
    const secret = 'at least thirty-two bytes of secret'
    const service = await startServe(['--port', '0', '--log', 'off', '--secret', secret])
    const scopes = ['Mail.Read', 'Calendars.Read', 'Files.Read']
    const [mira = '', jonas = ''] = await Promise.all(
      ['mira', 'jonas'].map(id => mintToken({ id, scopes }, secret, 3_600, Date.now())),
    )
    const { body } = await ask(service, '/me/messages?$select=id&$orderby=id%20desc&$top=1', { token: mira })
    expect(body).toMatchObject({ value: [{ id: expect.stringMatching(/^msg-/) }] })
    const link = JSON.stringify(body).match(/"@odata\.nextLink":"[^"]*\/v1\.0([^"]*)"/)?.[1] ?? ''
    const followed = await ask(service, link, { token: jonas })
    expect([followed.status, followed.body]).toMatchObject([400, { error: { target: '$skiptoken' } }])
    expect((await ask(service, link, { token: mira })).status).toBe(200)
    for (const path of ['/me/calendar?$select=id', '/me/drive/items?$select=id']) {
      const own = await ask(service, path, { token: jonas })
      expect(JSON.stringify(own.body), path).not.toMatch(/mira|folder-root/)
    }
    await service.stop()
  })

  it('throttles with --throttle', async () => {
    const service = await startServe([...quick, '--throttle', '1'])
    const answers = await Promise.all([1, 2, 3].map(() => ask(service, '/me')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
    const late = answers.find(({ status }) => status === 429)
    expect([late?.headers.get('retry-after'), late?.body]).toMatchObject(['1', { error: { code: expect.any(String) } }])
    await service.stop()
  })

  it('allows only the named origins', async () => {
    const service = await startServe([...quick, '--cors', 'https://app.example'])
    const preflight = await fetch(`${service.url}/me`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PATCH' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ])
    const other = await fetch(`${service.url}/me`, { headers: { origin: 'https://other.example' } })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    await service.stop()
  })

  it('uses the public address in links', async () => {
    const service = await startServe([...quick, '--public-url', 'https://api.example.com/v1.0/'])
    const { body } = await ask(service, '/users?$top=1')
    expect(body).toMatchObject({
      '@odata.nextLink': expect.stringMatching(/^https:\/\/api\.example\.com\/v1\.0\/users\?/),
    })
    await service.stop()
  })
})

describe('specwright serve exits with 2 and the reason', () => {
  it('for a port in use', async () => {
    const other = createServer()
    await new Promise<void>(resolve => void other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    const { code, out, err } = await expectServeToFail([...quick, '--port', port])
    other.close()
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`error: Port ${port} of 127.0.0.1 is in use.`)
  })

  it('for a host of another machine', async () => {
    const { code, out, err } = await expectServeToFail([...quick, '--host', '203.0.113.1'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('203.0.113.1 is no address of this machine')
  })

  it.each<[rule: string, args: readonly string[], message: string]>([
    ['an invalid port', ['--port', '99999'], 'A port is a number from 0 to 65535'],
    ['an unknown store', ['--store', 'mysql://root:s3cret@db/x'], '"mysql://db/x" is not a store'],
    [
      'a store in a missing folder',
      ['--store', 'sqlite:nowhere/x.db'],
      'The store sqlite:nowhere/x.db cannot be opened: its folder does not exist',
    ],
    ['a store that is a folder', ['--store', 'sqlite:.'], 'The store sqlite:. cannot be opened: . is a folder'],
    [
      'a missing server',
      ['--store', 'postgres://u:s3cret@127.0.0.1:1/x'],
      'The store postgres://127.0.0.1:1/x cannot be opened: nothing listens there',
    ],
    ['a secret that is too short', ['--secret', 'short'], 'A secret for HS256 needs at least 32 bytes'],
    ['keys that come over plain HTTP', ['--jwks', 'http://issuer.example/keys'], 'Expected an https URL'],
    ['an origin with a path', ['--cors', 'https://app.example/'], 'Expected an origin (scheme, host and optional port'],
    ['a token that no header can hold', ['--token', 'a b'], 'The value is not a bearer token'],
    ['a rate of nothing', ['--throttle', '0'], 'Expected the number of requests per second'],
  ])('for %s', async (_rule, args, message) => {
    const { code, out, err } = await runCommand(folder(), 'serve', ...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err).not.toContain('s3cret')
  })

  it('for a type with more properties than a table can have columns', async () => {
    const cwd = folder()
    const properties = Array.from({ length: 2_001 }, (_, index) => `      p${index}: { type: String, nullable: true }`)
    const spec = `specwright: 1
service: { name: wide, version: v1 }
authentication: { scheme: none }
resources:
  row:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
${properties.join('\n')}
container: { rows: { entitySet: row } }
paths: { /rows: { get: {} } }
errors: {}
`
    writeFileSync(join(cwd, 'wide.yaml'), spec)
    const { code, err } = await runCommand(cwd, 'serve', 'wide.yaml')
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('cannot be opened: too many columns on row. A type and all'),
    ])
  })

  it('for a file that is not a database', async () => {
    const cwd = folder()
    writeFileSync(
      join(cwd, 'text.db'),
      'This is a text of more than a hundred bytes, and no database at all. '.repeat(9),
    )
    const { code, err } = await runCommand(cwd, 'serve', '--store', 'sqlite:text.db')
    expect([code, err]).toEqual([2, expect.stringContaining('The store sqlite:text.db cannot be opened')])
  })
})

describe('specwright serve exits with 1', () => {
  it('for a spec with errors, and lists them', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'broken.yaml'), 'specwright: 1\n')
    const { code, out, err } = await runCommand(cwd, 'serve', 'broken.yaml')
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('broken.yaml:1:1 error')
  })

  it.each([
    ['of a spec', 'specwright: 1\n', 'none', { file: 'broken.yaml', severity: 'error' }],
    ['of data', undefined, 'there-is-none.jsonl', { file: 'there-is-none.jsonl', severity: 'error' }],
  ])('and with --json lists the errors in its line of output: %s', async (_, text, data, wrong) => {
    const cwd = folder()
    writeFileSync(join(cwd, 'broken.yaml'), text ?? readFileSync(join(root, 'spec/starter.yaml')))
    const { code, out, err } = await expectServeToFail(['broken.yaml', '--port', '0', '--data', data, '--json'], cwd)
    expect([code, err, out.indexOf('\n')]).toEqual([1, '', out.length - 1])
    expect(JSON.parse(out)).toMatchObject({
      listening: null,
      diagnostics: expect.arrayContaining([expect.objectContaining(wrong)]),
    })
  })

  it('for invalid data, and leaves the store empty', async () => {
    const cwd = folder()
    copyFileSync(directory, join(cwd, 'd.yaml'))
    copyFileSync(join(root, 'spec/directory.interface.md'), join(cwd, 'directory.interface.md'))
    const sound = { users: { id: 'ann', displayName: 'Ann', userPrincipalName: 'ann' } }
    writeFileSync(join(cwd, 'd.data.jsonl'), `${JSON.stringify(sound)}\n{"users":{"id":"bob","surname":7}}\n`)
    const { code, err } = await expectServeToFail(['d.yaml', '--store', 'sqlite:d.db', '--principal', 'ann'], cwd)
    expect(code).toBe(1)
    expect(err).toContain('d.data.jsonl:2:1 error data/value: users/surname: surname must be a string.')
    const service = await startServe(['d.yaml', ...quick, '--store', 'sqlite:d.db', '--data', 'none'], cwd)
    expect((await ask(service, '/users')).body).toMatchObject({ value: [] })
    await service.stop()
  })
})
