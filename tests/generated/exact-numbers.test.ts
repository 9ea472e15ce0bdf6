import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generate } from '../../generator/index.js'
import { compileErrors } from '../../generator/testing/compile-errors.js'
import { createReferenceService, type ReferenceService } from '../../reference/index.js'
import { connect, send } from '../../runtime/client/connection.js'
import { exactNumbers } from '../../runtime/client/retrying.js'
import { createService } from '../../runtime/server/index.js'
import { buildServiceTable, loadSpecText } from '../../spec/language/index.js'

const text = `
specwright: 1
service: { name: sums, version: v1 }
authentication: { scheme: none }
resources:
  sum:
    kind: entityType
    key: [id]
    properties:
      id: { type: Int64 }
      price: { type: Decimal, scale: variable, default: 1.5 }
      counts: { type: Int64, collection: true }
      part: { type: part, nullable: true }
  part: { kind: complexType, properties: { price: { type: Decimal, scale: variable } } }
container: { sums: { entitySet: sum } }
queryOptions: { all: { filter: { operators: [eq, and] }, count: true, select: true } }
paths:
  /sums: { get: { returns: collection, query: all }, post: { creates: sum } }
  /sums/{id}: { get: { returns: item }, patch: { updates: item } }
errors: {}
`

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
const decimal = fc
  .tuple(int64, fc.stringMatching(/^[0-9]{0,20}[1-9]$/))
  .map(([whole, fraction]) => `${whole}.${fraction}`)

describe('a client with exact numbers', () => {
  let service: ReferenceService
  beforeAll(async () => {
    const { service: spec } = loadSpecText(text, 'sums.yaml')
    if (spec === undefined) throw new Error('The spec has errors.')
    service = await createReferenceService({ spec, store: 'sqlite::memory:' })
  })
  afterAll(() => service.close())

  it('reads back all digits that it wrote, as strings', async () => {
    const connection = connect({
      baseUrl: 'http://service.test/v1',
      interceptors: [exactNumbers],
      fetch: (url, request) => service.fetch(new Request(url, request)),
    })
    const call = (method: string, path: string, body?: unknown) =>
      send(connection, { method, url: connection.baseUrl + path, headers: {}, body, signal: undefined })
    const ids = new Set<string>()
    const sums = fc.record({ id: int64, price: decimal, counts: fc.array(int64, { maxLength: 3 }), inner: decimal })
    await fc.assert(
      fc.asyncProperty(sums, async ({ id, price, counts, inner }) => {
        fc.pre(!ids.has(id))
        ids.add(id)
        const sum = { id, price, counts, part: { price: inner } }
        expect(await call('POST', '/sums', sum)).toMatchObject(sum)
        expect(await call('GET', `/sums/${id}`)).toMatchObject(sum)
        expect(await call('PATCH', `/sums/${id}`, { price: inner })).toMatchObject({ ...sum, price: inner })
        const query = `/sums?$count=true&$filter=id eq ${id} and price eq ${inner}`
        expect(await call('GET', query)).toMatchObject({ '@odata.count': 1, value: [{ ...sum, price: inner }] })
      }),
      { numRuns: 40 },
    )
  })
})

describe('code that is generated with exactNumbers: string', () => {
  const { files } = generate({ path: 'sums.yaml', text }, { exactNumbers: 'string' })
  const textOf = (path: string): string => files.find(file => file.path === path)?.text ?? ''

  it('has strings for Int64 and Decimal, and compiles', async () => {
    expect(textOf('types.ts')).toContain('readonly id: string')
    expect(textOf('types.ts')).toContain('readonly counts: readonly string[]')
    expect(textOf('client.ts')).toContain('interceptors: [...(options.interceptors ?? []), exactNumbers]')
    expect(textOf('literal-formats.ts')).toContain('price: number')
    expect(await compileErrors(files.filter(({ path }) => path.endsWith('.ts')))).toBe('')
  })

  it('gives handlers strings, and takes strings and bigints from them', async () => {
    const { service } = loadSpecText(text, 'sums.yaml')
    if (service === undefined) throw new Error('The spec has errors.')
    let body: unknown
    const handlers = {
      'sums.create': (call: { readonly body: unknown }) => {
        body = call.body
        return { id: 9007199254740993n, price: '0.12345678901234567890', counts: [1n, '2', 3], part: { price: 4n } }
      },
    }
    const table = { ...buildServiceTable(service), numbers: 'string' as const }
    const serve = createService(table, ({ name }) => Object.entries(handlers).find(([key]) => key === name)?.[1])
    const post = (accept: string) =>
      serve(
        new Request('http://service.test/v1/sums', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept },
          body: '{"id":5,"counts":[9007199254740993],"part":{"price":"1.50"}}',
        }),
      )
    const numbers = await (await post('application/json')).text()
    expect(body).toEqual({ id: '5', price: '1.5', counts: ['9007199254740993'], part: { price: '1.5' } })
    expect(numbers).toContain('"id":9007199254740993,"price":0.1234567890123456789,"counts":[1,2,3],"part":{"price":4}')
    const strings = await (await post('application/json;IEEE754Compatible=true')).text()
    expect(strings).toContain(
      '"id":"9007199254740993","price":"0.1234567890123456789","counts":["1","2","3"],"part":{"price":"4"}',
    )
  })

  it('refuses numbers that it would round, if handlers get numbers', async () => {
    const { service } = loadSpecText(text, 'sums.yaml')
    if (service === undefined) throw new Error('The spec has errors.')
    const serve = createService(buildServiceTable(service), () => () => ({ id: 1 }))
    const body = '{"id":9007199254740993,"counts":[]}'
    const headers = { 'content-type': 'application/json' }
    const response = await serve(new Request('http://service.test/v1/sums', { method: 'POST', headers, body }))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('id has more digits than this service can keep.')
  })
})
