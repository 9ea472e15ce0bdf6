import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type BothEngines, openBoth, type RequestOptions, type TestResponse } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: shop, version: v1 }
resources:
  product:
    kind: entityType
    key: [id]
    entityTag: weak
    alternateKeys: [[code], [country, number]]
    properties:
      id: { type: Int32, createOnly: true }
      code: { type: String, nullable: true, unique: true }
      country: { type: String, nullable: true }
      number: { type: Int32, nullable: true }
      makerId: { type: Int32, nullable: true }
    navigation: { parts: { to: part, collection: true, contained: true }, twin: { to: product, nullable: true }, others: { to: product, collection: true }, maker: { to: product, nullable: true, constraint: { makerId: id } } }
  part: { kind: entityType, key: [no], alternateKeys: [[label]], properties: { no: { type: Int32 }, label: { type: String, unique: true } } }
  label: { kind: entityType, key: [id], alternateKeys: [[text]], properties: { id: { type: String, computed: true }, text: { type: String, unique: true } } }
  shop: { kind: entityType, key: [no], properties: { no: { type: Int32 }, logo: { type: Stream, nullable: true } }, navigation: { offers: { to: offer, collection: true } } }
  offer: { kind: entityType, key: [name], properties: { name: { type: String } } }
container: { products: { entitySet: product }, labels: { entitySet: label }, shops: { entitySet: shop }, offers: { entitySet: offer } }
paths:
  /products: { get: { returns: collection, query: { select: true } }, post: { creates: product } }
  /products/{id}: { get: { returns: item, query: { select: true, expand: true } }, patch: { updates: item }, delete: { deletes: item } }
  /products(code={code}): { get: { returns: item, query: { select: true } }, patch: { updates: item }, put: { updates: item }, delete: { deletes: item } }
  /labels(text={text}): { get: { returns: item }, patch: { updates: item }, put: { updates: item }, delete: { deletes: item } }
  /products(country={country},number={number}): { get: { returns: item } }
  /products(code={code})/parts: { get: { returns: collection }, post: { creates: part } }
  /products(code={code})/parts(label={label}): { get: { returns: item } }
  /products(code={code})/parts/{no}: { get: { returns: item } }
  /shops: { post: { creates: shop } }
  /shops({no}): { get: { returns: item } }
  /shops({no})/logo: { get: { returns: stream } }
  /shops({no})/offers: { get: { returns: collection }, post: { creates: offer } }
  /offers({name}): { get: { returns: item } }
errors: {}
features: { propertyPaths: optional, upsert: optional, bind: optional, references: optional }
`

const product = (id: number, code: string | null, country: string | null, number: number | null) => ({
  type: 'product',
  properties: { id, code, country, number },
  contained: { parts: [{ type: 'part', properties: { no: 1, label: 'a' } }] },
})

let both: BothEngines
beforeAll(async () => {
  const { service } = loadSpecText(spec, 'shop.yaml')
  if (service === undefined) throw new Error('The shop has errors.')
  both = await openBoth(service, [
    product(1, "o'x", 'DE', 1),
    product(2, 'B', 'DE', 2),
    product(3, null, 'FR', 1),
    product(4, 'null', 'FR', null),
  ])
})
afterAll(() => both.stop())

describe.each(['sqlite', 'postgres'] as const)('alternate keys on %s:', engine => {
  const send = (path: string, options?: RequestOptions): Promise<TestResponse> =>
    both.services[engine].request(path, options)

  it.each([
    ["/products(code='o''x')", { id: 1 }],
    ["/products(code='B')", { id: 2 }],
    ["/products(code='null')", { id: 4 }],
    ["/products(country='FR',number=1)", { id: 3 }],
    ["/products(number=2,country='DE')", { id: 2 }],
    ["/products(code='B')/country", { value: 'DE' }],
    ["/products(code='B')/parts(label='a')", { no: 1 }],
    ["/products(code='B')/parts(1)", { label: 'a' }],
  ])('%s leads to the item with these values', async (path, expected) => {
    expect(await send(path)).toMatchObject({ status: 200, json: expected })
  })

  it('an alternate key names the item in a link', async () => {
    const shown = async () => (await send('/products/3?$select=id&$expand=twin($select=id),others($select=id)')).json
    const body = { 'twin@odata.bind': "products(code='B')", 'others@odata.bind': ["products(number=1,country='DE')"] }
    expect((await send('/products/3', { method: 'PATCH', body })).status).toBe(200)
    expect(await shown()).toMatchObject({ twin: { id: 2 }, others: [{ id: 1 }] })
    const other = { '@odata.id': "http://service.test/v1/products(code='null')" }
    expect((await send('/products/3/others/$ref', { method: 'POST', body: other })).status).toBe(204)
    expect(await shown()).toMatchObject({ others: [{ id: 1 }, { id: 4 }] })
    const id = encodeURIComponent("products(code='null')")
    expect((await send(`/products/3/others/$ref?$id=${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await shown()).toMatchObject({ others: [{ id: 1 }] })
    for (const url of ["products(code='none')", 'products(code=1)', "products(color='x')"])
      expect((await send('/products/3', { method: 'PATCH', body: { 'twin@odata.bind': url } })).status, url).toBe(400)
    // The item behind the URL has the value of a dependent property.
    const dependent = { 'maker@odata.bind': "products(code='B')" }
    expect((await send('/products/3', { method: 'PATCH', body: dependent })).json).toMatchObject({ makerId: 2 })
    const created = { id: 9, 'maker@odata.bind': "products(number=1,country='DE')" }
    expect((await send('/products', { method: 'POST', body: created })).json).toMatchObject({ id: 9, makerId: 1 })
    await send('/products/9', { method: 'DELETE' })
    await send('/products/3', { method: 'PATCH', body: { 'twin@odata.bind': null, 'maker@odata.bind': null } })
  })

  it.each([
    ["/products(code='b')", 404],
    ["/products(code='')", 404],
    ['/products(code=null)', 400],
    ["/products(country='FR',number=null)", 400],
    ["/products(country='FR',number='x')", 400],
    ["/products(country='FR')", 404],
    ["/products(code='B',number=2)", 404],
    ["/products(code='none')/parts", 404],
  ])('%s leads to none', async (path, status) => {
    expect((await send(path)).status).toBe(status)
  })

  it('its responses name the item by its key', async () => {
    const { json } = await send("/products(code='B')?$select=country", {
      headers: { accept: 'application/json;odata.metadata=full' },
    })
    expect(json).toMatchObject({
      '@odata.context': 'http://service.test/v1/$metadata#products(country)/$entity',
      '@odata.id': 'http://service.test/v1/products(2)',
    })
    expect((await send("/products(code='B')/parts")).json).toMatchObject({
      '@odata.context': "http://service.test/v1/$metadata#products(code='B')/parts",
    })
  })

  it('changes go to the same item', async () => {
    const body = { country: 'IT' }
    expect((await send("/products(code='B')", { method: 'PATCH', body })).status).toBe(200)
    expect((await send('/products/2')).json).toMatchObject({ country: 'IT', number: 2 })
    expect((await send("/products(code='B')", { method: 'PATCH', body: { country: 'DE' } })).status).toBe(200)
  })

  it('the Location of a new item is a path of the spec, in the form of the spec, also if a relation creates it', async () => {
    const create = async (path: string, body: object): Promise<string | null> =>
      (await send(path, { method: 'POST', body })).headers.get('location')
    expect(await create('/products', { id: 20 })).toBe('http://service.test/v1/products/20')
    expect(await create('/shops', { no: 1 })).toBe('http://service.test/v1/shops(1)')
    const offer = await create('/shops(1)/offers', { name: "o'1/x" })
    expect(offer).toBe("http://service.test/v1/offers('o''1%2Fx')")
    expect((await send(String(offer).replace('http://service.test/v1', ''))).json).toMatchObject({ name: "o'1/x" })
    expect((await send('/products/20', { method: 'DELETE' })).status).toBe(204)
  })

  it.each(['PATCH', 'PUT'])('a %s that finds no item creates one with the alternate key of the path', async method => {
    const path = "/products(code='n(e%2Fw')"
    const body = { id: 9, country: 'IT', code: 'ignored' }
    expect((await send(path, { method, body, headers: { 'if-match': '*' } })).status).toBe(412)
    expect((await send(path, { method, body: { country: 'IT' } })).status).toBe(400)
    const created = await send(path, { method, body, headers: { 'if-none-match': '*' } })
    expect(created).toMatchObject({ status: 201, json: { id: 9, code: 'n(e/w', country: 'IT' } })
    expect(created.headers.get('location')).toBe('http://service.test/v1/products/9')
    expect((await send(path, { method, body, headers: { 'if-none-match': '*' } })).status).toBe(412)
    expect((await send('/products/9')).json).toMatchObject({ code: 'n(e/w' })
    expect((await send('/products/9', { method: 'DELETE' })).status).toBe(204)
    // The key is that of another item.
    expect((await send(path, { method, body: { id: 1 } })).status).toBe(409)
    const computed = "/labels(text='new')"
    const label = await send(computed, { method, body: {}, headers: { prefer: 'return=minimal' } })
    expect(label.status).toBe(204)
    expect(label.headers.get('odata-entityid')).toMatch(/^http:\/\/service\.test\/v1\/labels\/[^/(]+$/)
    expect((await send(computed, { method: 'DELETE' })).status).toBe(204)
  })

  it('no two items have the same values of one', async () => {
    const create = async (body: object): Promise<number> => (await send('/products', { method: 'POST', body })).status
    expect(await create({ id: 9, country: 'DE', number: 2 })).toBe(409)
    expect(await create({ id: 9, code: 'B' })).toBe(409)
    expect(await create({ id: 9, country: 'FR' })).toBe(201)
    expect((await send('/products/9', { method: 'DELETE' })).status).toBe(204)
  })
})
