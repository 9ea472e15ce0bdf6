import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type BothEngines, openBoth } from '../testing/test-service.js'

const name = 'name: { type: String, createOnly: true }, text: { type: String, nullable: true }'

const spec = `
specwright: 1
service: { name: shop, version: v1 }
authentication:
  scheme: bearer
  scopes: { Orders: Write orders, Tags.Create: Create tags, Tags.Change: Change tags, Notes.Create: Create notes, Notes.Change: Change notes, Marks: Create marks, Guards: Change guards }
resources:
  order:
    kind: entityType
    key: [id]
    properties: { id: { type: Int32, createOnly: true }, text: { type: String, nullable: true } }
    navigation:
      lines: { to: line, collection: true, contained: true }
      tags: { to: tag, collection: true }
      tag: { to: tag, nullable: true }
      notes: { to: note, collection: true, partner: order }
      marks: { to: mark, collection: true }
      guards: { to: guard, collection: true }
      seals: { to: seal, collection: true }
  line:
    kind: entityType
    key: [no]
    properties: { no: { type: Int32, createOnly: true } }
    navigation: { tags: { to: tag, collection: true } }
  tag: { kind: entityType, key: [name], properties: { ${name} } }
  note:
    kind: entityType
    key: [name]
    properties: { ${name}, orderId: { type: Int32, nullable: true } }
    navigation: { order: { to: order, nullable: true, partner: notes, constraint: { orderId: id } } }
  mark: { kind: entityType, key: [name], properties: { ${name} } }
  guard: { kind: entityType, key: [name], properties: { ${name} } }
  seal: { kind: entityType, key: [name], properties: { ${name} } }
container: { orders: { entitySet: order }, tags: { entitySet: tag }, notes: { entitySet: note }, marks: { entitySet: mark }, guards: { entitySet: guard }, seals: { entitySet: seal } }
paths:
  /orders: { get: { returns: collection, query: { expand: {} } }, post: { creates: order, scopes: [Orders] } }
  /orders/{id}: { get: { returns: item, query: { expand: {} } }, patch: { updates: item, scopes: [Orders] }, delete: { deletes: item } }
  /orders/{id}/marks: { get: { returns: collection }, post: { creates: mark, scopes: [Marks] } }
  /tags: { get: { returns: collection }, post: { creates: tag, scopes: [Tags.Create] } }
  /tags/{name}: { get: { returns: item }, patch: { updates: item, scopes: [Tags.Change] } }
  /notes: { get: { returns: collection }, post: { creates: note, scopes: [Notes.Create] } }
  /notes/{name}: { get: { returns: item }, patch: { updates: item, scopes: [Notes.Change] } }
  /marks/{name}: { get: { returns: item } }
  /guards/{name}: { get: { returns: item }, patch: { updates: item, scopes: [Guards] } }
  /seals/{name}: { get: { returns: item } }
errors: {}
features: { deepInsert: optional, deepUpdate: optional, bind: optional, references: optional, upsert: optional }
`

const principal = { id: 'ann', scopes: [] as string[] }
let both: BothEngines
beforeAll(async () => {
  const { service, diagnostics } = loadSpecText(spec, 'shop.yaml')
  if (service === undefined) throw new Error(JSON.stringify(diagnostics))
  const record = (type: string, id: string) => ({ type, properties: { name: id, text: null }, contained: {} })
  both = await openBoth(service, [record('tag', 'old'), record('note', 'old')], principal)
})
afterAll(() => both.stop())

describe.each(['sqlite', 'postgres'] as const)('the scopes of a body with related items, on %s:', engine => {
  let next = 10
  const statusWith = async (
    scopes: readonly string[],
    method: string,
    path: string,
    body: unknown,
  ): Promise<number> => {
    principal.scopes = [...scopes]
    return (await both.services[engine].request(path, { method, body })).status
  }
  beforeEach(async () => {
    await both.services[engine].request('/orders/1', { method: 'DELETE' })
    expect(await statusWith(['Orders'], 'POST', '/orders', { id: 1 })).toBe(201)
  })
  const fresh = (): { readonly name: string; readonly text: string } => ({ name: `new${next++}`, text: 'x' })

  it.each<readonly [string, string, () => object]>([
    ['Tags.Create', 'an item in a list', () => ({ tags: [fresh()] })],
    ['Tags.Create', 'a single item', () => ({ tag: fresh() })],
    ['Tags.Create', 'an item of a contained one', () => ({ lines: [{ no: 1, tags: [fresh()] }] })],
    ['Notes.Create', 'an item that refers to the new one', () => ({ notes: [fresh()] })],
    ['Marks', 'an item that no path of its set creates: the path in the relation counts', () => ({ marks: [fresh()] })],
    ['Guards', 'an item that no path creates: the path that changes it counts', () => ({ guards: [fresh()] })],
  ])('a create needs %s for %s', async (scope, _, body) => {
    const create = (scopes: readonly string[]) => statusWith(scopes, 'POST', '/orders', { id: next++, ...body() })
    const others = ['Orders', 'Tags.Change', 'Notes.Change']
    expect(await create(others)).toBe(403)
    expect(await create(['Orders', scope])).toBe(201)
  })

  it.each<readonly [string, () => object]>([
    ['contained items', () => ({ lines: [{ no: 1 }] })],
    ['empty lists', () => ({ tags: [], lines: [] })],
    ['null', () => ({ tag: null })],
    ['links', () => ({ 'tag@odata.bind': 'tags/old', 'tags@odata.bind': ['tags/old'] })],
    ['links in lists', () => ({ tag: { '@odata.id': 'tags/old' }, tags: [{ '@odata.id': 'tags/old' }] })],
    ['items that no path writes', () => ({ seals: [fresh()] })],
  ])('a create needs no other scope for %s', async (_, body) => {
    expect(await statusWith(['Orders'], 'POST', '/orders', { id: next++, ...body() })).toBe(201)
  })

  it('a create without the scope stores nothing', async () => {
    const id = next++
    const tag = fresh()
    expect(await statusWith(['Orders'], 'POST', '/orders', { id, tags: [tag] })).toBe(403)
    expect(await statusWith([], 'GET', `/orders/${id}`, undefined)).toBe(404)
    expect(await statusWith([], 'GET', `/tags/${tag.name}`, undefined)).toBe(404)
  })

  it.each<readonly [string, string, string, object]>([
    ['a create', 'POST', '/orders', { 'notes@odata.bind': ['notes/old'] }],
    ['a list of a create', 'POST', '/orders', { notes: [{ '@odata.id': 'notes/old' }] }],
    ['an update', 'PATCH', '/orders/1', { 'notes@odata.bind': ['notes/old'] }],
    ['a list', 'PATCH', '/orders/1', { notes: [{ '@odata.id': 'notes/old' }] }],
    ['an empty list', 'PATCH', '/orders/1', { notes: [] }],
    ['a delta', 'PATCH', '/orders/1', { 'notes@odata.delta': [{ '@odata.id': 'notes/old', '@removed': {} }] }],
    ['$ref', 'POST', '/orders/1/notes/$ref', { '@odata.id': 'notes/old' }],
  ])(
    'links that set a property of the other item need the scope to change it, in %s',
    async (_, method, path, body) => {
      const sent = path === '/orders' ? { id: next++, ...body } : body
      expect(await statusWith(['Orders', 'Notes.Create'], method, path, sent)).toBe(403)
      expect(await statusWith(['Orders', 'Notes.Change'], method, path, sent)).toBeLessThan(300)
    },
  )

  it.each<readonly [string, string, object]>([
    ['PATCH', '/orders/1', { 'tags@odata.bind': ['tags/old'] }],
    ['PATCH', '/orders/1', { tags: [{ '@odata.id': 'tags/old' }] }],
    ['POST', '/orders/1/tags/$ref', { '@odata.id': 'tags/old' }],
    ['PUT', '/orders/1/tag/$ref', { '@odata.id': 'tags/old' }],
  ])('other links need the scope of the item that has them: %s %s %o', async (method, path, body) => {
    expect(await statusWith(['Tags.Create', 'Tags.Change'], method, path, body)).toBe(403)
    expect(await statusWith(['Orders'], method, path, body)).toBeLessThan(300)
  })

  it('an update that creates its item needs the scope of the path that creates it, too', async () => {
    const upsert = (scopes: readonly string[], key: string) =>
      statusWith(scopes, 'PATCH', `/tags/${key}`, { text: 'y' })
    const { name: key } = fresh()
    expect(await upsert(['Tags.Change'], key)).toBe(403)
    expect(await statusWith([], 'GET', `/tags/${key}`, undefined)).toBe(404)
    expect(await upsert(['Tags.Change', 'Tags.Create'], key)).toBe(201)
    expect(await upsert(['Tags.Change'], key)).toBe(200)
  })
})
