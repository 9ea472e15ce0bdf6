import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { openService, type TestedService } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: shop, namespace: shop, version: v1 }
authentication: { scheme: none }
resources:
  order:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32 }, state: { type: state }, code: { type: Binary, nullable: true } }
    navigation: { lines: { to: line, collection: true, contained: true } }
  line:
    kind: entityType
    key: [id]
    properties:
      id: { type: Int32 }
      price: { type: Decimal, precision: 38, scale: 18 }
      count: { type: Int64 }
      place: { type: place, nullable: true }
  place: { kind: complexType, properties: { city: { type: String } } }
  state: { kind: enumType, members: { open: 1, closed: 2 } }
container: { orders: { entitySet: order } }
queryOptions:
  all:
    select: true
    compute: true
    filter: { operators: [gt, ge, eq, ne, mul, add, in], functions: [length, concat, toupper] }
    orderby: { properties: [id] }
    expand: { relations: [lines], nested: [select, compute, filter, orderby] }
    count: true
  one: { select: true, compute: true }
  none: { filter: { operators: [eq] } }
paths:
  /orders: { get: { returns: collection, query: all } }
  "/orders/{id}": { get: { returns: item, query: one } }
  "/orders/{id}/lines": { get: { returns: collection, query: all } }
  /orders/$count: { get: { returns: count, query: none } }
errors: {}
open: { enumNumbers: { legal: [accepted, refused], reference: accepted } }
`

const line = (id: number, price: string, count: string, city: string | null) => ({
  type: 'line',
  properties: { id, price, count, place: city === null ? null : { city } },
})

describe.each(engineNames)('computed properties on %s', engine => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    const { service: model } = loadSpecText(spec, 'shop.yaml')
    if (model === undefined) throw new Error('The spec has errors.')
    const lines = [
      line(1, '12345678901234567890.123456789012345678', '9007199254740993', 'Rome'),
      line(2, '0.5', '4', null),
      line(3, '2', '-1', 'Oslo'),
    ]
    const orders = [1, 2].map(id => ({
      type: 'order',
      properties: { id, state: id === 1 ? 'open' : 'closed', code: id === 1 ? '_-8' : null },
      ...(id === 1 ? { contained: { lines } } : {}),
    }))
    service = await openService(model, await maker.make(), orders)
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  const value = async (path: string): Promise<string> => {
    const { status, text } = await service.request(path)
    expect(status, text).toBe(200)
    return text.slice(text.indexOf('"value":') + 8, -1)
  }

  it.each([
    ['$compute=price mul 2 as twice&$select=twice&$filter=id eq 2', '[{"twice":1}]'],
    ['$compute=price as same&$select=same&$filter=id eq 1', '[{"same":12345678901234567890.123456789012345678}]'],
    ['$compute=count add 0 as all&$select=id,all&$filter=id eq 1', '[{"id":1,"all":9007199254740993}]'],
    ['$compute=id mul 2 as a,a add 1 as b&$select=b&$orderby=b desc', '[{"b":7},{"b":5},{"b":3}]'],
    ["$compute=concat(place/city,'!') as c&$select=c&$orderby=c desc&$filter=id ne 1", '[{"c":"Oslo!"},{"c":null}]'],
    ['$compute=id gt 1 as late&$select=late&$filter=late eq true&$orderby=id', '[{"late":true},{"late":true}]'],
    ["$compute=toupper(place/city) as c&$filter=c eq 'OSLO'&$select=id", '[{"id":3}]'],
    ['$compute=id add $it/id as d&$select=d&$orderby=d desc', '[{"d":6},{"d":4},{"d":2}]'],
  ])('%s', async (query, expected) => {
    const found = await value(`/orders/1/lines?${query}`)
    expect(found.replaceAll(/"@odata\.id":"[^"]*",?/g, '')).toBe(expected)
  })

  it('can be complex values', async () => {
    const found = await value('/orders/1/lines?$compute=place as p&$select=id,p&$filter=id eq 3')
    expect(JSON.parse(found)).toEqual([{ id: 3, p: { city: 'Oslo' } }])
  })

  it('are strings where all exact numbers are', async () => {
    const headers = { accept: 'application/json;IEEE754Compatible=true' }
    const query = '$compute=price mul 1 as p,count as c&$select=id,p,c&$filter=id eq 2'
    const { text } = await service.request(`/orders/1/lines?${query}`, { headers })
    expect(text).toContain('[{"id":2,"p":"0.5","c":"4"}]')
  })

  it('belong to expanded items, too', async () => {
    const nested = '$compute=id mul 10 as ten;$select=id,ten;$filter=ten gt 10;$orderby=ten desc'
    expect(await value(`/orders?$filter=id eq 1&$select=id&$expand=lines(${nested})`)).toBe(
      '[{"id":1,"lines":[{"id":3,"ten":30},{"id":2,"ten":20}]}]',
    )
  })

  it('are part of a single item', async () => {
    const { text } = await service.request('/orders/2?$compute=id add 1 as next&$select=id,next')
    expect(JSON.parse(text)).toMatchObject({ id: 2, next: 3 })
  })

  it.each([
    ['/orders/$count?$compute=id as x', 501],
    ['/orders?$compute=id as id', 400],
    ['/orders?$compute=nothing as x', 400],
    ['/orders?$compute=length(state) as x', 400],
  ])('%s gets %i', async (path, status) => {
    expect((await service.request(path)).status).toBe(status)
  })

  it.each([
    ['state eq 1', [1]],
    ['state gt 1', [2]],
    ["code eq binary'_-8='", [1]],
    ["code ne binary'_-8'", [2]],
    ["code in (binary'AAAA',binary'_-8')", [1]],
  ])('enumerations compare with numbers, and binaries with each other: %s', async (filter, expected) => {
    const found: unknown = JSON.parse(await value(`/orders?$select=id&$filter=${filter}`))
    expect(found).toEqual(expected.map(id => ({ id })))
  })
})
