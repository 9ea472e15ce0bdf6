import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generate } from '../../generator/index.js'
import { compileErrors } from '../../generator/testing/compile-errors.js'
import { createReferenceService } from '../../reference/index.js'
import type { ReferenceService } from '../../reference/reference-service.js'
import { loadSpecText } from '../../spec/language/index.js'

// Types of two namespaces, two of them with the same name, and overloads of a function.
const spec = `
specwright: 1
service: { name: shop, namespace: shop, version: v1 }
resources:
  thing:
    kind: entityType
    key: [id]
    properties:
      id: { type: String }
      kindOf: { type: String, nullable: true }
    navigation:
      near: { to: thing, collection: true }
  book: { kind: entityType, base: thing, properties: { pages: { type: Int32, default: 1 } } }
  rareBook:
    kind: entityType
    qualifiedName: shop.rare.book
    base: thing
    properties: { price: { type: Int32, default: 2 } }
container:
  things: { entitySet: thing }
queryOptions:
  things: { select: true, filter: { functions: [isof], properties: {} } }
paths:
  /things: { get: { returns: collection, query: things }, post: { creates: thing } }
  /things/{id}: { get: { returns: item } }
  /things/shop.rare.book: { get: { returns: collection, query: things } }
  /things/{id}/shop.rare.close(): { get: { calls: closeThing } }
  /things/{id}/shop.rare.close(by={by}): { get: { calls: closeThingBy, name: things.closeBy } }
operations:
  closeThing:
    kind: function
    qualifiedName: shop.rare.close
    binding: thing
    returns: { type: thing, collection: true }
    meaning: { of: near }
  closeThingBy:
    kind: function
    qualifiedName: shop.rare.close
    binding: thing
    parameters: { by: { type: String } }
    returns: { type: thing, collection: true }
    meaning: { of: near, filter: id eq @by }
errors: {}
`

describe('names that differ between the spec and the wire', () => {
  let reference: ReferenceService
  beforeAll(async () => {
    const { service, diagnostics } = loadSpecText(spec, 'shop.yaml')
    expect(diagnostics).toEqual([])
    if (service === undefined) throw new Error('a sound spec is a service')
    reference = await createReferenceService({ spec: service, store: 'sqlite::memory:' })
  })
  afterAll(() => reference.close())

  const ask = async (path: string, body?: object) => {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await reference.fetch(new Request(`http://shop.example/v1${path}`, init))
    const json: { readonly [name: string]: unknown } = JSON.parse(await response.text())
    return { status: response.status, json }
  }

  it('are those of the wire in requests and responses', async () => {
    const created = await ask('/things', { '@odata.type': '#shop.rare.book', id: 'r', price: 9 })
    expect(created).toMatchObject({ status: 201, json: { '@odata.type': '#shop.rare.book', id: 'r', price: 9 } })
    expect(await ask('/things', { '@odata.type': '#shop.book', id: 'b', pages: 3 })).toMatchObject({ status: 201 })
    expect((await ask('/things')).json['value']).toEqual([
      expect.objectContaining({ '@odata.type': '#shop.book', pages: 3 }),
      expect.objectContaining({ '@odata.type': '#shop.rare.book', price: 9 }),
    ])
    const cast = await ask('/things/shop.rare.book')
    expect(cast.json['@odata.context']).toContain('shop.rare.book')
    expect(cast.json['value']).toEqual([expect.objectContaining({ id: 'r' })])
  })

  it('select an overload by the parameters in its parentheses', async () => {
    expect(await ask('/things/b/shop.rare.close()')).toMatchObject({ status: 200, json: { value: [] } })
    expect(await ask("/things/b/shop.rare.close(by='r')")).toMatchObject({ status: 200, json: { value: [] } })
    expect(await ask('/things/b/shop.close()')).toMatchObject({ status: 404 })
  })

  it('compile, however long they are, also as the type of what an unbound function returns', async () => {
    const long = spec
      .replaceAll(
        'shop.rare.book',
        'Shop.Of.Old.And.Rare.Books.With.A.Qualified.Name.That.No.Line.Of.Code.Has.Room.For.Book',
      )
      .replace(
        'operations:',
        '  /rarest(): { get: { calls: rarest } }\noperations:\n  rarest: { kind: function, returns: { type: thing } }',
      )
    const { files } = generate({ path: 'shop.yaml', text: long }, { only: ['types', 'client', 'server'] })
    expect(await compileErrors(files.filter(({ path }) => path.endsWith('.ts')))).toBe('')
  })
})
