import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { memberOf, openService, type TestedService } from '../testing/test-service.js'

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
