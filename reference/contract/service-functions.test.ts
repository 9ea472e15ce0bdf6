import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transformations } from '../../runtime/query/index.js'
import {
  type AnyHandler,
  createService,
  type Service as HttpService,
  listRows,
  type Route,
} from '../../runtime/server/index.js'
import { loadSpecText } from '../../spec/language/index.js'
import { buildServiceTable } from '../../spec/language/table/service-table.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { idsOf, itemsOf, type Json, linkOf, openService, type TestedService } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: shop, namespace: shop, version: v1 }
authentication: { scheme: none }
resources:
  maker:
    kind: entityType
    key: [id]
    properties:
      id: { type: String }
      name: { type: String }
      country: { type: String, nullable: true }
  product:
    kind: entityType
    key: [id]
    properties:
      id: { type: Int32 }
      name: { type: String }
      price: { type: Decimal, precision: 12, scale: 2, nullable: true }
      released: { type: Date, nullable: true }
      size: { type: size, nullable: true }
      tags: { type: String, collection: true }
    navigation:
      maker: { to: maker, nullable: true }
      similar: { to: product, collection: true }
  size:
    kind: complexType
    properties: { width: { type: Int32 }, height: { type: Int32, nullable: true } }
operations:
  isCheap:
    kind: function
    binding: product
    parameters: { max: { type: Decimal, precision: 12, scale: 2 } }
    returns: { type: Boolean, nullable: true }
    definition: price le @max
  isOut:
    kind: function
    binding: product
    parameters: { on: { type: Date }, strictly: { type: Boolean, optional: true, nullable: true } }
    returns: { type: Boolean, nullable: true }
    definition: released lt @on or (released eq @on and not (@strictly eq true))
  hasTag:
    kind: function
    binding: product
    parameters: { tag: { type: String } }
    returns: { type: Boolean }
    definition: tags/any(x:x eq @tag) or similar/any(s:s/tags/any(x:x eq @tag))
  label:
    kind: function
    binding: product
    parameters: { end: { type: String } }
    returns: { type: String, nullable: true }
    definition: concat(name,concat(' by ',concat(maker/shop.fullName(),@end)))
  isUnknown:
    kind: function
    binding: maker
    returns: { type: Boolean }
    definition: country eq null
  fullName:
    kind: function
    binding: maker
    returns: { type: String }
    definition: case(shop.isUnknown():name,true:concat(name,concat(', ',country)))
  area:
    kind: function
    binding: size
    returns: { type: Int32, nullable: true }
    definition: width mul height
  twice:
    kind: function
    parameters: { value: { type: Decimal, precision: 20, scale: 2 } }
    returns: { type: Decimal, nullable: true }
    definition: '@value mul 2'
container: { products: { entitySet: product }, makers: { entitySet: maker } }
queryOptions:
  list:
    select: true
    compute: true
    orderby: true
    top: true
    skip: true
    count: true
    expand: { relations: [similar], nested: [filter, select, orderby, compute] }
    apply: { transformations: [filter, aggregate, groupby], groupable: [name] }
    filter:
      operators: [eq, ne, lt, le, gt, ge, and, or, not, add, mul]
      functions:
        [shop.isCheap, shop.isOut, shop.hasTag, shop.label, shop.fullName, shop.isUnknown, shop.area, shop.twice, length]
      lambdas: [any, all]
      properties: { maker: true, similar: true }
paths:
  /products: { get: { returns: collection, query: list } }
  /products/$count: { get: { returns: count, query: list } }
  /products/{id}: { get: { returns: item, query: list } }
  /products/{id}/shop.isCheap(max={max}): { get: { calls: isCheap } }
  /products/{id}/shop.label(end={end}): { get: { calls: label } }
  /twice(value={value}): { get: { calls: twice } }
errors: {}
`

const { service: model, diagnostics } = loadSpecText(spec, 'shop.yaml')
if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
const shop = model

const makers = [
  { id: 'a', name: 'Acme', country: 'FR' },
  { id: 'b', name: 'Bolt', country: null },
]
const products = [
  { id: 1, name: 'axe', price: 9.99, released: '2024-01-01', size: { width: 2, height: 3 }, tags: ['old'] },
  { id: 2, name: 'bow', price: 10, released: '2024-06-01', size: { width: 4, height: null }, tags: ['new', 'red'] },
  { id: 3, name: 'cap', price: null, released: null, size: null, tags: [] },
  { id: 4, name: 'axe', price: 0.01, released: '2024-06-02', size: { width: 10, height: 10 }, tags: ['red'] },
]
const makerOf: Readonly<Record<number, string>> = { 1: 'a', 2: 'b', 4: 'a' }
const similarTo: Readonly<Record<number, readonly number[]>> = { 1: [2], 3: [1, 4] }

const records = [
  ...makers.map(properties => ({ type: 'maker', properties })),
  ...products.map(properties => ({
    type: 'product',
    properties,
    links: {
      ...(makerOf[properties.id] === undefined ? {} : { maker: [[makerOf[properties.id] ?? ''] as const] }),
      similar: (similarTo[properties.id] ?? []).map(id => [id] as const),
    },
  })),
]

const queryText = (options: Readonly<Record<string, string>>): string =>
  new URLSearchParams(options).toString().replaceAll('+', '%20')

/** The query, and the ids of the products that it returns in order. */
const queries: readonly (readonly [name: string, options: Readonly<Record<string, string>>, ids: readonly number[]])[] =
  [
    ['on the item itself', { $filter: '$it/shop.isCheap(max=9.99)' }, [1, 4]],
    ['at the start of a path', { $filter: 'shop.isCheap(max=10)' }, [1, 2, 4]],
    ['that is not true', { $filter: 'not shop.isCheap(max=9.99)' }, [2, 3]],
    ['compared with a value', { $filter: 'shop.isCheap(max=9.99) eq false' }, [2, 3]],
    ['with an alias as its argument', { $filter: 'shop.isCheap(max=@m)', '@m': '1' }, [4]],
    ['with an expression as its argument', { $filter: 'shop.isCheap(max=price add 1) and price gt 5' }, [1, 2]],
    ['without its optional argument', { $filter: 'shop.isOut(on=2024-06-01)' }, [1, 2]],
    ['with its optional argument', { $filter: 'shop.isOut(on=2024-06-01,strictly=true)' }, [1]],
    ['behind a relation', { $filter: 'maker/shop.isUnknown()' }, [2]],
    ['that is unknown without the related item', { $filter: 'not maker/shop.isUnknown()' }, [1, 4]],
    ['that calls another function', { $filter: "maker/shop.fullName() eq 'Acme, FR'" }, [1, 4]],
    ['with lambdas in its definition', { $filter: "shop.hasTag(tag='red')" }, [1, 2, 3, 4]],
    ['on a lambda variable', { $filter: 'similar/any(x:x/shop.isCheap(max=1))' }, [3]],
    ['whose argument is a lambda variable', { $filter: 'similar/any(x:$it/shop.hasTag(tag=x/name))' }, []],
    ['on a complex value', { $filter: 'size/shop.area() gt 5' }, [1, 4]],
    ['on a complex value that is null', { $filter: 'size/shop.area() eq null' }, [2, 3]],
    ['that is not bound', { $filter: 'shop.twice(value=price) gt 19.98' }, [2]],
    ['with arguments by position', { $filter: 'shop.twice(price) eq 19.98' }, [1]],
    ['in $orderby', { $orderby: "shop.label(end='') desc,id" }, [2, 1, 4, 3]],
    ['in $orderby that is not bound', { $orderby: 'shop.twice(price) desc' }, [2, 1, 4, 3]],
    [
      'with $count and $top',
      { $filter: 'shop.isCheap(max=10)', $orderby: 'id desc', $top: '2', $count: 'true' },
      [4, 2],
    ],
  ]

describe.each(engineNames)('functions with a definition on %s', engine => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    service = await openService(shop, await maker.make(), records)
  })
  afterAll(async () => {
    await service?.reference.close()
    await maker?.stop()
  })

  it.each(queries)('a call %s selects and orders the items', async (_name, options, ids) => {
    const response = await service.request(`/products?${queryText(options)}`)
    expect({ status: response.status, ids: idsOf(response) }).toEqual({ status: 200, ids })
  })

  it.each([
    ['/products/$count?$filter=shop.isCheap(max=10)', '3'],
    ['/products?$filter=id eq 2&$select=id,double&$compute=shop.twice(value=price) as double', '"double":20'],
    [
      '/products?$filter=id eq 3&$select=id&$expand=similar($filter=shop.isCheap(max=1);$select=id)',
      '"similar":[{"id":4}]',
    ],
    ['/products?$apply=filter(shop.isCheap(max=10))/aggregate(price with sum as total)', '"total":20'],
    ['/products/1/shop.isCheap(max=9.99)', '"value":true'],
    ['/products/2/shop.isCheap(max=9.99)', '"value":false'],
    ["/products/1/shop.label(end='!')", '"value":"axe by Acme, FR!"'],
    ['/twice(value=1.25)', '"value":2.5'],
  ])('%s contains %s', async (path, part) => {
    const response = await service.request(encodeURI(path))
    expect(response.text).toContain(part)
  })

  it('a call on a path responds with 204 for null and with 404 without the item', async () => {
    const statuses = ['3', '9'].map(async id => (await service.request(`/products/${id}/shop.label(end='')`)).status)
    expect(await Promise.all(statuses)).toEqual([204, 404])
  })

  it.each([
    ['shop.isCheap()', 400, "needs a value for its parameter 'max'"],
    ["shop.isCheap(max='x')", 400, 'max'],
    ['shop.isCheep(max=1)', 400, "Did you mean 'isCheap'?"],
    ['maker/shop.isCheap(max=1)', 400, 'is bound to product, but found maker'],
    ['other.isCheap(max=1)', 400, 'Could not find a function'],
    ["shop.label(end='')", 400, 'Boolean'],
  ])('the filter %s gets %i', async (filter, status, part) => {
    const response = await service.request(`/products?${queryText({ $filter: filter })}`)
    expect({ status: response.status, text: response.text }).toEqual({ status, text: expect.stringContaining(part) })
  })

  it('two queries that differ only in an argument have different results', async () => {
    for (const [day, ids] of [
      ['2024-01-02', [1]],
      ['2024-06-02', [1, 2]],
      ['2023-01-01', []],
    ] as const) {
      const filter = `shop.isOut(on=${day},strictly=true)`
      expect(idsOf(await service.request(`/products?${queryText({ $filter: filter })}`))).toEqual(ids)
    }
  })

  it('the store and a list in memory agree on each filter', async () => {
    const inMemory = memoryService()
    await fc.assert(
      fc.asyncProperty(filters, async filter => {
        const path = `/products?${queryText({ $filter: filter })}`
        const expected = await inMemory(new Request(`http://service.test/v1${path}`))
        const body: unknown = await expected.json()
        const response = await service.request(path)
        expect({ status: response.status, ids: idsOf(response) }).toEqual({ status: expected.status, ids: idsIn(body) })
      }),
      { numRuns: engine === 'postgres' ? 60 : 150 },
    )
  })
})

const handled = loadSpecText(
  spec
    .replace('    definition: price le @max\n', '')
    .replace('    definition: released lt', '    description: released lt')
    .replace("    definition: '@value mul 2'\n", '')
    .replace('  /products/{id}/shop.isCheap(max={max}): { get: { calls: isCheap } }\n', '')
    .replace('  /twice(value={value}): { get: { calls: twice } }\n', ''),
  'shop.yaml',
).service

/** What the definitions say. */
const functions = {
  isCheap: ({ item, parameters }: Given) => isBelow(item.price, parameters.max, true),
  isOut: ({ item, parameters }: Given) => isBelow(item.released, parameters.on, parameters.strictly !== true),
  twice: ({ parameters }: Given) => (typeof parameters.value === 'number' ? parameters.value * 2 : null),
}

interface Given {
  readonly item: { readonly price?: unknown; readonly released?: unknown }
  readonly parameters: {
    readonly max?: unknown
    readonly on?: unknown
    readonly strictly?: unknown
    readonly value?: unknown
  }
}

function isBelow(value: unknown, limit: unknown, included: boolean): boolean {
  if (typeof value !== typeof limit || (typeof value !== 'number' && typeof value !== 'string')) return false
  if (typeof limit !== 'number' && typeof limit !== 'string') return false
  return value < limit || (included && value === limit)
}

describe.each(engineNames)('functions with a handler on %s', engine => {
  let maker: StoreMaker
  let service: TestedService
  let limited: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    if (handled === undefined) throw new Error('The spec has errors.')
    service = await openService(handled, await maker.make(), records, undefined, undefined, {
      functions,
      limits: { functionItems: 20 },
    })
    limited = await openService(handled, await maker.make(), records, undefined, undefined, {
      functions,
      limits: { functionItems: 4 },
    })
  })
  afterAll(async () => {
    await service?.reference.close()
    await limited?.reference.close()
    await maker?.stop()
  })

  it.each([
    ['/products?$filter=$it/shop.isCheap(max=9.99)', [1, 4]],
    ['/products?$filter=not shop.isCheap(max=9.99)&$orderby=name desc', [3, 2]],
    ['/products?$filter=shop.isCheap(max=@m) and maker/shop.isUnknown()&@m=10', [2]],
    ['/products?$filter=shop.isCheap(max=price) or shop.twice(value=id) eq 6&$orderby=id desc&$top=2', [4, 3]],
    ['/products?$filter=shop.isOut(on=2024-06-01,strictly=true)', [1]],
    ['/products?$filter=shop.isOut(on=2024-06-01)', [1, 2]],
    ['/products?$filter=shop.isOut(on=2024-06-01) and length(maker/shop.fullName()) eq 8', [1]],
    ['/products?$orderby=shop.twice(value=price)', [3, 4, 1, 2]],
    ['/products?$orderby=shop.twice(value=price) desc&$top=3', [2, 1, 4]],
    ['/products?$orderby=shop.isCheap(max=@m) desc,name,id desc&@m=9.99', [4, 1, 2, 3]],
    ['/products?$orderby=$it/shop.isCheap(max=9.99),released desc&$filter=id lt 4&$skip=1&$top=1', [3]],
    ['/products?$orderby=shop.twice(value=price) desc&$filter=shop.isCheap(max=10)&$select=id', [2, 1, 4]],
  ])('%s returns %j', async (path, ids) => {
    const response = await service.request(encodeURI(path))
    expect({ status: response.status, ids: idsOf(response) }).toEqual({ status: 200, ids })
  })

  it('counts and pages agree with the selection', async () => {
    const count = await service.request(encodeURI('/products/$count?$filter=shop.isCheap(max=10)'))
    expect(count.text).toBe('3')
    const first = await service.request(
      encodeURI('/products?$filter=shop.isCheap(max=10)&$count=true&$expand=similar'),
      {
        headers: { prefer: 'odata.maxpagesize=2' },
      },
    )
    expect(first.text).toContain('"@odata.count":3')
    expect(idsOf(first)).toEqual([1, 2])
    expect(idsOf(await service.request(linkOf(first, 'nextLink') ?? ''))).toEqual([4])
  })

  it('pages keep an order that a handler computes', async () => {
    const path = '/products?$orderby=shop.twice(value=price) desc&$count=true&$expand=similar($select=id)&$top=3'
    const first = await service.request(encodeURI(path), { headers: { prefer: 'odata.maxpagesize=2' } })
    expect(first.json).toMatchObject({ '@odata.count': 4, value: [{ id: 2 }, { id: 1, similar: [{ id: 2 }] }] })
    const second = await service.request(linkOf(first, 'nextLink') ?? '')
    expect(idsOf(second)).toEqual([4])
    expect(linkOf(second, 'nextLink')).toBeUndefined()
  })

  it.each([
    ["/products?$filter=shop.isCheap(max=1) or maker/name eq 'Bolt'", [2, 4]],
    ['/products?$filter=shop.isCheap(max=@m) or maker/shop.isUnknown()&@m=1&$orderby=id desc', [4, 2]],
    ['/products?$filter=@p&@p=shop.isCheap(max=1)', [4]],
    ['/products?$filter=similar/any(x:x/shop.isCheap(max=1))', [3]],
    ['/products?$filter=similar/any(x:x/maker/shop.isUnknown() and x/shop.isCheap(max=10))', [1]],
    ['/products?$compute=price add 1 as more&$orderby=more desc,shop.isCheap(max=1)', [2, 1, 4, 3]],
    ['/products?$compute=shop.twice(value=price) as double&$filter=double gt 1 and id gt 1', [2]],
    ['/products?$compute=shop.twice(value=price) as double&$orderby=double desc&$top=2', [2, 1]],
    ['/products?$orderby=shop.isCheap(max=1) desc,id desc&$apply=filter(id gt 1)', [4, 3, 2]],
    ['/products?$apply=filter(shop.isCheap(max=10))', [1, 2, 4]],
    ['/products?$apply=filter(maker/shop.isUnknown() or shop.isCheap(max=1))&$orderby=id', [2, 4]],
  ])('%s returns %j in memory', async (path, ids) => {
    const response = await service.request(encodeURI(path))
    expect({ status: response.status, ids: idsOf(response) }, response.text).toEqual({ status: 200, ids })
  })

  it.each([
    [
      '/products?$select=id,double&$compute=shop.twice(value=price) as double&$top=2',
      [
        { id: 1, double: 19.98 },
        { id: 2, double: 20 },
      ],
    ],
    [
      '/products?$select=id,double&$compute=shop.twice(value=price) as double&$orderby=name desc&$filter=id ne 4&$skip=1',
      [
        { id: 2, double: 20 },
        { id: 1, double: 19.98 },
      ],
    ],
    [
      '/products?$select=id&$filter=id eq 3&$expand=similar($filter=shop.isCheap(max=1);$select=id)',
      [{ id: 3, similar: [{ id: 4 }] }],
    ],
    [
      '/products?$select=id&$filter=id eq 3&$expand=similar($orderby=shop.twice(value=id) desc;$select=id,tags)',
      [
        {
          id: 3,
          similar: [
            { id: 4, tags: ['red'] },
            { id: 1, tags: ['old'] },
          ],
        },
      ],
    ],
    [
      '/products?$apply=filter(shop.isCheap(max=10))/aggregate(price with sum as total,$count as n)',
      [{ total: 20, n: 3 }],
    ],
    [
      '/products?$apply=groupby((name),aggregate(shop.twice(value=price) with max as most))&$orderby=name',
      [
        { name: 'axe', most: 19.98 },
        { name: 'bow', most: 20 },
        { name: 'cap', most: null },
      ],
    ],
  ])('%s has the values %j', async (path, expected) => {
    const response = await service.request(encodeURI(path))
    expect(response.status, response.text).toBe(200)
    const plain = itemsOf(response).map(item => withoutControlInformation(item))
    expect(plain).toEqual(expected)
  })

  it('an item has what its handlers compute', async () => {
    const one = await service.request(
      encodeURI('/products/2?$select=id,double&$compute=shop.twice(value=price) as double'),
    )
    expect(withoutControlInformation(one.json)).toEqual({ id: 2, double: 20 })
    const related = await service.request(
      encodeURI('/products/3?$select=id&$expand=similar($filter=shop.isCheap(max=1))'),
    )
    expect(related.json).toMatchObject({ id: 3, similar: [{ id: 4, name: 'axe' }] })
    expect((await service.request(encodeURI('/products/9?$compute=shop.twice(value=price) as d'))).status).toBe(404)
  })

  it('counts and pages of what handlers compute in memory are those of the whole list', async () => {
    const count = encodeURI("/products/$count?$filter=shop.isCheap(max=1) or maker/name eq 'Bolt'")
    expect((await service.request(count)).text).toBe('2')
    for (const query of [
      "$filter=shop.isCheap(max=10) or maker/name eq 'Bolt'",
      '$filter=id ne 3&$compute=shop.twice(value=price) as double',
      '$apply=filter(shop.isCheap(max=10))',
    ]) {
      const headers = { prefer: 'odata.maxpagesize=2' }
      const first = await service.request(encodeURI(`/products?${query}&$count=true`), { headers })
      expect(first.text, query).toContain('"@odata.count":3')
      const next = await service.request(linkOf(first, 'nextLink') ?? '')
      expect([...idsOf(first), ...idsOf(next)]).toEqual([1, 2, 4])
      expect(linkOf(next, 'nextLink')).toBeUndefined()
    }
  })

  it('the service and a list in memory agree on each filter', async () => {
    const inMemory = memoryService(handled, { functions })
    await fc.assert(
      fc.asyncProperty(filters, async filter => {
        const path = `/products?${queryText({ $filter: filter, $select: 'id', $orderby: 'id' })}`
        const expected = await inMemory(new Request(`http://service.test/v1${path}`))
        const body: unknown = await expected.json()
        const response = await service.request(path)
        expect({ status: response.status, ids: idsOf(response) }).toEqual({ status: expected.status, ids: idsIn(body) })
      }),
      { numRuns: 60 },
    )
  })

  it('a filter that would call the handler for too many items gets 501', async () => {
    await limited.reference.load([
      { type: 'product', properties: { id: 5, name: 'dye', price: 1, released: null, size: null, tags: [] } },
    ])
    const all = await limited.request(encodeURI('/products?$filter=shop.isCheap(max=1)'))
    expect({ status: all.status, text: all.text }).toEqual({
      status: 501,
      text: expect.stringContaining('the limit functionItems, which is 4'),
    })
    const some = await limited.request(encodeURI('/products?$filter=id gt 1 and shop.isCheap(max=1)'))
    expect(idsOf(some)).toEqual([4, 5])
    for (const query of [
      '$apply=filter(shop.isCheap(max=1))',
      '$compute=shop.twice(value=price) as double&$filter=double gt 1',
      '$compute=shop.twice(value=price) as double',
      '$filter=id eq 3&$expand=similar($filter=shop.isCheap(max=1))&$compute=shop.twice(value=price) as double',
    ]) {
      const { status, text } = await limited.request(encodeURI(`/products?${query}`))
      expect([query, status], text).toEqual([query, query.includes('id eq 3') ? 200 : 501])
    }
    const page = await limited.request(encodeURI('/products?$compute=shop.twice(value=price) as double&$top=3'))
    expect(idsOf(page)).toEqual([1, 2, 3])
  })
})

function withoutControlInformation(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutControlInformation)
  const members = Object.entries(value).filter(([name]) => !name.includes('@'))
  return Object.fromEntries(members.map(([name, member]) => [name, withoutControlInformation(member)]))
}

const uncallable = `
specwright: 1
service: { name: shop, namespace: shop, version: v1 }
resources:
  product:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32 } }
    navigation: { similar: { to: product, collection: true } }
operations:
  isNear: { kind: function, binding: product, qualifiedName: shop.is, parameters: { a: { type: Int32 } }, returns: { type: Boolean } }
  isFar: { kind: function, binding: product, qualifiedName: shop.is, parameters: { b: { type: Int32 } }, returns: { type: Boolean } }
  words: { kind: function, binding: product, returns: { type: String, collection: true } }
  all: { kind: function, binding: product, bindingCollection: true, returns: { type: Int32 } }
  best: { kind: function, binding: product, returns: { type: product } }
  near: { kind: function, binding: product, returns: { type: product, collection: true }, meaning: { of: similar, filter: id gt 1 } }
container: { products: { entitySet: product } }
queryOptions:
  list:
    filter:
      operators: [eq]
      lambdas: [any]
      functions: [shop.is, shop.words, shop.all, shop.best, shop.near]
      properties: { similar: true }
    compute: true
paths: { /products: { get: { returns: collection, query: list } } }
errors: {}
`

it.each([
  ['$filter=shop.is(a=1)', 'it has overloads'],
  ['$filter=similar/any(s:s/shop.is(b=1))', 'it has overloads'],
  ["$filter=shop.words()/any(x:x eq 'a')", 'it returns no single value'],
  ['$filter=shop.best()/id eq 1', 'it returns no primitive value'],
  ['$filter=shop.near()/any(x:x/id eq 1)', 'its `meaning` is a query'],
  ['$filter=@p&@p=similar/shop.all() eq 1', 'it is bound to a collection'],
  ['$compute=shop.words() as words', 'it returns no single value'],
])('%s gets 501, which says that %s', async (query, reason) => {
  const { service: model, diagnostics } = loadSpecText(uncallable, 'shop.yaml')
  if (model === undefined) throw new Error(JSON.stringify(diagnostics))
  const service = await openService(model, 'sqlite::memory:')
  const { status, text } = await service.request(encodeURI(`/products?${query}`))
  await service.reference.close()
  expect({ status, text }).toEqual({ status: 501, text: expect.stringContaining(`, because ${reason}.`) })
})

it.each([
  [() => Promise.resolve(true), 'returned a promise'],
  [() => 'x', 'Boolean'],
])('a handler that returns something else gets 501', async (isCheap, part) => {
  if (handled === undefined) throw new Error('The spec has errors.')
  const service = await openService(handled, 'sqlite::memory:', records, undefined, undefined, {
    functions: { isCheap },
  })
  const response = await service.request(encodeURI('/products?$filter=shop.isCheap(max=1)'))
  expect({ status: response.status, text: response.text }).toEqual({ status: 501, text: expect.stringContaining(part) })
  await service.reference.close()
})

/** The same service with a handler that lists rows. */
function memoryService(model = shop, options: { readonly functions?: object } = {}): HttpService {
  const rows = products.map(product => ({
    ...product,
    maker: makers.find(({ id }) => id === makerOf[product.id]) ?? null,
    similar: (similarTo[product.id] ?? []).flatMap(id => products.filter(each => each.id === id)),
  }))
  const handlerOf = (route: Route): AnyHandler | undefined =>
    route.name === 'products.list' ? call => listRows(rows, call) : undefined
  return createService(buildServiceTable(model), handlerOf, options, { transformations })
}

function idsIn(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('value' in body) || !Array.isArray(body.value)) return []
  return body.value.map((item: { readonly id: number }) => item.id)
}

const number = fc.constantFrom('0', '1', '9.99', '10', '10.01', '500', 'null', 'price', 'price add 1')
const product = fc.constantFrom('', '$it/')
const condition = fc.oneof(
  fc.tuple(product, number).map(([start, max]) => `${start}shop.isCheap(max=${max})`),
  fc
    .tuple(product, fc.constantFrom('2024-01-01', '2024-06-01', 'released', 'null'))
    .map(([start, on]) => `${start}shop.isOut(on=${on})`),
  fc.tuple(number, number).map(([a, b]) => `shop.twice(value=${a}) ge ${b}`),
  fc.constantFrom('maker/shop.isUnknown()', "maker/shop.fullName() eq 'Bolt'", "shop.label(end='') ne null"),
  fc.constantFrom('size/shop.area() lt 50', 'size/shop.area() eq null', "shop.label(end=name) eq 'axe by Acme, FRaxe'"),
)
const filters: fc.Arbitrary<string> = fc
  .tuple(condition, fc.constantFrom('and', 'or'), condition, fc.boolean(), fc.boolean())
  .map(([a, join, b, notA, notB]) => `${notA ? `not (${a})` : a} ${join} ${notB ? `not (${b})` : b}`)
