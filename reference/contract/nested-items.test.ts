import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type BothEngines, openBoth, type RequestOptions, type TestResponse } from '../testing/test-service.js'

const most = 4

const spec = `
specwright: 1
service: { name: shop, version: v1 }
limits: { nestedItems: ${most} }
resources:
  order:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32, createOnly: true }, note: { type: String, nullable: true } }
    navigation:
      lines: { to: line, collection: true, contained: true }
      related: { to: order, collection: true }
      next: { to: order, nullable: true }
  line:
    kind: entityType
    key: [no]
    properties: { no: { type: Int32, createOnly: true } }
    navigation: { parts: { to: part, collection: true, contained: true } }
  part: { kind: entityType, key: [id], properties: { id: { type: Int32, createOnly: true } } }
container: { orders: { entitySet: order } }
paths:
  /orders: { get: { returns: collection, query: { count: true } }, post: { creates: order } }
  /orders/{id}: { get: { returns: item }, patch: { updates: item }, delete: { deletes: item } }
  /orders/{id}/lines: { get: { returns: collection, query: { count: true } }, post: { creates: line } }
errors: {}
features: { deepInsert: optional, deepUpdate: optional, bind: optional, references: optional, batch: optional }
`

let both: BothEngines
beforeAll(async () => {
  const { service, diagnostics } = loadSpecText(spec, 'shop.yaml')
  if (service === undefined) throw new Error(JSON.stringify(diagnostics))
  both = await openBoth(service, [])
})
afterAll(() => both.stop())

const lines = (count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_, no) => ({ no, ...more }))
const urls = (count: number): string[] => Array.from({ length: count }, () => 'orders(1)')

describe.each(['sqlite', 'postgres'] as const)('related items in a body, on %s,', engine => {
  const send = (path: string, options?: RequestOptions): Promise<TestResponse> =>
    both.services[engine].request(path, options)
  const stored = async (): Promise<unknown> => [
    (await send('/orders?$count=true')).json,
    (await send('/orders/1/lines')).json,
  ]

  beforeEach(async () => {
    for (const id of [1, 2, 3, 9]) await send(`/orders/${id}`, { method: 'DELETE' })
    expect((await send('/orders', { method: 'POST', body: { id: 1, lines: lines(most) } })).status).toBe(201)
  })

  it.each<readonly [string, 'POST' | 'PATCH', object, string]>([
    ['a create', 'POST', { id: 9, lines: lines(most + 1) }, 'lines'],
    ['a create, counting those at any depth', 'POST', { id: 9, lines: lines(2, { parts: lines(2) }) }, 'lines/1/parts'],
    [
      'a create, counting links',
      'POST',
      { id: 9, lines: lines(2), 'related@odata.bind': urls(3) },
      'related@odata.bind',
    ],
    ['a create, counting single items', 'POST', { id: 9, lines: lines(most), next: { id: 3 } }, 'next'],
    ['an update with a list', 'PATCH', { lines: lines(most + 1) }, 'lines'],
    ['an update with a delta', 'PATCH', { 'lines@odata.delta': lines(most + 1) }, 'lines@odata.delta'],
    ['an update with links', 'PATCH', { 'related@odata.bind': urls(most + 1) }, 'related@odata.bind'],
  ])('are limited for %s: nothing is stored, and the error names the limit', async (_, method, body, target) => {
    const before = await stored()
    const { status, json } = await send(method === 'POST' ? '/orders' : '/orders/1', { method, body })
    expect(status).toBe(413)
    expect(json).toMatchObject({
      error: {
        target,
        message: expect.stringContaining(`more related items than the limit nestedItems, which is ${most}.`),
      },
    })
    expect(await stored()).toEqual(before)
  })

  it('can be as many as the limit', async () => {
    expect(
      (
        await send('/orders', {
          method: 'POST',
          body: { id: 9, lines: lines(1, { parts: [{ id: 1 }, { id: 2 }, { id: 3 }] }) },
        })
      ).status,
    ).toBe(201)
    expect((await send('/orders/9', { method: 'PATCH', body: { 'related@odata.bind': urls(most) } })).status).toBe(200)
  })

  it('that a list would delete are limited, too', async () => {
    expect((await send('/orders/1/lines', { method: 'POST', body: { no: 7 } })).status).toBe(201)
    const before = await stored()
    const { status, json } = await send('/orders/1', { method: 'PATCH', body: { lines: [] } })
    expect([status, json]).toMatchObject([
      413,
      {
        error: {
          message: expect.stringContaining(`would delete 5 items of lines, but the limit nestedItems is ${most}.`),
        },
      },
    ])
    expect(await stored()).toEqual(before)
    expect((await send('/orders/1', { method: 'PATCH', body: { lines: [{ no: 7 }] } })).status).toBe(200)
  })

  it('are counted together for all requests of a batch', async () => {
    const create = (id: number, count: number): object => ({
      ...{ id: String(id), method: 'POST', url: '/orders' },
      body: { id, lines: lines(count) },
    })
    const request = new Request('http://service.test/v1/$batch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests: [create(2, 2), create(3, 2), create(9, 1)] }),
    })
    const json: unknown = await (await both.services[engine].reference.fetch(request)).json()
    expect(json).toMatchObject({
      responses: [
        { status: 201 },
        { status: 201 },
        {
          status: 413,
          body: {
            error: { message: expect.stringMatching(/The bodies of the batch have .* nestedItems, which is 4\./) },
          },
        },
      ],
    })
    expect((await send('/orders/9')).status).toBe(404)
  })
})

describe.each(['sqlite', 'postgres'] as const)('words that a search finds, on %s,', engine => {
  const limited = `
specwright: 1
service: { name: notes, version: v1 }
limits: { indexedWords: 20 }
resources:
  note:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32, createOnly: true }, text: { type: String, search: words } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection }, post: { creates: note } }
  /notes/{id}: { get: { returns: item }, patch: { updates: item } }
errors: {}
features: { batch: optional }
`
  let notes: BothEngines
  const words = (count: number): string => 'word '.repeat(count)
  const send = (path: string, options?: RequestOptions): Promise<TestResponse> =>
    notes.services[engine].request(path, options)
  beforeAll(async () => {
    const { service } = loadSpecText(limited, 'notes.yaml')
    if (service === undefined) throw new Error('The spec has errors.')
    notes = await openBoth(service, [{ type: 'note', properties: { id: 1, text: words(100) } }])
  })
  afterAll(() => notes.stop())

  it('are limited for each write: it is undone, and the error names the limit', async () => {
    const { status, text } = await send('/notes', { method: 'POST', body: { id: 2, text: words(21) } })
    expect([status, text]).toEqual([413, expect.stringContaining('the limit indexedWords, which is 20.')])
    expect((await send('/notes/2')).status).toBe(404)
    expect((await send('/notes', { method: 'POST', body: { id: 3, text: words(20) } })).status).toBe(201)
  })

  it('of an item that was loaded with more can be changed', async () => {
    expect((await send('/notes/1', { method: 'PATCH', body: { text: words(20) } })).status).toBe(200)
    expect((await send('/notes/1', { method: 'PATCH', body: { text: words(21) } })).status).toBe(413)
  })

  it('are counted together in an atomicity group', async () => {
    const requests = [4, 5].map(id => ({
      ...{ id: String(id), method: 'POST', url: '/notes', atomicityGroup: 'g' },
      body: { id, text: words(15) },
    }))
    const request = new Request('http://service.test/v1/$batch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests }),
    })
    const json: unknown = await (await notes.services[engine].reference.fetch(request)).json()
    expect(json).toMatchObject({ responses: [{ status: 424 }, { status: 413 }] })
    expect((await send('/notes/4')).status).toBe(404)
  })
})

describe.each(['sqlite', 'postgres'] as const)('the items that a write deletes, on %s,', engine => {
  const limited = `
specwright: 1
service: { name: shelves, version: v1 }
limits: { deletedItems: 5 }
features: { batch: optional }
resources:
  shelf:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32 } }
    navigation:
      boxes: { to: box, collection: true, contained: true }
      others: { to: shelf, collection: true, onDelete: cascade }
  box:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32 } }
    navigation: { parts: { to: part, collection: true, contained: true } }
  part: { kind: entityType, key: [id], properties: { id: { type: Int32 } } }
container: { shelves: { entitySet: shelf } }
paths:
  /shelves/{id}: { get: { returns: item }, delete: { deletes: item } }
errors: {}
`
  let shelves: BothEngines
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
  const box = (id: number, parts: number) => ({
    type: 'box',
    properties: { id },
    contained: { parts: numbers(parts).map(part => ({ type: 'part', properties: { id: part } })) },
  })
  const send = (path: string, options?: RequestOptions): Promise<TestResponse> =>
    shelves.services[engine].request(path, options)
  beforeAll(async () => {
    const { service } = loadSpecText(limited, 'shelves.yaml')
    if (service === undefined) throw new Error('The spec has errors.')
    shelves = await openBoth(service, [
      { type: 'shelf', properties: { id: 1 }, contained: { boxes: [box(1, 3)] } },
      { type: 'shelf', properties: { id: 2 }, contained: { boxes: [box(1, 1), box(2, 2)] } },
      { type: 'shelf', properties: { id: 3 } },
      ...numbers(5).map(index => ({ type: 'shelf', properties: { id: 10 + index }, links: {} })),
      { type: 'shelf', properties: { id: 4 }, links: { others: numbers(5).map(index => [10 + index]) } },
    ])
  })
  afterAll(() => shelves.stop())

  it.each([
    ['those that it contains, at any depth', 2],
    ['those that are deleted with it', 4],
  ])('are limited, %s: none is deleted, and the error names the limit', async (_, id) => {
    const { status, text } = await send(`/shelves/${id}`, { method: 'DELETE' })
    expect([status, text]).toEqual([409, expect.stringContaining('the limit deletedItems, which is 5.')])
    expect((await send(`/shelves/${id}`)).status).toBe(200)
    expect((await send('/shelves/10')).status).toBe(200)
  })

  it('can be as many as the limit, in all of an atomicity group', async () => {
    const group = (ids: readonly number[]): Request =>
      new Request('http://service.test/v1/$batch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          requests: ids.map(id => ({
            ...{ id: String(id), method: 'DELETE', url: `/shelves/${id}` },
            atomicityGroup: 'g',
          })),
        }),
      })
    const { reference } = shelves.services[engine]
    expect(await (await reference.fetch(group([3, 1]))).json()).toMatchObject({
      responses: [{ status: 424 }, { status: 409 }],
    })
    expect((await send('/shelves/3')).status).toBe(200)
    expect((await send('/shelves/1', { method: 'DELETE' })).status).toBe(204)
  })
})

it('can be links in a create, also if only the feature deepInsert is there', async () => {
  const only = `${spec.slice(0, spec.lastIndexOf('features:'))}features: { deepInsert: required }\n`
  const { service, diagnostics } = loadSpecText(only, 'shop.yaml')
  if (service === undefined) throw new Error(JSON.stringify(diagnostics))
  const { services, stop } = await openBoth(service, [])
  try {
    for (const { request } of [services.sqlite, services.postgres]) {
      const link = { '@odata.id': 'orders(1)' }
      const first = await request('/orders', { method: 'POST', body: { id: 1, lines: lines(2) } })
      const second = await request('/orders', { method: 'POST', body: { id: 2, related: [link], next: link } })
      expect([first.status, second.status], second.text).toEqual([201, 201])
      const bound = await request('/orders', { method: 'POST', body: { id: 3, 'next@odata.bind': 'orders(1)' } })
      expect(bound.status).toBe(400)
    }
  } finally {
    await stop()
  }
})
