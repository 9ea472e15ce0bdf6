import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../spec/language/index.js'
import { createMockService, type MockService } from './mock-service.js'

describe('a mock service', () => {
  let spec: Service
  let mock: MockService
  const get = (path: string, service: MockService = mock): Promise<Response> =>
    service.fetch(new Request(`https://mail.example/v1.0${path}`))
  const textOf = async (path: string): Promise<string> => (await get(path)).text()

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

  it('refuses numbers of rows that cannot be read', async () => {
    await expect(createMockService({ spec, rows: 'many' })).rejects.toThrow(/^rows: "many" is not a number/)
  })
})
