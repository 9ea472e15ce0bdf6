import { describe, expect, it } from 'vitest'
import { inlineSchemas, openapiDocuments } from './openapi-documents.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const documents = openapiDocuments(
  JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'T' },
    servers: [{ url: '/v1' }],
    paths: { '/a': { get: { schema: ref('a') } }, '/b': {} },
    components: { schemas: { a: { properties: { id: {} } } }, securitySchemes: { bearer: {} } },
  }),
)

describe('openapiDocuments', () => {
  it('returns the full document with the URL of the running service', () => {
    expect(JSON.parse(documents.full('http://h:1/v1'))).toEqual({
      openapi: '3.1.1',
      info: { title: 'T' },
      servers: [{ url: 'http://h:1/v1' }],
      paths: { '/a': { get: { schema: ref('a') } }, '/b': {} },
      components: { schemas: { a: { properties: { id: {} } } }, securitySchemes: { bearer: {} } },
    })
  })

  it('returns one path with its schemas inlined', () => {
    expect(JSON.parse(documents.forPath('/a', 'http://h:1/v1') ?? '')).toEqual({
      openapi: '3.1.1',
      info: { title: 'T' },
      servers: [{ url: 'http://h:1/v1' }],
      paths: { '/a': { get: { schema: { title: 'a', properties: { id: {} } } } } },
      components: { securitySchemes: { bearer: {} } },
    })
  })

  it.each(['', '/', '/c', '__proto__', 'constructor'])('has no path %s', path => {
    expect(documents.forPath(path, 'http://h:1/v1')).toBeUndefined()
  })
})

describe('inlineSchemas', () => {
  it('stops at recursive types', () => {
    const definitions = new Map([
      ['a', { properties: { b: ref('b') } }],
      ['b', { properties: { a: ref('a') } }],
    ])
    const nest = (levels: number, name: string, next: string): object =>
      levels === 0
        ? { title: name, type: 'object' }
        : { title: name, properties: { [next]: nest(levels - 1, next, name) } }
    expect(inlineSchemas(ref('a'), definitions)).toEqual(nest(4, 'a', 'b'))
  })

  it('is less deep for many types', () => {
    const definitions = new Map(Array.from({ length: 101 }, (_, index) => [`${index}`, { items: ref(`${index + 1}`) }]))
    expect(inlineSchemas(ref('0'), definitions)).toEqual({
      title: '0',
      items: { title: '1', items: { title: '2', type: 'object' } },
    })
  })

  it('keeps the siblings of a reference, and inline types', () => {
    const definitions = new Map([['name', { type: 'string', description: 'A name.' }]])
    expect(inlineSchemas([{ ...ref('name'), description: 'Hers.' }], definitions)).toEqual([
      { title: 'name', type: 'string', description: 'Hers.' },
    ])
  })
})
