import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import {
  type BothEngines,
  memberOf,
  openBoth,
  type RequestOptions,
  type TestResponse,
} from '../testing/test-service.js'

const [isbn, other, third] = ['9780000000001', '9780000000002', '9780000000003']
const address = { street: 'S', city: 'C', postalCode: '1', country: { code: 'DE', name: null } }
const authors = ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002']
const records = [
  { type: 'book', properties: { isbn: other, title: 'Other' } },
  { type: 'branch', properties: { code: 'MAIN', name: 'Main', address } },
  ...authors.map(id => ({ type: 'author', properties: { id, name: { family: id.slice(-1) } } })),
]

let both: BothEngines
beforeAll(async () => {
  const text = await readFile('spec/library.yaml', 'utf8')
  const { service } = loadSpecText(text, 'spec/library.yaml')
  if (service === undefined) throw new Error('The Library has errors.')
  both = await openBoth(service, records)
})
afterAll(() => both.stop())

describe.each(['sqlite', 'postgres'] as const)('relations on %s:', engine => {
  const send = (path: string, options?: RequestOptions): Promise<TestResponse> =>
    both.services[engine].request(path, options)
  const any = { 'if-match': '*' }
  const expanded = async (relations: string): Promise<unknown> =>
    (await send(`/books/${isbn}?$select=prequelIsbn&$expand=${relations}`)).json

  beforeEach(async () => {
    for (const path of [
      `/copies(isbn=${isbn},number=1)`,
      `/copies(isbn=${isbn},number=2)`,
      `/books/${isbn}`,
      `/books/${third}`,
    ])
      await send(path.replace(/isbn=(\d+)/, "isbn='$1'"), { method: 'DELETE', headers: any })
  })

  it('a create links the items that it names', async () => {
    const body = {
      isbn,
      title: 'New',
      'prequel@odata.bind': `books('${other}')`,
      'authors@odata.bind': [`/v1/authors(${authors[0]})`, `http://service.test/v1/authors/${authors[1]}`],
    }
    expect((await send('/books', { method: 'POST', body })).status).toBe(201)
    expect(await expanded('prequel($select=isbn),authors($select=id)')).toMatchObject({
      prequelIsbn: other,
      prequel: { isbn: other },
      authors: [{ id: authors[0] }, { id: authors[1] }],
    })
  })

  it('a create contains related items, at any depth', async () => {
    const body = {
      isbn,
      title: 'New',
      reviews: [{ stars: 5, text: 'Good' }],
      copies: [{ number: 1, acquired: '2024-01-01', 'branch@odata.bind': "branches('MAIN')" }],
      prequel: { isbn: third, title: 'Before', reviews: [{ stars: 1 }] },
    }
    const created = await send('/books', { method: 'POST', body })
    expect({ status: created.status, text: created.text }).toMatchObject({ status: 201 })
    expect(
      await expanded('prequel($expand=reviews($select=stars)),copies($select=number,branchCode),reviews($select=text)'),
    ).toMatchObject({
      prequel: { isbn: third, reviews: [{ stars: 1 }] },
      copies: [{ number: 1, branchCode: 'MAIN' }],
      reviews: [{ text: 'Good' }],
    })
  })

  it('a create that fails in a related item stores nothing', async () => {
    const body = { isbn, title: 'New', prequel: { isbn: other, title: 'Exists' } }
    expect((await send('/books', { method: 'POST', body })).status).toBe(409)
    expect((await send(`/books/${isbn}`)).status).toBe(404)
  })

  it.each([
    ['an unknown item', { 'prequel@odata.bind': "books('9780000000099')" }],
    ['an item of another type', { 'prequel@odata.bind': "branches('MAIN')" }],
    ['something that is no URL', { 'prequel@odata.bind': 7 }],
    ['one item for a collection', { 'authors@odata.bind': `authors(${authors[0]})` }],
    ['a contained relation', { 'reviews@odata.bind': ['reviews(1)'] }],
    ['an invalid related item', { reviews: [{ stars: 9 }] }],
  ])('a create with %s is refused', async (_, members) => {
    const { status } = await send('/books', { method: 'POST', body: { isbn, title: 'New', ...members } })
    expect(status).toBe(400)
    expect((await send(`/books/${isbn}`)).status).toBe(404)
  })

  it('links are read, added, replaced and removed by $ref', async () => {
    await send('/books', { method: 'POST', body: { isbn, title: 'New' } })
    const [first, second] = authors.map(id => `authors(${id})`)
    const book = `/books/${isbn}`
    const link = (id: string | undefined): RequestOptions => ({ body: { '@odata.id': id }, headers: any })
    const ids = async (path: string): Promise<unknown> => memberOf((await send(path)).json, 'value')
    for (const id of [first, second])
      expect((await send(`${book}/authors/$ref`, { method: 'POST', ...link(id) })).status).toBe(204)
    expect(await ids(`${book}/authors/$ref`)).toEqual([
      { '@odata.id': `http://service.test/v1/${first}` },
      { '@odata.id': `http://service.test/v1/${second}` },
    ])
    const removed = await send(`${book}/authors/$ref?$id=${encodeURIComponent(`http://service.test/v1/${first}`)}`, {
      method: 'DELETE',
      headers: any,
    })
    expect(removed.status).toBe(204)
    expect((await send(`${book}/authors(${authors[1]})/$ref`, { method: 'DELETE', headers: any })).status).toBe(204)
    expect(await ids(`${book}/authors/$ref`)).toEqual([])
    expect((await send(`${book}/prequel/$ref`, { method: 'PUT', ...link(`books('${other}')`) })).status).toBe(204)
    expect((await send(`${book}/prequel/$ref`)).json).toEqual({
      '@odata.context': 'http://service.test/v1/$metadata#$ref',
      '@odata.id': `http://service.test/v1/books('${other}')`,
    })
    expect((await send(`${book}/prequel/$ref`, { method: 'DELETE', headers: any })).status).toBe(204)
    expect(await expanded('prequel')).toMatchObject({ prequelIsbn: null, prequel: null })
  })

  it('the URLs of items are read by $ref, and $entity leads from a URL to its item', async () => {
    const url = `http://service.test/v1/books('${other}')`
    expect((await send(`/books/${other}/$ref`)).json).toEqual({
      '@odata.context': 'http://service.test/v1/$metadata#$ref',
      '@odata.id': url,
    })
    const filter = `$filter=isbn eq '${other}'`
    expect(memberOf((await send(`/books/$ref?${filter}&$count=true`)).json, 'value')).toEqual([{ '@odata.id': url }])
    for (const option of ['$select=title', '$expand=authors'])
      expect((await send(`/books/$ref?${option}`)).status).toBe(501)
    for (const id of [url, `books('${other}')`, `/v1/books/${other}`]) {
      const found = await send(`/$entity?$id=${encodeURIComponent(id)}&$select=title`)
      expect(found.json).toMatchObject({ '@odata.context': expect.stringContaining('#books(title)/$entity') })
    }
    for (const [query, status] of [
      ['', 400],
      ['?$id=', 400],
      ['?$id=http%3A%2F%2Fother.test%2Fv1%2Fbooks(1)', 400],
      ['?$id=%24entity', 400],
      ['?$id=nothing(1)', 404],
    ] as const)
      expect([query, (await send(`/$entity${query}`)).status]).toEqual([query, status])
  })

  it('an update of an absent item creates it, unless a condition forbids it', async () => {
    const path = `/books/${third}`
    const put = (headers: Readonly<Record<string, string>>, method = 'PUT'): Promise<TestResponse> =>
      send(path, { method, body: { title: 'Put' }, headers })
    expect((await put(any)).status).toBe(412)
    const created = await put({ 'if-none-match': '*' })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`http://service.test/v1${path}`)
    expect(created.json).toMatchObject({ isbn: third, title: 'Put', language: 'en' })
    expect((await put({ 'if-none-match': '*' })).status).toBe(412)
    expect((await put(any, 'PATCH')).status).toBe(200)
    const none = { 'if-none-match': '*' }
    const member = '/members/00000000-0000-0000-0000-00000000000a'
    const branch = { method: 'PATCH', body: { name: 'Incomplete' }, headers: none }
    expect((await send('/branches/NEW', branch)).status).toBe(400)
    const body = { name: { family: 'F' } }
    // The service computes the key of a member. OData Protocol 4.01, 11.4.4
    expect((await send(member, { method: 'PATCH', body, headers: none })).status).toBe(404)
    expect((await send(member)).status).toBe(404)
  })

  it.each([
    [
      'a link to an unknown item',
      'POST',
      'authors/$ref',
      { '@odata.id': 'authors(00000000-0000-0000-0000-000000000009)' },
      400,
    ],
    ['a body without a URL', 'POST', 'authors/$ref', {}, 400],
    ['a replacement of a collection', 'PUT', 'authors/$ref', { '@odata.id': `authors(${authors[0]})` }, 405],
    ['links of contained items', 'POST', 'reviews/$ref', { '@odata.id': 'reviews(1)' }, 405],
    ['a removal without a URL', 'DELETE', 'authors/$ref', undefined, 400],
    ['links of an unknown relation', 'GET', 'friends/$ref', undefined, 404],
  ])('%s is refused', async (_, method, path, body, status) => {
    expect((await send(`/books/${other}/${path}`, { method, body, headers: any })).status).toBe(status)
  })

  const absent = 'authors(00000000-0000-0000-0000-000000000009)'
  const link = { '@odata.id': absent }
  it.each([
    ['POST', 'authors/$ref', link, 'linked'],
    ['DELETE', `authors/$ref?$id=${absent}`, undefined, 'unlinked'],
    ['DELETE', `${absent}/$ref`, undefined, 'unlinked'],
    ['PATCH', '', { 'authors@odata.delta': [link] }, 'linked'],
    ['PATCH', '', { 'authors@odata.delta': [{ ...link, '@removed': {} }] }, 'unlinked'],
  ])('the message of a refused %s %s says what was attempted', async (method, path, body, attempt) => {
    const url = `/books/${other}${path === '' ? '' : `/${path}`}`
    const answer = await send(url, { method, body, headers: any })
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining(`cannot be ${attempt}: there is no author`),
    ])
  })
})

// A relation that is a part of the key of an item, as in metadata of SAP: an item never changes its order.
const orders = `
specwright: 1
service: { name: orders, version: v1 }
resources:
  order:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32, createOnly: true }, note: { type: String, nullable: true } }
    navigation: { items: { to: item, collection: true, partner: order } }
  item:
    kind: entityType
    key: [orderId, number]
    properties: { orderId: { type: Int32, createOnly: true, required: false }, number: { type: Int32, createOnly: true } }
    navigation: { order: { to: order, nullable: true, partner: items, constraint: { orderId: id } } }
container: { orders: { entitySet: order }, items: { entitySet: item } }
paths:
  /orders: { post: { creates: order } }
  /orders({id}): { patch: { updates: item } }
  /orders({id})/items: { get: { returns: collection } }
  /items: { get: { returns: collection }, post: { creates: item } }
features: { bind: required, references: required, deepInsert: required, deepUpdate: required }
errors: {}
`

describe('a link that a key depends on', () => {
  let engines: BothEngines
  beforeAll(async () => {
    const { service } = loadSpecText(orders, 'orders.yaml')
    if (service === undefined) throw new Error('The spec has no errors.')
    engines = await openBoth(service, [])
  })
  afterAll(() => engines.stop())

  it.each(['sqlite', 'postgres'] as const)('can be set by a create and never changes, on %s', async engine => {
    const send = (method: string, path: string, body?: object): Promise<TestResponse> =>
      engines.services[engine].request(path, { method, ...(body === undefined ? {} : { body }) })
    const statuses: number[] = []
    const tried = async (method: string, path: string, body: object): Promise<void> => {
      statuses.push((await send(method, path, body)).status)
    }
    await tried('POST', '/orders', { id: 1 })
    await tried('POST', '/items', { number: 1, 'order@odata.bind': 'orders(1)' })
    await tried('POST', '/orders', { id: 2, items: [{ number: 7 }] })
    await tried('PATCH', '/orders(1)', { note: 'same', items: [{ '@odata.id': 'items(orderId=1,number=1)' }] })
    expect(statuses).toEqual([201, 201, 201, 200])
    const url = 'items(orderId=1,number=1)'
    statuses.length = 0
    await tried('POST', '/orders', { id: 3, 'items@odata.bind': [url] })
    await tried('POST', '/orders', { id: 3, items: [{ '@odata.id': url }] })
    await tried('PATCH', '/orders(2)', { 'items@odata.delta': [{ '@odata.id': url }] })
    await tried('POST', '/orders(2)/items/$ref', { '@odata.id': url })
    expect(statuses).toEqual([400, 400, 400, 400])
    expect((await send('GET', '/items')).json).toMatchObject({
      value: [
        { orderId: 1, number: 1 },
        { orderId: 2, number: 7 },
      ],
    })
  })
})

// The item that contains another one determines its foreign key.
const drafts = `
specwright: 1
service: { name: drafts, version: v1 }
resources:
  root:
    kind: entityType
    key: [id, isActive]
    properties: { id: { type: Int32, createOnly: true }, isActive: { type: Boolean, createOnly: true } }
    navigation: { parts: { to: part, collection: true, contained: true, partner: root } }
  part:
    kind: entityType
    key: [number]
    properties: { number: { type: Int32, createOnly: true }, rootId: { type: Int32, nullable: true } }
    navigation: { root: { to: root, nullable: true, partner: parts, constraint: { rootId: id } } }
container: { roots: { entitySet: root } }
paths:
  /roots: { get: { returns: collection, query: { expand: { maxDepth: 2, nested: [expand] } } }, post: { creates: root } }
  /roots(id={id},isActive={isActive})/parts: { post: { creates: part } }
features: { deepInsert: required }
errors: {}
`

describe('a foreign key of a contained item', () => {
  let engines: BothEngines
  beforeAll(async () => {
    const { service } = loadSpecText(drafts, 'drafts.yaml')
    if (service === undefined) throw new Error('The spec has no errors.')
    engines = await openBoth(service, [])
  })
  afterAll(() => engines.stop())

  it.each(['sqlite', 'postgres'] as const)('is that of the item that contains it, on %s', async engine => {
    const send = (method: string, path: string, body?: object): Promise<TestResponse> =>
      engines.services[engine].request(path, { method, ...(body === undefined ? {} : { body }) })
    await send('POST', '/roots', { id: 3, isActive: false, parts: [{ number: 1 }] })
    expect(await send('POST', '/roots(id=3,isActive=false)/parts', { number: 2 })).toMatchObject({
      status: 201,
      json: { number: 2, rootId: 3 },
    })
    expect((await send('GET', '/roots?$expand=parts($expand=root)')).json).toMatchObject({
      value: [
        {
          id: 3,
          parts: [
            { number: 1, rootId: 3, root: { id: 3, isActive: false } },
            { number: 2, rootId: 3, root: { id: 3, isActive: false } },
          ],
        },
      ],
    })
  })
})

const shops = `
specwright: 1
service: { name: shops, version: v1 }
authentication: { scheme: none }
resources:
  shop: { kind: entityType, key: [no], properties: { no: { type: Int32 } }, navigation: { offers: { to: offer, collection: true }, others: { to: offer, collection: true }, best: { to: offer, nullable: true } } }
  offer: { kind: entityType, key: [name], properties: { name: { type: String } } }
container:
  shops: { entitySet: shop, bindings: { offers: oldOffers, best: oldOffers } }
  newOffers: { entitySet: offer }
  oldOffers: { entitySet: offer }
paths:
  /shops: { post: { creates: shop } }
  /shops/{no}: { get: { returns: item } }
  /shops/{no}/offers: { get: { returns: collection }, post: { creates: offer } }
  /shops/{no}/others: { get: { returns: collection }, post: { creates: offer } }
  /shops/{no}/best: { get: { returns: item } }
  /newOffers: { post: { creates: offer } }
  /newOffers/{name}: { get: { returns: item } }
  /oldOffers: { post: { creates: offer } }
  /oldOffers/{name}: { get: { returns: item } }
errors: {}
features: { bind: optional, references: optional }
`

describe('if several entity sets have the type of a relation', () => {
  let engines: BothEngines
  beforeAll(async () => {
    const { service } = loadSpecText(shops, 'shops.yaml')
    if (service === undefined) throw new Error('The spec has no errors.')
    engines = await openBoth(service, [])
  })
  afterAll(() => engines.stop())

  it.each(['sqlite', 'postgres'] as const)(
    'Location, URLs and context lead to the set that it is bound to, on %s',
    async engine => {
      const { request } = engines.services[engine]
      const root = 'http://service.test/v1'
      const created = async (path: string, body: object): Promise<string> =>
        String((await request(path, { method: 'POST', body })).headers.get('location'))
      await created('/shops', { no: 1 })
      expect(await created('/newOffers', { name: 'a' })).toBe(`${root}/newOffers/a`)
      expect(await created('/oldOffers', { name: 'b' })).toBe(`${root}/oldOffers/b`)
      expect(await created('/shops/1/offers', { name: 'c' })).toBe(`${root}/oldOffers/c`)
      // Without a binding, the first set of the type.
      expect(await created('/shops/1/others', { name: 'd' })).toBe(`${root}/newOffers/d`)
      for (const name of ['newOffers/a', 'oldOffers/b', 'oldOffers/c', 'newOffers/d'])
        expect((await request(`/${name}`)).status).toBe(200)
      await created('/shops', { no: 2, 'best@odata.bind': 'oldOffers/b' })
      for (const [path, context, value] of [
        ['/shops/1/offers', 'Collection($ref)', [{ '@odata.id': `${root}/oldOffers('c')` }]],
        ['/shops/1/others', 'Collection($ref)', [{ '@odata.id': `${root}/newOffers('d')` }]],
        ['/shops/2/best', '$ref', undefined],
      ] as const) {
        const { json } = await request(`${path}/$ref`)
        expect(json).toEqual({
          '@odata.context': `${root}/$metadata#${context}`,
          ...(value === undefined ? { '@odata.id': `${root}/oldOffers('b')` } : { value }),
        })
      }
      expect((await request('/shops/1/offers')).json).toMatchObject({ '@odata.context': `${root}/$metadata#oldOffers` })
    },
  )
})
