import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../spec/language/index.js'
import { createMockService, type MockService } from './mock-service.js'
import { createReferenceService } from './reference-service.js'

describe('a mock service', () => {
  let spec: Service
  let mock: MockService
  const get = (path: string, service: MockService = mock): Promise<Response> =>
    service.fetch(new Request(`https://mail.example/v1.0${path}`))
  const textOf = async (path: string, service?: MockService): Promise<string> => (await get(path, service)).text()

  beforeAll(async () => {
    const { service } = await loadSpec('spec/directory.yaml')
    if (service === undefined) throw new Error('spec/directory.yaml has errors.')
    spec = service
    mock = await createMockService({
      spec,
      rows: '5,groups=2',
      fault: ({ url }) =>
        url.endsWith('/groups') ? { status: 503, code: 'busy', headers: { 'retry-after': '1' } } : undefined,
    })
  })
  afterAll(() => mock?.close())

  it('has as many items as requested, and answers as the first caller without a token', async () => {
    expect(JSON.parse(await textOf('/users')).value).toHaveLength(5)
    expect((await get('/me')).status).toBe(200)
  })

  it('has the same data for the same seed, and other data for another one', async () => {
    const names = async (seed: string): Promise<string> => {
      const other = await createMockService({ spec, rows: '5', seed })
      const text = await (await get('/users?$select=id,displayName', other)).text()
      await other.close()
      return text
    }
    expect(await names('a')).toBe(await names('a'))
    expect(await names('a')).not.toBe(await names('b'))
  })

  it('answers with the fault of a request', async () => {
    const response = await get('/groups')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(JSON.parse(await response.text()).error.code).toBe('busy')
  })

  it('waits no longer than its caller', async () => {
    const slow = await createMockService({ spec, rows: '1', fault: () => ({ delay: 2_000_000_000 }) })
    const abort = new AbortController()
    const waiting = slow.fetch(new Request('https://mail.example/v1.0/users', { signal: abort.signal }))
    abort.abort()
    expect((await waiting).status).toBeGreaterThan(0)
    await slow.close()
  })

  it('reads the spec from its path, and takes a number of rows', async () => {
    const starter = await createMockService({ spec: 'spec/starter.yaml', rows: 3 })
    expect(JSON.parse(await textOf('/lists', starter)).value).toHaveLength(3)
    await starter.close()
  })

  it.each<[string, string, RegExp]>([
    [
      'a missing file',
      'none.yaml',
      /^The spec has an error: none\.yaml:1:1 error file\/not-found: There is no such file\.$/,
    ],
    [
      'a text',
      'specwright: 1\nservice: { name: shop, version: v1 }\n',
      /^The spec has an error: <text>:1:1 error file\/is-text: .* Pass `loadSpecText\(text, name\)\.service` instead\.$/,
    ],
    [
      'a spec with errors',
      'spec/language/broken/shape-several.yaml',
      /^The spec has \d+ errors\. The first: \S+:\d+:\d+ error /,
    ],
  ])('refuses %s in place of a spec', async (_, path, message) => {
    await expect(createMockService({ spec: path })).rejects.toThrow(message)
  })

  it('refuses what is no service', async () => {
    const loaded = await loadSpec('spec/starter.yaml')
    // @ts-expect-error JavaScript can pass the result of loadSpec.
    await expect(createMockService({ spec: loaded })).rejects.toThrow(
      /^The option spec must be the path of a spec, or a service/,
    )
  })

  it.each([undefined, {}])('refuses %s in place of the address of a store', async store => {
    // @ts-expect-error A caller in JavaScript can omit it.
    await expect(createReferenceService({ spec, store })).rejects.toThrow(/^The option store must be the address/)
  })

  it('refuses numbers of rows that cannot be read', async () => {
    await expect(createMockService({ spec, rows: 'many' })).rejects.toThrow(/^rows: "many" is not a number/)
  })
})
