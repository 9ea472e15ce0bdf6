import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyQuery, parseQueryOptions } from '../../runtime/query/index.js'
import { JsonText, parseExactJson } from '../../runtime/server/index.js'
import { loadSpecText } from '../../spec/language/index.js'
import { isObject } from '../../sql/index.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { openService, type TestedService } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: shop, namespace: shop, version: v1 }
authentication: { scheme: none }
resources:
  category:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32 }, name: { type: String, nullable: true } }
  product:
    kind: entityType
    key: [id]
    properties:
      id: { type: Int32 }
      name: { type: String, search: words }
      state: { type: state, nullable: true }
      price: { type: Decimal, precision: 38, scale: 18, nullable: true }
      weight: { type: Double, nullable: true }
      stock: { type: Int64, nullable: true }
      made: { type: DateTimeOffset, nullable: true }
      sold: { type: Boolean }
      size: { type: size, nullable: true }
      tags: { type: String, collection: true }
    navigation: { category: { to: category, nullable: true } }
  size: { kind: complexType, properties: { width: { type: Int32 }, unit: { type: String } } }
  state: { kind: enumType, members: { new: 1, used: 2 } }
container: { products: { entitySet: product }, categories: { entitySet: category } }
queryOptions:
  all:
    select: true
    compute: true
    apply: true
    filter:
      operators: [gt, ge, lt, eq, ne, mul, add, div, and]
      functions: [length, contains, concat]
      properties: { category: true }
    orderby: { properties: [id, price] }
    expand: { relations: [category] }
    count: true
    skip: true
    top: { max: 50 }
    search: true
  some:
    apply: { transformations: [groupby, aggregate], rollup: false, groupable: [state] }
paths:
  /products: { get: { returns: collection, query: all } }
  /products/$count: { get: { returns: count, query: all } }
  /categories: { get: { returns: collection, query: some } }
errors: {}
`

const products = [
  [
    1,
    'red chair',
    'new',
    '12345678901234567890.123456789012345678',
    1.5,
    '9007199254740993',
    1,
    '2024-01-01T00:00:00Z',
  ],
  [2, 'blue chair', 'used', '0.1', 2, '9007199254740993', 1, '2024-01-01T00:00:00.5Z'],
  [3, 'table', 'new', '0.2', null, '1', 2, null],
  [4, 'lamp', null, null, 0.25, null, null, '2023-12-31T23:00:00Z'],
  [5, 'stool', 'used', '0.2', 2, '5', 2, '2024-01-01T00:00:00Z'],
] as const
const categories = [
  { id: 1, name: 'chairs' },
  { id: 2, name: null },
]

const records = [
  ...categories.map(properties => ({ type: 'category', properties })),
  ...products.map(([id, name, state, price, weight, stock, category, made]) => ({
    type: 'product',
    properties: {
      id,
      name,
      state,
      price,
      weight,
      stock,
      made,
      sold: id % 2 === 0,
      size: id === 4 ? null : { width: id % 3, unit: 'cm' },
      tags: id === 5 ? [] : [`t${id}`, 'all'],
    },
    category,
    links: category === null ? {} : { category: [[category]] },
  })),
]

/** Queries that the evaluator in memory and both engines answer alike. */
const queries: readonly string[] = [
  'identity',
  'aggregate($count as n)',
  'aggregate(price with sum as s,price with min as least,price with max as most,price with average as mean)',
  'aggregate(stock with sum as s,stock with average as mean,stock with countdistinct as d)',
  'aggregate(weight with sum as s,weight with min as least,weight with max as most,weight with average as mean)',
  'aggregate(price with countdistinct as p,state with countdistinct as s,made with countdistinct as m,sold with max as x)',
  'aggregate(made with min as first,made with max as last,name with min as n,state with max as t)',
  'aggregate(price mul 3 with sum as triple,length(name) with max as longest)',
  'filter(id gt 9)/aggregate($count as n,price with sum as s,price with countdistinct as d)',
  'filter(sold eq true)/groupby((state),aggregate($count as n,price with sum as s))',
  'groupby((state))',
  'groupby((state,sold),aggregate($count as n))',
  'groupby((price),aggregate($count as n))',
  'groupby((weight),aggregate($count as n))',
  'groupby((made),aggregate($count as n))',
  'groupby((size/unit),aggregate(size/width with sum as w))',
  'groupby((category/id),aggregate(price with sum as s))',
  'groupby((category/name,state),aggregate($count as n))/filter(n gt 1)',
  'groupby((category/name),aggregate($count as n))/filter(category/name eq null)',
  'groupby((state),aggregate(price with sum as s))/compute(s mul 2 as twice)/filter(twice gt 0)',
  'groupby((state),aggregate($count as n))/orderby(n desc,state)/top(2)',
  'groupby((state),aggregate($count as n))/orderby(n desc,state)/skip(1)',
  'groupby((state),aggregate($count as n)/filter(n gt 1))',
  'groupby((state),topcount(1,price))/orderby(id)',
  'groupby((rollup(null,state,sold)),aggregate($count as n))',
  'groupby((rollup(state,sold),category/id),aggregate($count as n))',
  'groupby((state),aggregate($count as n))/aggregate(n with max as most,$count as groups)',
  'compute(price mul 2 as twice)/aggregate(twice with sum as s)',
  'compute(length(name) as letters)/groupby((letters),aggregate($count as n))',
  'topcount(2,price)',
  'bottomcount(2,id)',
  'bottomsum(3,weight)',
  'toppercent(50,weight)',
  'topsum(0.3,price)',
  'topsum(12345678901234567890.123456789012345678,price)',
  'topsum(12345678901234567890.123456789012345679,price)',
  'topsum(9007199254740994,stock)',
  'topsum(9007199254740993,stock)',
  'bottomsum(0.3,price)',
  'bottomsum(5,id)',
  'bottompercent(100,stock)',
  'toppercent(40,id)',
  'groupby((state),topsum(1,price))',
  'groupby((state),bottompercent(50,stock))',
  'compute(price mul -1 as less)/bottomsum(-0.5,less)',
  'compute(price add -1 as less)/bottomsum(0.5,less)',
  'compute(price add -1 as less)/bottomsum(12345678901234567885,less)',
  'compute(id add -3 as less)/topsum(2,less)',
  'compute(id add -3 as less)/topsum(3,less)',
  'compute(id add -3 as less)/topsum(4,less)',
  'compute(id add -2 as less)/toppercent(50,less)',
  'compute(id add -2 as less)/bottompercent(50,less)',
  'compute(weight add -1 as less)/topsum(1,less)',
  'compute(weight add -1 as less)/bottomsum(1,less)',
  'groupby((state),aggregate(price with sum as s))/topsum(1,s)',
  'filter(price gt 0)/orderby(price desc,id)/top(2)/aggregate(price with sum as s)',
  'concat(filter(id gt 3),aggregate(price with sum as total))',
  'concat(groupby((state),aggregate($count as n)),aggregate($count as n))',
  'concat(aggregate($count as n),identity)',
  'concat(identity,aggregate($count as n))/compute(1 as one)',
  'groupby((state),concat(aggregate($count as n),identity))',
  'concat(identity,identity)/aggregate($count as n)',
  'concat(topcount(1,price),bottomcount(1,price))/filter(size/width gt 0)',
  'search(chair)/aggregate($count as n)',
  'groupby((state),filter(id gt 1)/aggregate($count as n,price with sum as s,id with countdistinct as d))',
  'groupby((state),filter(id gt 3)/aggregate($count as n)/filter(n eq 0))',
  'groupby((state),top(1)/aggregate(id with max as last))',
  'groupby((state,category/name),filter(price gt 1)/concat(aggregate($count as n),identity/aggregate($count as n)))',
  'groupby((rollup(null,state,sold)),filter(weight gt 1)/aggregate($count as n))',
]

/** Queries whose rows have an order. */
const orderedQueries: readonly string[] = [
  'topcount(3,id)',
  'bottomcount(3,price)',
  'bottomsum(3,weight)/compute(id mul 2 as twice)',
  'groupby((state),aggregate($count as n))/topcount(2,n)/orderby(state)',
  'groupby((state),aggregate(id with sum as s))/topcount(1,s)',
  'orderby(id desc)/top(3)/bottomcount(2,id)',
  'concat(topcount(2,id),bottomcount(2,id),aggregate(id with sum as total))',
  'concat(concat(topcount(1,id),bottomcount(1,id))/orderby(id),orderby(id desc))/filter(id lt 5)',
]

/** A value without control information, with numbers as texts and members in the order of their names. */
function plain(value: unknown): unknown {
  if (value instanceof JsonText) return value.text
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !name.startsWith('@') && name !== 'category@')
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, plain(member)]))
}

const sortedRows = (rows: readonly unknown[]): readonly string[] => rows.map(row => JSON.stringify(plain(row))).sort()

describe.each(engineNames)('transformations on %s', engine => {
  let maker: StoreMaker
  let service: TestedService
  let items: readonly Record<string, unknown>[]

  beforeAll(async () => {
    maker = await storeMaker(engine)
    const { service: model, diagnostics } = loadSpecText(spec, 'shop.yaml')
    if (model === undefined) throw new Error(JSON.stringify(diagnostics))
    service = await openService(model, await maker.make(), records)
    items = records.flatMap(record => {
      if (!('category' in record)) return []
      const category = categories.find(({ id }) => id === record.category) ?? null
      return [{ ...record.properties, category }]
    })
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  const rowsOf = async (path: string): Promise<readonly unknown[]> => {
    const { status, text } = await service.request(path)
    expect(status, text).toBe(200)
    const body = parseExactJson(text)
    return isObject(body) && Array.isArray(body['value']) ? body['value'] : []
  }

  it.each(queries)('answers %s as the evaluator does', async apply => {
    const query = `$apply=${encodeURIComponent(apply)}`
    const { types } = service.reference.table
    const expected = applyQuery(items, parseQueryOptions(query).options, { types, type: 'product' }).value
    expect(sortedRows(await rowsOf(`/products?${query}`))).toEqual(sortedRows(expected))
  })

  it.each(orderedQueries)('answers %s in the order of the evaluator', async apply => {
    const { types } = service.reference.table
    const expected = applyQuery(items, parseQueryOptions(`$apply=${encodeURIComponent(apply)}`).options, {
      types,
      type: 'product',
    }).value
    const withoutRelations = expected.map(row => ({ ...row, category: undefined }))
    expect((await rowsOf(`/products?$apply=${encodeURIComponent(apply)}`)).map(plain)).toEqual(
      JSON.parse(JSON.stringify(withoutRelations.map(plain))),
    )
  })

  const bodyOf = async (path: string): Promise<unknown> => (await service.request(path)).json

  it('applies the other options to the rows, and names their properties in the context URL', async () => {
    const apply = '$apply=groupby((category/id,state),aggregate($count as n))'
    expect(await bodyOf(`/products?${apply}&$orderby=n desc,state&$count=true&$top=1&$filter=state ne null`)).toEqual({
      '@odata.context': 'http://service.test/v1/$metadata#products(category(id),state,n)',
      '@odata.count': 4,
      value: [{ category: { id: 1 }, state: 'new', n: 1 }],
    })
    expect(await bodyOf(`/products?${apply}&$select=n&$orderby=n&$compute=n mul 2 as twice&$top=1`)).toEqual({
      '@odata.context': 'http://service.test/v1/$metadata#products(n)',
      value: [{ n: 1 }],
    })
    expect((await service.request(`/products/$count?${apply}`)).text).toBe('5')
  })

  it('pages rows', async () => {
    const found: unknown[] = []
    let next: string | undefined = '/products?$apply=groupby((id))'
    while (next !== undefined) {
      const url = new URL(next, 'http://service.test')
      const response = await service.reference.fetch(
        new Request(next.startsWith('/') ? `http://service.test/v1${next}` : url, {
          headers: { prefer: 'maxpagesize=2' },
        }),
      )
      const body: unknown = await response.json()
      if (!isObject(body) || !Array.isArray(body['value'])) throw new TypeError(JSON.stringify(body))
      found.push(...body['value'])
      next = typeof body['@odata.nextLink'] === 'string' ? body['@odata.nextLink'] : undefined
    }
    expect(found).toEqual([1, 2, 3, 4, 5].map(id => ({ id })))
  })

  it.each([
    ['/products?$apply=aggregate(name with sum as s)', 400],
    ['/products?$apply=aggregate(price with sum as name)', 400],
    ['/products?$apply=groupby((size))', 400],
    ['/products?$apply=groupby((state))&$filter=price gt 1', 400],
    ['/products?$apply=topcount(id,price)', 400],
    ['/products?$apply=filter(startswith(name,%27a%27))', 501],
    ['/products?$apply=topcount(0,price)', 400],
    ['/products?$apply=topcount(1.5,price)', 400],
    ['/products?$apply=bottompercent(@p,price)&@p=100.5', 400],
    ['/products?$apply=toppercent(1 sub 1,price)', 400],
    ['/products?$apply=topsum(null,price)', 400],
    ['/products?$apply=groupby((state))/filter($count gt 1)', 400],
    ['/categories?$apply=groupby((name),aggregate($count as n))', 501],
    ['/categories?$apply=filter(id gt 1)/groupby((id))', 501],
    [`/products?$apply=${Array.from({ length: 6 }, () => 'concat(identity,identity)').join('/')}`, 400],
  ])('refuses %s with %i', async (path, status) => {
    const { status: found, text } = await service.request(path)
    expect([found, text]).toEqual(
      [status, expect.stringContaining('$apply')].map((each, index) => (index === 0 ? each : text)),
    )
  })
})
