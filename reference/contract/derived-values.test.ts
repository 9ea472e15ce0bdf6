import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyQuery, parseQueryOptions } from '../../runtime/query/index.js'
import { loadSpecText } from '../../spec/language/index.js'
import { buildTypeTable } from '../../spec/language/table/type-table.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { idsOf, memberOf, openService, type TestedService } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: zoo, namespace: zoo, version: v1 }
authentication: { scheme: none }
resources:
  animal:
    kind: entityType
    key: [id]
    properties: { id: { type: String }, home: { type: place, nullable: true } }
    navigation:
      friends: { to: animal, collection: true }
      best: { to: animal, nullable: true }
  dog:
    kind: entityType
    base: animal
    properties: { age: { type: Int32, nullable: true }, den: { type: place, nullable: true } }
    navigation: { chases: { to: cat, collection: true }, owner: { to: animal, nullable: true } }
  cat: { kind: entityType, base: animal, properties: { lives: { type: Int32, default: 9 } } }
  place: { kind: complexType, properties: { city: { type: String, default: "" }, street: { type: String, nullable: true }, inner: { type: inner, nullable: true } } }
  inner: { kind: complexType, properties: { a: { type: String, nullable: true }, b: { type: String, nullable: true } } }
  attic: { kind: complexType, base: inner, properties: { c: { type: String, nullable: true } } }
  abroad: { kind: complexType, base: place, properties: { country: { type: String }, zip: { type: String, nullable: true } } }
  ruin: { kind: complexType, base: place, properties: { age: { type: Int32, nullable: true } } }
  kennel: { kind: entityType, key: [id], properties: { id: { type: String }, place: { type: place, nullable: true } } }
container: { animals: { entitySet: animal }, kennels: { entitySet: kennel } }
queryOptions:
  all:
    select: true
    expand: { maxDepth: 2, nested: [select, expand] }
    filter: { operators: [eq, ne, gt, and, or, not], functions: [cast, $count], lambdas: [any], properties: { best: true, friends: true, chases: true } }
    orderby: true
paths:
  /animals: { get: { returns: collection, query: all }, post: { creates: animal } }
  /animals/{id}: { get: { returns: item, query: all }, patch: { updates: item }, put: { updates: item } }
  /animals/zoo.dog: { get: { returns: collection, query: all } }
  /kennels: { post: { creates: kennel } }
  /kennels/{id}: { get: { returns: item }, patch: { updates: item } }
features: { propertyPaths: optional, bind: optional, references: optional }
errors: {}
`
const { service: model } = loadSpecText(spec, 'zoo.yaml')
if (model === undefined) throw new Error('The spec has errors.')
const dog = { '@odata.type': '#zoo.dog' }
const cat = { '@odata.type': '#zoo.cat' }
const abroad = { '@odata.type': '#zoo.abroad' }

describe.each(engineNames)('values and links of derived types on %s', engine => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    service = await openService(model, await maker.make())
    for (const body of [
      { ...dog, id: 'a', age: 3 },
      { ...cat, id: 'c' },
      { ...cat, id: 'k', lives: 7 },
      { ...dog, id: 'b', age: 5, 'chases@odata.bind': ['animals/c'], 'owner@odata.bind': "animals('k')/zoo.cat" },
      {
        ...cat,
        id: 'f',
        'friends@odata.bind': ['animals/a/zoo.dog', 'animals/c'],
        'best@odata.bind': 'animals/zoo.dog/a',
      },
    ]) {
      expect((await service.request('/animals', { method: 'POST', body })).status).toBe(201)
    }
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  const send = async (method: string, path: string, body: object) => {
    const { status, json } = await service.request(path, { method, body })
    return { status, target: memberOf(memberOf(json, 'error'), 'target') }
  }
  const valueAt = async (path: string) => {
    const { '@odata.context': _, ...value } = Object((await service.request(path)).json)
    return value
  }

  it.each([
    ['PATCH', '/animals/a', { den: { country: 'Y' } }, { ...abroad, city: 'K', street: 's', country: 'Y', zip: 'z' }],
    ['PATCH', '/animals/a', { den: { zip: null } }, { ...abroad, city: 'K', street: 's', country: 'X', zip: null }],
    [
      'PATCH',
      '/animals/a/zoo.dog/den',
      { country: 'Q' },
      { ...abroad, city: 'K', street: 's', country: 'Q', zip: 'z' },
    ],
    [
      'PATCH',
      '/animals/a',
      { den: { '@odata.type': '#zoo.place', street: 't' } },
      { ...abroad, city: 'K', street: 't', country: 'X', zip: 'z' },
    ],
    ['PUT', '/animals/a/zoo.dog/den', { '@odata.type': '#zoo.place', city: 'L' }, { city: 'L', street: null }],
    [
      'PATCH',
      '/animals/a',
      { den: { '@odata.type': '#zoo.ruin', age: 9 } },
      { '@odata.type': '#zoo.ruin', city: 'K', street: 's', age: 9 },
    ],
    ['PUT', '/animals/a/zoo.dog/den', { city: 'L' }, { city: 'L', street: null }],
    [
      'PUT',
      '/animals/a/zoo.dog/den',
      { ...abroad, country: 'R' },
      { ...abroad, city: '', street: null, country: 'R', zip: null },
    ],
    [
      'PUT',
      '/animals/a/zoo.dog/den/zoo.abroad',
      { country: 'S' },
      { ...abroad, city: '', street: null, country: 'S', zip: null },
    ],
    [
      'PUT',
      '/animals/a',
      { ...dog, den: { ...abroad, country: 'T' } },
      { ...abroad, city: '', street: null, country: 'T', zip: null },
    ],
    ['PUT', '/animals/a', { ...dog, den: { street: 'u' } }, { city: '', street: 'u' }],
  ] as const)('%s %s %j merges into the value, or replaces it', async (method, path, body, expected) => {
    const den = { ...abroad, city: 'K', street: 's', country: 'X', zip: 'z' }
    expect((await send('PUT', '/animals/a', { ...dog, age: 3, den })).status).toBe(200)
    expect((await send(method, path, body)).status).toBeLessThan(300)
    const { inner, ...value } = await valueAt('/animals/a/zoo.dog/den')
    expect(inner).toBeNull()
    expect(value).toEqual(expected)
  })

  it('merges into derived values at any depth, also of items that have only one type', async () => {
    const place = { ...abroad, country: 'X', inner: { '@odata.type': '#zoo.attic', a: '1', c: '3' } }
    expect((await service.request('/kennels', { method: 'POST', body: { id: '1', place } })).status).toBe(201)
    expect((await send('PATCH', '/kennels/1', { place: { inner: { c: '4', b: '2' } } })).status).toBe(200)
    expect((await valueAt('/kennels/1')).place).toEqual({
      ...place,
      city: '',
      street: null,
      zip: null,
      inner: { '@odata.type': '#zoo.attic', a: '1', b: '2', c: '4' },
    })
    expect(await send('PATCH', '/kennels/1', { place: { nope: 1 } })).toEqual({ status: 400, target: 'place/nope' })
    expect(await send('PATCH', '/kennels/1', { place: null })).toMatchObject({ status: 200 })
    expect(await send('PATCH', '/kennels/1', { place: { country: 'Z' } })).toMatchObject({ target: 'place/country' })
  })

  it.each([
    ['cast(zoo.dog)/age gt 3', ['b']],
    ["cast('zoo.dog')/age gt 3", ['b']],
    ['cast($it,zoo.dog)/age eq 3', ['a']],
    ['not (cast(zoo.dog)/age gt 3)', ['a', 'c', 'f', 'k']],
    ['cast(best,zoo.dog)/age eq 3', ['f']],
    ['cast(zoo.dog)/chases/any(x:x/lives eq 9)', ['b']],
    ['cast(zoo.dog)/chases/$count eq 1', ['b']],
    ['friends/any(x:cast(x,zoo.dog)/age eq 3)', ['f']],
  ])('filters by %s', async (filter, ids) => {
    await send('PUT', '/animals/a', { ...dog, age: 3 })
    const found = await service.request(`/animals?$orderby=id&$filter=${encodeURIComponent(filter)}`)
    expect([found.status, idsOf(found)], found.text).toEqual([200, ids])
  })

  it('orders by a property after a cast', async () => {
    const found = await service.request('/animals?$orderby=cast(zoo.dog)/age%20desc,cast(zoo.cat)/lives,id')
    expect(idsOf(found)).toEqual(['b', 'a', 'k', 'c', 'f'])
  })

  it.each([
    ['zoo.dog/*', { b: ['friends', 'best', 'chases', 'owner'], f: [] }],
    ['zoo.dog/friends', { b: ['friends'], f: [] }],
    ['zoo.cat/*', { b: [], f: ['friends', 'best'] }],
    ['zoo.cat/best,zoo.dog/chases', { b: ['chases'], f: ['best'] }],
  ])('expands %s for items of the type only', async (expand, expected) => {
    const found = await service.request(`/animals?$select=id&$expand=${expand}`)
    const rows: unknown = memberOf(found.json, 'value')
    const relations = (id: string): readonly string[] => {
      const row = Array.isArray(rows) ? rows.find(each => memberOf(each, 'id') === id) : undefined
      return Object.keys(Object(row)).filter(name => name !== 'id' && !name.includes('@'))
    }
    expect({ b: relations('b'), f: relations('f') }, found.text).toEqual(expected)
    const types = buildTypeTable(model)
    const all = await service.request('/animals?$expand=friends,best,zoo.dog/chases,zoo.dog/owner')
    const items: unknown = memberOf(all.json, 'value')
    const { value } = applyQuery(
      Array.isArray(items) ? items : [],
      parseQueryOptions(`$select=id&$expand=${expand}`).options,
      { types, type: 'animal' },
    )
    const evaluated = (id: string) =>
      Object.keys(value.find(each => each['id'] === id) ?? {}).filter(name => name !== 'id' && !name.includes('@'))
    expect({ b: evaluated('b'), f: evaluated('f') }).toEqual(expected)
  })

  it('changes links of derived types at paths with a cast', async () => {
    const ids = async (): Promise<readonly unknown[]> => {
      const { json } = await service.request('/animals/b?$select=id&$expand=zoo.dog/chases($select=id)')
      const cats = memberOf(json, 'chases')
      return Array.isArray(cats) ? cats.map(each => memberOf(each, 'id')) : []
    }
    const body = { '@odata.id': 'animals/k' }
    expect((await service.request('/animals/b/zoo.dog/chases/$ref', { method: 'POST', body })).status).toBe(204)
    expect((await ids()).toSorted()).toEqual(['c', 'k'])
    expect((await service.request('/animals/b/zoo.dog/chases/$ref?$id=animals/k', { method: 'DELETE' })).status).toBe(
      204,
    )
    expect(await ids()).toEqual(['c'])
    const owner = { method: 'PUT', body: { '@odata.id': 'animals/c' } }
    expect((await service.request('/animals/a/zoo.dog/owner/$ref', owner)).status).toBe(204)
    expect((await service.request('/animals/a/zoo.dog/owner/$ref', { method: 'DELETE' })).status).toBe(204)
    for (const [path, status] of [
      ['/animals/c/zoo.dog/owner/$ref', 404],
      ['/animals/b/zoo.cat/chases/$ref', 404],
      ['/animals/b/zoo.none/chases/$ref', 404],
      ['/animals/b/chases/$ref', 404],
    ] as const)
      expect(
        (await service.request(path, { ...owner, method: path.includes('owner') ? 'PUT' : 'POST' })).status,
        path,
      ).toBe(status)
  })

  it('refuses casts that no item can have, and paths before a star', async () => {
    for (const expand of ['zoo.kennel/*', 'zoo.none/*', 'friends/*']) {
      expect((await service.request(`/animals?$expand=${expand}`)).status, expand).toBe(400)
    }
  })

  it('links items by URLs with casts', async () => {
    const found = await service.request(
      "/animals?$filter=id eq 'b' or id eq 'f'&$orderby=id&$expand=friends,best,zoo.dog/*",
    )
    expect(memberOf(found.json, 'value')).toMatchObject([
      { id: 'b', chases: [{ id: 'c' }], owner: { id: 'k' } },
      { id: 'f', friends: [{ id: 'a' }, { id: 'c' }], best: { id: 'a' } },
    ])
    expect((await send('PATCH', '/animals/b', { 'owner@odata.bind': "animals/zoo.dog('a')" })).status).toBe(200)
    expect(memberOf((await service.request('/animals/b?$expand=zoo.dog/owner')).json, 'owner')).toMatchObject({
      id: 'a',
    })
  })

  it.each([
    [{ 'best@odata.bind': 'animals/c/zoo.dog' }, 'best'],
    [{ 'chases@odata.bind': ['animals/a'] }, 'chases'],
    [{ 'chases@odata.bind': ['animals/a/zoo.dog'] }, 'chases@odata.bind'],
    [{ 'best@odata.bind': 'animals/c/zoo.kennel' }, 'best@odata.bind'],
    [{ 'best@odata.bind': 'animals/c/zoo.none' }, 'best@odata.bind'],
    [{ 'best@odata.bind': 'animals/zoo.dog' }, 'best'],
  ])('refuses %j, which names no item of the type', async (body, target) => {
    expect(await send('PATCH', '/animals/b', { ...dog, ...body })).toEqual({ status: 400, target })
  })
})
