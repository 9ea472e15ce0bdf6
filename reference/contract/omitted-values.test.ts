import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type BothEngines, openBoth } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: shelf, version: v1 }
authentication: { scheme: none }
resources:
  box:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, default: a }
      name: { type: String, nullable: true }
      colour: { type: String, nullable: true, default: red }
      size: { type: size, nullable: true }
      tags: { type: String, collection: true, nullable: true }
      weight: { type: Decimal, nullable: true, precision: 30, scale: 10 }
    navigation: { inside: { to: box, nullable: true } }
  size: { kind: complexType, properties: { width: { type: Int32, default: 1 }, height: { type: Int32, nullable: true } } }
container: { boxes: { entitySet: box } }
queryOptions:
  all: { select: true, expand: { relations: [inside], maxDepth: 2 }, apply: true, orderby: true }
paths:
  /boxes: { get: { returns: collection, query: all } }
  /boxes/{id}: { get: { returns: item, query: all } }
errors: {}
`

const boxes = [
  { id: 'a', name: null, colour: 'red', size: { width: 1, height: null }, tags: [], weight: '1234567890123456789.5' },
  { id: 'b', name: 'x', colour: null, size: null, tags: ['t'], weight: null },
]

describe('the preference omit-values', () => {
  let both: BothEngines
  beforeAll(async () => {
    const records = boxes.map((properties, index) => ({
      type: 'box',
      properties,
      links: index === 0 ? {} : { inside: [['a']] },
    }))
    const { service, diagnostics } = loadSpecText(spec, 'shelf.yaml')
    if (service === undefined) throw new Error(JSON.stringify(diagnostics))
    both = await openBoth(service, records)
  })
  afterAll(() => both.stop())

  it.each([
    [
      '/boxes?$orderby=id',
      'omit-values=nulls',
      '[{"id":"a","colour":"red","size":{"width":1},"tags":[],"weight":1234567890123456789.5},{"id":"b","name":"x","tags":["t"]}]',
    ],
    [
      '/boxes?$orderby=id',
      'odata.omit-values=defaults',
      '[{"id":"a","size":{},"tags":[],"weight":1234567890123456789.5},{"id":"b","name":"x","colour":null,"tags":["t"]}]',
    ],
    [
      '/boxes?$select=id,name&$expand=inside($select=id,name,colour)&$orderby=id',
      'omit-values=nulls',
      '[{"id":"a"},{"id":"b","name":"x","inside":{"id":"a","colour":"red"}}]',
    ],
    ['/boxes?$apply=groupby((name))', 'omit-values=nulls', '[{"name":null},{"name":"x"}]'],
    [
      '/boxes?$orderby=id&$select=name',
      'omit-values=other',
      '[{"@odata.id":"http://service.test/v1/boxes(\'a\')","name":null},{"@odata.id":"http://service.test/v1/boxes(\'b\')","name":"x"}]',
    ],
  ])('shortens %s with %s', async (path, prefer, expected) => {
    for (const service of Object.values(both.services)) {
      const { status, text, headers } = await service.request(path, { headers: { prefer } })
      expect(status, text).toBe(200)
      expect(text.slice(text.indexOf('"value":') + 8, -1)).toBe(expected)
      const isApplied = !path.includes('$apply') && !prefer.endsWith('other')
      expect([headers.get('preference-applied'), headers.get('vary')]).toEqual([isApplied ? prefer : null, 'Prefer'])
    }
  })

  it('shortens an item, with and without control information', async () => {
    for (const service of Object.values(both.services)) {
      const headers = { prefer: 'omit-values=nulls' }
      const full = await service.request('/boxes/b', { headers })
      expect(full.json).toEqual({
        '@odata.context': 'http://service.test/v1/$metadata#boxes/$entity',
        id: 'b',
        name: 'x',
        tags: ['t'],
      })
      expect([full.headers.get('preference-applied'), full.headers.get('vary')]).toEqual([
        'omit-values=nulls',
        'Prefer',
      ])
      const bare = await service.request('/boxes/b', {
        headers: { ...headers, accept: 'application/json;metadata=none' },
      })
      expect(bare.json).not.toHaveProperty('colour')
    }
  })
})
