import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type BothEngines, openBoth, type RequestOptions, type TestResponse } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: shop, version: v1 }
authentication: { scheme: bearer, scopes: { Guards.Write: Change guards } }
resources:
  order:
    kind: entityType
    key: [id]
    properties:
      id: { type: Int32, createOnly: true }
      note: { type: String, nullable: true }
      sellerName: { type: String, nullable: true }
    navigation:
      lines: { to: line, collection: true, contained: true }
      address: { to: address, nullable: true, contained: true }
      tags: { to: tag, collection: true }
      secrets: { to: secret, collection: true }
      guards: { to: guard, collection: true }
      buyer: { to: person, nullable: true }
      seller: { to: person, nullable: true, constraint: { sellerName: name } }
  line:
    kind: entityType
    key: [no]
    properties:
      no: { type: Int32, createOnly: true }
      sku: { type: String, unique: true }
      place: { type: place, nullable: true }
      made: { type: String, nullable: true, createOnly: true }
    navigation: { parts: { to: part, collection: true, contained: true }, labels: { to: tag, collection: true } }
  tag: { kind: entityType, key: [name], properties: { name: { type: String, createOnly: true }, note: { type: String, nullable: true } } }
  secret: { kind: entityType, key: [name], entityTag: weak, properties: { name: { type: String, createOnly: true }, note: { type: String, nullable: true } } }
  guard: { kind: entityType, key: [name], properties: { name: { type: String, createOnly: true }, note: { type: String, nullable: true } } }
  person: { kind: entityType, key: [name], properties: { name: { type: String, createOnly: true }, note: { type: String, nullable: true } } }
  part: { kind: entityType, key: [id], properties: { id: { type: Int32, computed: true }, name: { type: String } } }
  address: { kind: entityType, key: [id], properties: { id: { type: Int32, computed: true }, street: { type: String }, city: { type: String, nullable: true } } }
  place: { kind: complexType, properties: { shelf: { type: String }, row: { type: Int32, nullable: true } } }
container: { orders: { entitySet: order }, tags: { entitySet: tag }, people: { entitySet: person }, secrets: { entitySet: secret }, guards: { entitySet: guard } }
paths:
  /orders: { get: { returns: collection, query: { expand: { maxDepth: 2, nested: [select, expand, orderby] } } }, post: { creates: order } }
  /orders/{id}: { get: { returns: item, query: { expand: { maxDepth: 2, nested: [select, expand, orderby] } } }, patch: { updates: item }, put: { updates: item }, delete: { deletes: item } }
  /tags: { get: { returns: collection }, post: { creates: tag } }
  /tags/{name}: { get: { returns: item }, patch: { updates: item }, delete: { deletes: item } }
  /people: { get: { returns: collection }, post: { creates: person } }
  /people/{name}: { get: { returns: item }, patch: { updates: item }, delete: { deletes: item } }
  /guards: { get: { returns: collection } }
  /guards/{name}: { get: { returns: item }, patch: { updates: item, scopes: [Guards.Write] } }
  /secrets: { post: { creates: secret } }
  /secrets/{name}: { get: { returns: item }, patch: { updates: item, ifMatch: required } }
errors: {}
features: { deepInsert: optional, deepUpdate: optional }
`

let both: BothEngines
beforeAll(async () => {
  const { service, diagnostics } = loadSpecText(spec, 'shop.yaml')
  if (service === undefined) throw new Error(JSON.stringify(diagnostics))
  const named = (type: string) => ({ type, properties: { name: 'x', note: null }, contained: {} })
  both = await openBoth(service, ['secret', 'guard'].map(named))
})
afterAll(() => both.stop())

describe.each(['sqlite', 'postgres'] as const)('deep updates on %s:', engine => {
  const send = (path: string, options?: RequestOptions): Promise<TestResponse> =>
    both.services[engine].request(path, options)
  const patch = async (body: unknown): Promise<number> => (await send('/orders/1', { method: 'PATCH', body })).status
  const read = async (): Promise<unknown> =>
    (await send('/orders/1?$expand=lines($orderby=no;$expand=parts($select=name)),address($select=street,city)')).json
  const line = (no: number, more: object = {}): object => ({ no, sku: `s${no}`, ...more })

  beforeEach(async () => {
    await send('/orders/1', { method: 'DELETE' })
    const body = {
      id: 1,
      note: 'n',
      lines: [line(1, { made: 'x', place: { shelf: 'a', row: 1 }, parts: [{ name: 'p' }] }), line(2)],
    }
    expect((await send('/orders', { method: 'POST', body })).status).toBe(201)
  })

  it('a list replaces all items: it changes those with its keys, creates others, and deletes the rest', async () => {
    expect(await patch({ lines: [{ no: 1, sku: 'new', made: 'y' }, line(3)] })).toBe(200)
    expect(await read()).toMatchObject({
      note: 'n',
      lines: [
        { no: 1, sku: 'new', made: 'x', place: { shelf: 'a', row: 1 }, parts: [{ name: 'p' }] },
        { no: 3, sku: 's3', place: null, parts: [] },
      ],
    })
    expect(await patch({ lines: [] })).toBe(200)
    expect(await read()).toMatchObject({ lines: [] })
  })

  it('a new item can have the unique value of one that the list deletes', async () => {
    expect(await patch({ lines: [{ no: 7, sku: 's2' }] })).toBe(200)
    expect(await read()).toMatchObject({ lines: [{ no: 7, sku: 's2' }] })
  })

  it('a delta changes, creates and removes the items that it names, and no others', async () => {
    const delta = [
      { no: 1, place: { row: 2 } },
      { no: 2, '@removed': { reason: 'deleted' } },
      line(3, { parts: [{ name: 'q' }] }),
    ]
    expect(await patch({ note: 'm', 'lines@odata.delta': delta })).toBe(200)
    expect(await read()).toMatchObject({
      note: 'm',
      lines: [
        { no: 1, sku: 's1', place: { shelf: 'a', row: 2 }, parts: [{ name: 'p' }] },
        { no: 3, parts: [{ name: 'q' }] },
      ],
    })
    expect(
      await patch({
        'lines@delta': [
          { no: 9, '@removed': {} },
          { no: 1, 'parts@delta': [{ name: 'r' }] },
        ],
      }),
    ).toBe(200)
    expect(await read()).toMatchObject({ lines: [{ no: 1, parts: [{ name: 'p' }, { name: 'r' }] }, { no: 3 }] })
  })

  it('a PUT replaces the item, and the contained items that its body has', async () => {
    const put = async (body: unknown): Promise<number> => (await send('/orders/1', { method: 'PUT', body })).status
    expect(await put({ lines: [{ no: 1, sku: 'new' }, line(3)] })).toBe(200)
    const lines = [
      { no: 1, sku: 'new', parts: [{ name: 'p' }] },
      { no: 3, sku: 's3' },
    ]
    expect(await read()).toMatchObject({ note: null, lines })
    expect(await put({ note: 'm' })).toBe(200)
    expect(await read()).toMatchObject({ note: 'm', lines })
    expect(await put({ address: { street: 'A' }, 'lines@odata.delta': [{ no: 3, '@removed': {} }] })).toBe(200)
    expect(await read()).toMatchObject({ note: null, lines: lines.slice(0, 1), address: { street: 'A' } })
    expect(await put({ note: 'z', lines: [{ no: 5 }] })).toBe(400)
    expect(await read()).toMatchObject({ note: null, lines: lines.slice(0, 1) })
  })

  it('one contained item is created, changed and deleted', async () => {
    expect(await patch({ address: { street: 'A', city: 'C' } })).toBe(200)
    expect(await patch({ address: { street: 'B' } })).toBe(200)
    expect(await read()).toMatchObject({ address: { street: 'B', city: 'C' } })
    expect(await patch({ address: null })).toBe(200)
    expect(await read()).toMatchObject({ address: null })
  })

  describe('relations that do not contain their items', () => {
    const show = async (): Promise<unknown> =>
      (await send('/orders/1?$expand=tags($select=name;$orderby=name),buyer($select=name),seller($select=name)')).json
    const names = (...all: string[]): object[] => all.map(name => ({ name }))

    beforeEach(async () => {
      const { json } = await send('/tags')
      const tags = Array.isArray(Object(json).value) ? Object(json).value : []
      for (const { name } of tags) await send(`/tags/${name}`, { method: 'DELETE' })
      for (const name of ['a', 'b', 'c']) {
        expect((await send('/tags', { method: 'POST', body: { name, note: name } })).status).toBe(201)
        await send(`/people/${name}`, { method: 'DELETE' })
        expect((await send('/people', { method: 'POST', body: { name } })).status).toBe(201)
      }
      await send('/people/new', { method: 'DELETE' })
      expect(await patch({ tags: [{ '@odata.id': 'tags/a' }, { '@id': 'http://service.test/v1/tags/b' }] })).toBe(200)
    })

    it('a list links its items, creates new ones, and unlinks the others', async () => {
      expect(await show()).toMatchObject({ tags: names('a', 'b') })
      expect(await patch({ tags: [{ name: 'b', note: 'changed' }, { '@odata.id': 'tags/c' }, { name: 'd' }] })).toBe(
        200,
      )
      expect(await show()).toMatchObject({ tags: names('b', 'c', 'd') })
      expect((await send('/tags/b')).json).toMatchObject({ note: 'changed' })
      expect((await send('/tags/c')).json).toMatchObject({ note: 'c' })
      expect((await send('/tags/a')).status).toBe(200)
      expect(await patch({ tags: [] })).toBe(200)
      expect(await show()).toMatchObject({ tags: [] })
      expect((await send('/tags/d')).status).toBe(200)
    })

    it('a delta links, changes and unlinks the items that it names, and no others', async () => {
      const delta = [
        { '@odata.id': 'tags/a', '@removed': { reason: 'changed' } },
        { '@odata.id': 'tags/c', note: 'new' },
        { name: 'd' },
      ]
      expect(await patch({ 'tags@odata.delta': delta })).toBe(200)
      expect(await show()).toMatchObject({ tags: names('b', 'c', 'd') })
      expect((await send('/tags/c')).json).toMatchObject({ note: 'new' })
      expect(await patch({ 'tags@delta': [{ name: 'b', '@removed': {} }] })).toBe(200)
      expect(await show()).toMatchObject({ tags: names('c', 'd') })
      expect((await send('/tags/b')).status).toBe(200)
    })

    it('one item is linked, changed, replaced and unlinked', async () => {
      expect(await patch({ buyer: { '@odata.id': 'people/a' }, seller: { '@odata.id': 'people/b' } })).toBe(200)
      expect(await show()).toMatchObject({ buyer: { name: 'a' }, sellerName: 'b', seller: { name: 'b' } })
      expect(await patch({ buyer: { name: 'b', note: 'x' }, seller: { name: 'new' } })).toBe(200)
      expect(await show()).toMatchObject({ buyer: { name: 'b' }, sellerName: 'new', seller: { name: 'new' } })
      expect((await send('/people/b')).json).toMatchObject({ note: 'x' })
      expect(await patch({ buyer: null, seller: null })).toBe(200)
      expect(await show()).toMatchObject({ buyer: null, sellerName: null, seller: null })
    })

    it('a nested new item links its own items', async () => {
      const lines = [{ no: 7, sku: 's7', parts: [{ name: 'p' }], labels: [{ '@odata.id': 'tags/a' }, { name: 'b' }] }]
      expect(await patch({ 'lines@odata.delta': lines })).toBe(200)
      const { json } = await send(
        '/orders/1?$expand=lines($orderby=no;$expand=labels($select=name),parts($select=name))',
      )
      const { lines: read } = Object(json)
      expect(read).toMatchObject([{ no: 1 }, { no: 2 }, { no: 7, labels: names('a', 'b'), parts: names('p') }])
    })

    it('a create links items in lists and single relations, beside new ones', async () => {
      await send('/orders/1', { method: 'DELETE' })
      const tags = [{ '@odata.id': 'tags/a' }, { name: 'd' }, { '@id': 'http://service.test/v1/tags/c' }]
      const lines = [{ no: 1, sku: 's1', labels: [{ '@odata.id': 'tags/b' }] }]
      const body = { id: 1, tags, lines, buyer: { '@odata.id': 'people/a' }, seller: { '@odata.id': 'people/b' } }
      expect((await send('/orders', { method: 'POST', body })).status).toBe(201)
      expect(await show()).toMatchObject({
        tags: names('a', 'c', 'd'),
        buyer: { name: 'a' },
        sellerName: 'b',
        seller: { name: 'b' },
      })
      const { json } = await send('/orders/1?$expand=lines($expand=labels($select=name))')
      expect(json).toMatchObject({ lines: [{ no: 1, labels: names('b') }] })
      expect((await send('/tags/a')).json).toMatchObject({ note: 'a' })
    })

    it.each<readonly [string, object]>([
      ['no item has the URL', { tags: [{ name: 'e' }, { '@odata.id': 'tags/none' }] }],
      ['the URL is that of another type', { tags: [{ name: 'e' }, { '@odata.id': 'people/a' }] }],
      ['the URL is a number', { tags: [{ '@odata.id': 5 }] }],
      ['a contained item is a link', { lines: [{ '@odata.id': 'tags/a' }] }],
    ])('a create stores nothing if %s', async (_, body) => {
      expect((await send('/orders', { method: 'POST', body: { id: 2, ...body } })).status).toBe(400)
      expect((await send('/orders/2')).status).toBe(404)
      expect((await send('/tags/e')).status).toBe(404)
    })

    it('values need the scopes of the paths that change such items, and links do not', async () => {
      expect(await patch({ guards: [{ name: 'x', note: 'changed' }] })).toBe(403)
      expect(await patch({ guards: [{ '@odata.id': 'guards/x', note: 'changed' }] })).toBe(403)
      expect(await patch({ guards: [{ '@odata.id': 'guards/x' }] })).toBe(200)
      expect((await send('/guards/x')).json).toMatchObject({ note: null })
    })

    it.each<readonly [string, object]>([
      ['no item has the URL', { tags: [{ '@odata.id': 'tags/none' }] }],
      ['the URL is that of another type', { tags: [{ '@odata.id': 'people/a' }] }],
      ['the URL is a number', { tags: [{ '@odata.id': 5 }] }],
      ['a delta deletes an item', { 'tags@odata.delta': [{ name: 'a', '@removed': { reason: 'deleted' } }] }],
      ['an item can be changed by no path', { secrets: [{ name: 'x', note: 'y' }] }],
      ['a property does not exist', { tags: [{ name: 'a', size: 1 }] }],
    ])('nothing changes if %s', async (_, body) => {
      const before = await show()
      expect(await patch({ note: 'z', ...body })).toBe(400)
      expect(await show()).toEqual(before)
    })
  })

  it.each<readonly [string, unknown, number]>([
    ['a new item lacks a required property', { note: 'z', lines: [line(1), { no: 5 }] }, 400],
    [
      'a new item lacks a required member of a complex value',
      { note: 'z', lines: [line(5, { place: { row: 1 } })] },
      400,
    ],
    ['a value has the wrong type', { note: 'z', 'lines@odata.delta': [{ no: 1, sku: 5 }] }, 400],
    ['a property does not exist', { note: 'z', 'lines@odata.delta': [{ no: 1, size: 5 }] }, 400],
    ['two items have one unique value', { note: 'z', 'lines@odata.delta': [{ no: 1, sku: 's2' }] }, 409],
    ['the list is an object', { note: 'z', lines: { no: 1 } }, 400],
  ])('nothing changes if %s', async (_, body, status) => {
    const before = await read()
    expect(await patch(body)).toBe(status)
    expect(await read()).toEqual(before)
  })
})
