import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { openService, type TestedService } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: shop, namespace: shop, version: v1 }
authentication: { scheme: none }
resources:
  order:
    kind: entityType
    key: [id]
    entityTag: weak
    properties:
      id: { type: Int32 }
      placed: { type: Date }
      state: { type: state }
      total: { type: Decimal, scale: variable }
      note: { type: String, nullable: true }
      days: { type: Date, collection: true }
      address: { type: address, nullable: true }
      stops: { type: address, collection: true }
    navigation: { lines: { to: line, collection: true, contained: true }, buyer: { to: person, nullable: true } }
  line: { kind: entityType, key: [number], properties: { number: { type: Int16 }, what: { type: String } } }
  person: { kind: entityType, key: [name], properties: { name: { type: String } } }
  member: { kind: entityType, base: person, properties: { since: { type: Date } } }
  address: { kind: complexType, properties: { street: { type: String }, number: { type: Int32 } } }
  state: { kind: enumType, members: { open: 0, closed: 1 } }
container: { orders: { entitySet: order }, people: { entitySet: person } }
queryOptions: { all: { select: true, count: true, expand: { maxDepth: 2, nested: [select, count] } } }
paths:
  /orders: { get: { returns: collection, query: all }, post: { creates: order } }
  /orders/{id}: { get: { returns: item, query: all } }
  /orders/{id}/lines: { get: { returns: collection, query: all }, post: { creates: line } }
  /orders/{id}/buyer: { get: { returns: item, query: all } }
  /people: { get: { returns: collection, query: all } }
  /people/{name}: { get: { returns: item, query: all } }
errors: {}
`
const root = 'http://service.test/v1'
const order = {
  id: 1,
  placed: '2024-01-02',
  state: 'open',
  total: 1.5,
  note: null,
  days: ['2024-01-03'],
  address: { street: 'a', number: 1 },
  stops: [{ street: 'b', number: 2 }],
}

let service: TestedService
beforeAll(async () => {
  const { service: model } = loadSpecText(spec, 'shop.yaml')
  if (model === undefined) throw new Error('The spec has errors.')
  service = await openService(model, 'sqlite::memory:', [
    { type: 'member', properties: { name: "Ada's", since: '2020-01-01' } },
    {
      type: 'order',
      properties: order,
      links: { buyer: [["Ada's"]] },
      contained: { lines: [{ type: 'line', properties: { number: 7, what: 'tea' } }] },
    },
  ])
})
afterAll(() => service.reference.close())

const get = async (path: string, accept = 'application/json;odata.metadata=full') => {
  const { status, json, headers } = await service.request(path, { headers: { accept } })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain(accept.includes('full') ? 'odata.metadata=full' : 'minimal')
  return { ...Object(json) }
}

const full = {
  '@odata.type': '#shop.order',
  '@odata.id': `${root}/orders(1)`,
  '@odata.etag': expect.stringMatching(/^W/),
  '@odata.editLink': `${root}/orders(1)`,
  'lines@odata.navigationLink': `${root}/orders(1)/lines`,
  'buyer@odata.navigationLink': `${root}/orders(1)/buyer`,
  'id@odata.type': '#Int32',
  id: 1,
  'placed@odata.type': '#Date',
  placed: '2024-01-02',
  'state@odata.type': '#shop.state',
  state: 'open',
  'total@odata.type': '#Decimal',
  total: 1.5,
  note: null,
  'days@odata.type': '#Collection(Date)',
  days: ['2024-01-03'],
  address: { '@odata.type': '#shop.address', street: 'a', 'number@odata.type': '#Int32', number: 1 },
  'stops@odata.type': '#Collection(shop.address)',
  stops: [{ '@odata.type': '#shop.address', street: 'b', 'number@odata.type': '#Int32', number: 2 }],
}

it('full metadata has types, ids and links, of lists and items', async () => {
  expect((await get('/orders'))['value']).toEqual([full])
  expect(await get('/orders/1')).toEqual({ '@odata.context': `${root}/$metadata#orders/$entity`, ...full })
  expect((await get('/orders?$format=application/json;metadata=full', '*/*;full'))['value']).toEqual([full])
})

it('full metadata names the derived type and the address of related items', async () => {
  const ada = {
    '@odata.type': '#shop.member',
    '@odata.id': `${root}/people('Ada''s')`,
    '@odata.editLink': `${root}/people('Ada''s')`,
    name: "Ada's",
    'since@odata.type': '#Date',
    since: '2020-01-01',
  }
  const line = {
    '@odata.type': '#shop.line',
    '@odata.id': `${root}/orders(1)/lines(7)`,
    '@odata.editLink': `${root}/orders(1)/lines(7)`,
    'number@odata.type': '#Int16',
    number: 7,
    what: 'tea',
  }
  expect(await get('/orders/1?$select=note&$expand=buyer,lines($count=true)')).toMatchObject({
    note: null,
    buyer: ada,
    lines: [line],
    'lines@odata.count': 1,
  })
  expect(await get('/orders/1/buyer')).toMatchObject(ada)
  expect((await get('/orders/1/lines'))['value']).toEqual([line])
})

it.each([
  ['/orders?$select=note', { '@odata.id': `${root}/orders(1)`, '@odata.etag': expect.any(String), note: null }],
  ['/orders?$select=id,note', { '@odata.etag': expect.any(String), id: 1, note: null }],
  ['/orders/1/lines?$select=what', { '@odata.id': `${root}/orders(1)/lines(7)`, what: 'tea' }],
  [
    '/orders?$select=id&$expand=lines($select=what),buyer($select=shop.member/since)',
    {
      '@odata.etag': expect.any(String),
      id: 1,
      lines: [{ '@odata.id': `${root}/orders(1)/lines(7)`, what: 'tea' }],
      buyer: { '@odata.type': '#shop.member', '@odata.id': `${root}/people('Ada''s')`, since: '2020-01-01' },
    },
  ],
])('minimal metadata has the id of items without their keys: %s', async (path, expected) => {
  expect((await get(path, 'application/json'))['value']).toEqual([expected])
})

it('has no ids without metadata', async () => {
  const { json } = await service.request('/orders?$select=note', {
    headers: { accept: 'application/json;metadata=none' },
  })
  expect(json).toEqual({ value: [{ note: null }] })
})

it.each(['odata=verbose', 'odata.metadata=some', 'version=1'])('refuses the format parameter %s', async parameter => {
  const format = `application/json;${parameter}`
  expect((await service.request('/orders', { headers: { accept: format } })).status).toBe(406)
  expect((await service.request(`/orders?$format=${format}`)).status).toBe(406)
})
