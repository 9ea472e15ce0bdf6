import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generate } from '../../generator/index.js'
import { compileErrors } from '../../generator/testing/compile-errors.js'
import { createReferenceService, type ReferenceService } from '../../reference/index.js'
import { connect, send } from '../../runtime/client/connection.js'
import { bigIntJson, exactNumbers } from '../../runtime/client/exact-numbers.js'
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

const int64Range = { min: -(2n ** 63n), max: 2n ** 63n - 1n }
const int64 = fc.bigInt(int64Range).map(String)
const decimal = fc
  .tuple(int64, fc.stringMatching(/^[0-9]{0,20}[1-9]$/))
  .map(([whole, fraction]) => `${whole}.${fraction}`)

describe('a client with exact numbers', () => {
  let service: ReferenceService
  /** Of all items that the tests created. */
  const ids = new Set<string>()
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

  it('reads back all Int64 that it wrote, as bigints', async () => {
    const connection = connect({
      baseUrl: 'http://service.test/v1',
      interceptors: [exactNumbers],
      json: bigIntJson({ sums: 'sums.sum', 'sums.sum': { id: 'Edm.Int64', counts: 'Edm.Int64' } }),
      fetch: (url, request) => service.fetch(new Request(url, request)),
    })
    const call = (method: string, path: string, body?: unknown) =>
      send(connection, { method, url: connection.baseUrl + path, headers: {}, body, signal: undefined })
    const sums = fc.record({ id: fc.bigInt(int64Range), price: decimal, counts: fc.array(fc.bigInt(int64Range)) })
    await fc.assert(
      fc.asyncProperty(sums, async sum => {
        fc.pre(!ids.has(`${sum.id}`))
        ids.add(`${sum.id}`)
        const sent = { ...sum, part: null }
        expect(await call('POST', '/sums', sent)).toMatchObject(sent)
        expect(await call('PATCH', `/sums/${sum.id}`, { counts: [sum.id] })).toMatchObject({ counts: [sum.id] })
        expect(await call('GET', `/sums?$filter=id eq ${sum.id}`)).toMatchObject({ value: [{ id: sum.id }] })
      }),
      { numRuns: 40 },
    )
  })
})

describe('code that is generated with exactNumbers: bigint', () => {
  const { files } = generate({ path: 'sums.yaml', text }, { exactNumbers: 'bigint' })
  const textOf = (path: string): string => files.find(file => file.path === path)?.text ?? ''
  const used = `
import { createSums } from './client.js'
const sums = createSums({ baseUrl: 'http://service.test/v1' })
const list = sums.sums.list({ filter: f => f.and(f.eq('id', 2n ** 60n), f.eq('price', '1.5')) })
const { value } = await list.page()
export const id: bigint | undefined = value[0]?.id
export const counts: readonly bigint[] | undefined = value[0]?.counts
export const price: string = (await sums.sums.update(1n, { counts: [1n] })).price
// @ts-expect-error: a number is not a bigint
sums.sums.list({ filter: f => f.eq('id', 1) })
`

  it('has bigints for Int64 and strings for Decimal, and compiles', async () => {
    expect(textOf('types.ts')).toContain('readonly id: bigint')
    expect(textOf('types.ts')).toContain('readonly price: string')
    expect(textOf('client.ts')).toContain("'sums.sum': { id: 'Edm.Int64', counts: 'Edm.Int64' }")
    expect(textOf('client.ts')).toContain('connect(withBigInts(options))')
    expect(textOf('literal-formats.ts')).not.toContain('id')
    const using = { path: 'used.ts', text: used, kind: 'generated' as const }
    expect(await compileErrors([...files.filter(({ path }) => path.endsWith('.ts')), using])).toBe('')
  })

  it('gives handlers bigints and strings', async () => {
    const { service } = loadSpecText(text, 'sums.yaml')
    if (service === undefined) throw new Error('The spec has errors.')
    const calls: unknown[] = []
    const table = { ...buildServiceTable(service), numbers: 'bigint' as const }
    const serve = createService(table, () => ({ keys, body }: { readonly keys: unknown; readonly body: unknown }) => {
      calls.push(keys, body)
      return { id: 2n ** 62n, price: '1.5', counts: [1n], part: null }
    })
    const headers = { 'content-type': 'application/json', accept: 'application/json;IEEE754Compatible=true' }
    const body = '{"price":12345678901234567890.5,"counts":[9007199254740993]}'
    const url = 'http://service.test/v1/sums/9007199254740993'
    const response = await serve(new Request(url, { method: 'PATCH', headers, body }))
    expect(calls).toEqual([{ id: 9007199254740993n }, { price: '12345678901234567890.5', counts: [9007199254740993n] }])
    expect(await response.json()).toMatchObject({ id: '4611686018427387904', price: '1.5', counts: ['1'] })
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
