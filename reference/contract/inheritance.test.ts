import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { idsOf, memberOf, openService, type TestedService } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: pets, namespace: pets, version: v1 }
authentication: { scheme: none }
resources:
  pet:
    kind: entityType
    key: [id]
    properties: { id: { type: String }, name: { type: String }, mood: { type: String, default: calm } }
  dog: { kind: entityType, base: pet, properties: { breed: { type: String }, tricks: { type: String, collection: true } } }
  toy: { kind: entityType, abstract: true, key: [id], properties: { id: { type: String } } }
  ball: { kind: entityType, base: toy, properties: { size: { type: Int32 } } }
  bone: { kind: entityType, base: toy, properties: { taste: { type: String } } }
  place: { kind: entityType, abstract: true, key: [id], properties: { id: { type: String } } }
  garden: { kind: entityType, base: place, properties: { trees: { type: Int32 } } }
container: { pets: { entitySet: pet }, toys: { entitySet: toy }, places: { entitySet: place } }
paths:
  /pets: { get: { returns: collection }, post: { creates: pet } }
  /pets/{id}: { get: { returns: item }, patch: { updates: item }, put: { updates: item } }
  /toys: { post: { creates: toy } }
  /places: { get: { returns: collection }, post: { creates: place } }
errors: {}
`

const { service: model } = loadSpecText(spec, 'pets.yaml')
if (model === undefined) throw new Error('The spec has errors.')
const dog = '#pets.dog'

describe.each(engineNames)('a write of an item of a derived type on %s', engine => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    service = await openService(model, await maker.make())
    await service.request('/pets', { method: 'POST', body: { id: 'cat', name: 'Tom' } })
    const body = { '@odata.type': dog, id: 'dog', name: 'Rex', breed: 'pug', tricks: ['roll'] }
    expect((await service.request('/pets', { method: 'POST', body })).status).toBe(201)
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  const send = async (method: string, path: string, body: object) => {
    const { status, json, text } = await service.request(path, { method, body })
    if (status >= 400) return { status, target: memberOf(memberOf(json, 'error'), 'target'), text }
    const { '@odata.context': _context, ...item } = { ...Object(json) }
    return { status, ...item }
  }

  it('replaces the properties of the type of the item', async () => {
    const body = { name: 'Max', breed: 'beagle' }
    expect(await send('PUT', '/pets/dog', body)).toEqual({
      status: 200,
      '@odata.type': dog,
      id: 'dog',
      name: 'Max',
      mood: 'calm',
      breed: 'beagle',
      tricks: [],
    })
  })

  it('refuses a PUT that omits what the type of the item requires, and keeps the item', async () => {
    expect(await send('PUT', '/pets/dog', { name: 'Bo' })).toMatchObject({ status: 400, target: 'breed' })
    expect(await send('PUT', '/pets/dog', { '@odata.type': '#pets.pet', name: 'Bo' })).toMatchObject({ status: 400 })
    expect((await service.request('/pets/dog')).json).toMatchObject({ name: 'Max', breed: 'beagle' })
  })

  it.each([{ '@odata.type': dog }, { '@odata.type': '#pets.pet' }, { '@odata.type': 'pets.dog' }, {}])(
    'patches properties of the derived type with the type %j in the body',
    async named => {
      expect(await send('PATCH', '/pets/dog', { ...named, breed: 'poodle' })).toMatchObject({
        status: 200,
        breed: 'poodle',
      })
    },
  )

  it.each([
    ['PATCH', { '@odata.type': dog, breed: 'pug' }, '@odata.type'],
    ['PUT', { '@odata.type': dog, name: 'x', breed: 'pug' }, '@odata.type'],
    ['PATCH', { '@odata.type': '#pets.none', name: 'x' }, '@odata.type'],
    ['PATCH', { '@odata.type': '#pets.toy', name: 'x' }, '@odata.type'],
    ['PATCH', { '@odata.type': 1, name: 'x' }, '@odata.type'],
    ['PATCH', { breed: 'pug' }, 'breed'],
  ] as const)('refuses a %s of %j to an item of the base type', async (method, body, target) => {
    expect(await send(method, '/pets/cat', body)).toMatchObject({ status: 400, target })
    expect((await service.request('/pets/cat')).json).toMatchObject({ id: 'cat', name: 'Tom' })
  })

  it('refuses an item of an abstract type, and says which types there are', async () => {
    for (const body of [{ id: 'a' }, { '@odata.type': '#pets.toy', id: 'a' }]) {
      const refused = await send('POST', '/toys', body)
      expect(refused).toMatchObject({ status: 400, target: '@odata.type' })
      expect(refused['text']).toContain('#pets.ball, #pets.bone')
    }
    expect(await send('POST', '/toys', { '@odata.type': '#pets.ball', id: 'a', size: 3 })).toMatchObject({
      status: 201,
      '@odata.type': '#pets.ball',
      size: 3,
    })
  })

  it('takes the only type that derives from an abstract one', async () => {
    const created = { '@odata.type': '#pets.garden', id: 'g', trees: 2 }
    expect(await send('POST', '/places', { id: 'g', trees: 2 })).toEqual({ status: 201, ...created })
    expect(memberOf((await service.request('/places')).json, 'value')).toEqual([created])
  })
})

const kennelSpec = `
specwright: 1
service: { name: kennel, namespace: kennel, version: v1 }
authentication: { scheme: none }
resources:
  animal:
    kind: entityType
    key: [id]
    properties:
      id: { type: String }
      home: { type: place, nullable: true }
      homes: { type: place, collection: true }
  dog:
    kind: entityType
    base: animal
    properties: { breed: { type: String }, age: { type: Int32, nullable: true }, den: { type: place, nullable: true } }
  cat: { kind: entityType, base: animal, properties: { lives: { type: Int32, default: 9 } } }
  place: { kind: complexType, properties: { city: { type: String, default: "" } } }
  abroad:
    kind: complexType
    base: place
    properties: { country: { type: String }, zip: { type: String, nullable: true } }
container: { animals: { entitySet: animal } }
queryOptions:
  all:
    select: true
    filter: { operators: [eq, ne, gt, and, or, not], functions: [cast, $count], lambdas: [any] }
    orderby: true
    apply: true
paths:
  /animals: { get: { returns: collection, query: all }, post: { creates: animal } }
  /animals/{id}: { get: { returns: item, query: { select: true } }, patch: { updates: item } }
  /animals/kennel.dog: { get: { returns: collection, query: all }, post: { creates: dog } }
features: { propertyPaths: optional }
errors: {}
`
const { service: kennel } = loadSpecText(kennelSpec, 'kennel.yaml')
if (kennel === undefined) throw new Error('The spec has errors.')

describe.each(engineNames)('casts to derived types on %s', engine => {
  let maker: StoreMaker
  let service: TestedService
  const abroad = (city: string, country: string) => ({ '@odata.type': '#kennel.abroad', city, country })

  beforeAll(async () => {
    maker = await storeMaker(engine)
    service = await openService(kennel, await maker.make())
    const type = { '@odata.type': '#kennel.dog' }
    for (const body of [
      { ...type, id: 'a', breed: 'pug', age: 3, den: abroad('K', 'X') },
      { ...type, id: 'b', breed: 'lab', age: 5, den: { city: 'L' }, home: { city: 'M' } },
      { '@odata.type': '#kennel.cat', id: 'c', home: abroad('N', 'Z'), homes: [{ city: 'O' }, abroad('P', 'Y')] },
      { id: 'd', home: abroad('Q', 'A') },
    ]) {
      expect((await service.request('/animals', { method: 'POST', body })).status).toBe(201)
    }
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  it.each([
    ['$filter=kennel.dog/age gt 3', ['b']],
    ["$filter=home/kennel.abroad/country eq 'Z'", ['c']],
    ["$filter=kennel.dog/den/kennel.abroad/country ne 'Z'", ['a', 'b', 'c', 'd']],
    ["$filter=homes/any(h:h/kennel.abroad/country eq 'Y')", ['c']],
    ["$filter=homes/kennel.abroad/any(h:h/city eq 'P')", ['c']],
    ["$filter=homes/kennel.abroad/any(h:h/city eq 'O')", []],
    ['$filter=homes/kennel.abroad/$count eq 1', ['c']],
    ['$filter=home/kennel.abroad eq null', ['a', 'b']],
    ['$orderby=kennel.dog/age desc,id desc', ['b', 'a', 'd', 'c']],
    ['$orderby=@key desc,id desc&@key=kennel.dog/age', ['b', 'a', 'd', 'c']],
    ['$orderby=home/kennel.abroad/country,id', ['a', 'b', 'd', 'c']],
    ['$orderby=kennel.dog/den/kennel.abroad/country desc,kennel.cat/lives desc,id', ['a', 'c', 'b', 'd']],
  ])('%s', async (query, ids) => {
    expect(idsOf(await service.request(`/animals?${query}`))).toEqual(ids)
  })

  it.each([
    ['/animals/a/kennel.dog/breed', { '@odata.context': "…#animals('a')/kennel.dog/breed", value: 'pug' }],
    [
      '/animals/c/home/kennel.abroad/country',
      { '@odata.context': "…#animals('c')/home/kennel.abroad/country", value: 'Z' },
    ],
    [
      '/animals/c/home/kennel.abroad?$select=zip,city',
      { '@odata.context': "…#animals('c')/home/kennel.abroad", city: 'N', zip: null },
    ],
    [
      '/animals/c/homes/kennel.abroad?$select=city',
      { '@odata.context': "…#animals('c')/homes/kennel.abroad", value: [{ city: 'P' }] },
    ],
    ['/animals/a/kennel.cat/lives', 404],
    ['/animals/b/home/kennel.abroad', 404],
    ['/animals/b/home/kennel.abroad/country', 404],
    ['/animals/b/home/kennel.dog', 404],
    ['/animals/b/kennel.dog/age/kennel.dog', 404],
  ])('reads %s', async (path, expected) => {
    const { status, json } = await service.request(path)
    if (typeof expected === 'number') expect(status).toBe(expected)
    else
      expect(
        JSON.parse(
          JSON.stringify(json)
            .replace(/http[^#]*\$metadata/, '…')
            .replaceAll(/"@odata.type":"[^"]*",?/g, ''),
        ),
      ).toEqual(expected)
  })

  it.each([
    ['id,home($select=city)', '/animals/c', { id: 'c', home: { city: 'N' } }],
    ['home($select=kennel.abroad/zip,city)', '/animals/c', { home: { city: 'N', zip: null } }],
    ['home($select=*)', '/animals/b', { home: { city: 'M' } }],
    ['homes($select=city)', '/animals/c', { homes: [{ city: 'O' }, { city: 'P' }] }],
    ['kennel.dog/den($select=city)', '/animals/a', { den: { city: 'K' } }],
    ['home($select=nothing)', '/animals/c', 400],
    ['homes($top=1)', '/animals/c', 501],
  ])('$select=%s selects parts of complex values', async (select, path, expected) => {
    const { status, json } = await service.request(`${path}?$select=${select}`)
    if (typeof expected === 'number') expect(status).toBe(expected)
    else
      expect(JSON.parse(JSON.stringify(json, (name, value) => (name.startsWith('@') ? undefined : value)))).toEqual(
        expected,
      )
  })

  it.each([
    [
      'groupby((kennel.dog/breed),aggregate($count as n))',
      [
        { breed: null, n: 2 },
        { breed: 'lab', n: 1 },
        { breed: 'pug', n: 1 },
      ],
    ],
    ['groupby((kennel.dog/den/city))/filter(den/city ne null)', [{ den: { city: 'K' } }, { den: { city: 'L' } }]],
    ['groupby((kennel.dog/breed))/filter(breed eq null)/aggregate($count as n)', [{ n: 1 }]],
  ])('$apply=%s shows the values to group by', async (apply, expected) => {
    const { json } = await service.request(`/animals?$apply=${apply}`)
    const rows = memberOf(json, 'value')
    expect(Array.isArray(rows) && rows.map(row => JSON.stringify(row)).sort()).toEqual(
      expected.map(row => JSON.stringify(row)).sort(),
    )
  })

  it('reads the number of the items of a derived type, and values without control information', async () => {
    expect((await service.request('/animals/c/homes/kennel.abroad/$count')).text).toBe('1')
    const none = await service.request('/animals/c/home/kennel.abroad?$format=application/json;odata.metadata=none')
    expect(none.json).toEqual({ city: 'N', country: 'Z', zip: null })
  })

  it('changes a complex value of a derived type, and its type', async () => {
    const home = async () => memberOf((await service.request('/animals/d?$select=home')).json, 'home')
    const send = async (method: string, path: string, body: object) =>
      (await service.request(path, { method, body })).status
    expect(await send('PATCH', '/animals/d/home/kennel.abroad', { country: 'B' })).toBe(204)
    expect(await home()).toMatchObject({ '@odata.type': '#kennel.abroad', city: 'Q', country: 'B' })
    expect(await send('PUT', '/animals/d/home/kennel.abroad/zip', { value: '1' })).toBe(204)
    expect(await home()).toMatchObject({ city: 'Q', country: 'B', zip: '1' })
    expect(await send('PUT', '/animals/d/home', abroad('R', 'C'))).toBe(204)
    expect(await home()).toMatchObject({ city: 'R', country: 'C', zip: null })
    expect(await send('PATCH', '/animals/b', { home: { '@odata.type': '#kennel.abroad' } })).toBe(400)
    expect(await send('PATCH', '/animals/b', { home: { '@odata.type': '#kennel.abroad', country: 'D' } })).toBe(200)
    expect(memberOf((await service.request('/animals/b')).json, 'home')).toEqual({
      '@odata.type': '#kennel.abroad',
      city: 'M',
      country: 'D',
      zip: null,
    })
    expect(await send('PUT', '/animals/a/kennel.dog/age', { value: 4 })).toBe(204)
    expect(await send('PUT', '/animals/c/kennel.dog/age', { value: 4 })).toBe(400)
  })

  it('says the canonical URL of an item that a path with a cast creates', async () => {
    const created = await service.request('/animals/kennel.dog', { method: 'POST', body: { id: 'e', breed: 'collie' } })
    expect(created.headers.get('location')).toBe('http://service.test/v1/animals/e')
    expect((await service.request('/animals/e')).status).toBe(200)
  })
})
