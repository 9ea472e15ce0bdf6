import { describe, expect, it } from 'vitest'
import { inlineReferences, openapiDocuments } from './openapi-documents.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const documents = openapiDocuments(
  JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'T' },
    servers: [{ url: '/v1' }],
    paths: { '/a': { get: { operationId: 'a.list', schema: ref('a') } }, '/b': {} },
    components: { schemas: { a: { properties: { id: {} } } }, securitySchemes: { bearer: {} } },
  }),
)

describe('openapiDocuments', () => {
  it('returns the full document with the URL of the running service', () => {
    expect(JSON.parse(documents.full('http://h:1/v1'))).toEqual({
      openapi: '3.1.1',
      info: { title: 'T' },
      servers: [{ url: 'http://h:1/v1' }],
      paths: { '/a': { get: { operationId: 'a.list', schema: ref('a') } }, '/b': {} },
      components: { schemas: { a: { properties: { id: {} } } }, securitySchemes: { bearer: {} } },
    })
  })

  it('returns one operation with its schemas inlined', () => {
    expect(documents.operation('a.list')).toEqual({
      path: '/a',
      operation: { operationId: 'a.list', schema: { title: 'a', properties: { id: {} } } },
    })
  })

  it.each(['', '/', '/a', 'get', '__proto__', 'constructor'])('has no operation %s', id => {
    expect(documents.operation(id)).toBeUndefined()
  })
})

describe('inlineReferences', () => {
  it('stops at recursive types', () => {
    const definitions = new Map([
      ['schemas/a', { properties: { b: ref('b') } }],
      ['schemas/b', { properties: { a: ref('a') } }],
    ])
    const nest = (levels: number, name: string, next: string): object =>
      levels === 0
        ? { title: name, type: 'object' }
        : { title: name, properties: { [next]: nest(levels - 1, next, name) } }
    expect(inlineReferences(ref('a'), definitions)).toEqual(nest(4, 'a', 'b'))
  })

  it('is less deep for many types', () => {
    const definitions = new Map(
      Array.from({ length: 121 }, (_, index) => [`schemas/${index}`, { items: ref(`${index + 1}`) }]),
    )
    expect(inlineReferences(ref('0'), definitions)).toEqual({
      title: '0',
      items: { title: '1', items: { title: '2', type: 'object' } },
    })
  })

  it('names the related items in bodies, and does not count them', () => {
    const definitions = new Map(
      Array.from({ length: 121 }, (_, index) => [`schemas/${index}-related-change`, { items: ref('a') }]),
    )
    definitions.set('schemas/a', { items: ref('b') })
    definitions.set('schemas/b', { items: ref('0-related-change') })
    expect(inlineReferences([ref('1-related-change'), ref('a')], definitions)).toEqual([
      { title: '1-related-change', type: 'object' },
      { title: 'a', items: { title: 'b', items: { title: '0-related-change', type: 'object' } } },
    ])
  })

  it('keeps the siblings of a reference, and inline types', () => {
    const definitions = new Map([['schemas/name', { type: 'string', description: 'A name.' }]])
    expect(inlineReferences([{ ...ref('name'), description: 'Hers.' }], definitions)).toEqual([
      { title: 'name', type: 'string', description: 'Hers.' },
    ])
  })
})
