import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { idsOf, openService, type TestedService } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: shop, namespace: shop, version: v1 }
authentication: { scheme: none }
resources:
  order: { kind: entityType, key: [id], properties: { id: { type: Int32 } }, navigation: { lines: { to: line, collection: true, contained: true } } }
  line: { kind: entityType, key: [id], properties: { id: { type: Int32 } } }
container: { orders: { entitySet: order } }
queryOptions:
  all:
    filter: { operators: [gt, eq], lambdas: [any], properties: { lines/$count: true } }
    orderby: { properties: { lines/$count: true } }
paths: { /orders: { get: { returns: collection, query: all } } }
errors: {}
`

describe.each(engineNames)('a count of related items on %s', engine => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    const { service: model } = loadSpecText(spec, 'shop.yaml')
    if (model === undefined) throw new Error('The spec has errors.')
    const order = (id: number, count: number) => ({
      type: 'order',
      properties: { id },
      contained: { lines: Array.from({ length: count }, (_, line) => ({ type: 'line', properties: { id: line } })) },
    })
    service = await openService(model, await maker.make(), [order(1, 2), order(2, 0), order(3, 5)])
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  it.each([
    ['$filter=lines/$count gt 1', [1, 3]],
    ['$filter=lines/$count eq 0', [2]],
    ['$orderby=lines/$count', [2, 1, 3]],
    ['$orderby=lines/$count desc', [3, 1, 2]],
  ])('that the spec declares works: %s', async (query, expected) => {
    const response = await service.request(`/orders?${query}`)
    expect(response.status, response.text).toBe(200)
    expect(idsOf(response)).toEqual(expected)
  })

  it('does not allow other uses of the relation', async () => {
    expect((await service.request('/orders?$filter=lines/any(l:l/id eq 1)')).status).toBe(501)
  })
})
