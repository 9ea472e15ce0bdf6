import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadSpec, type Service } from '../../../spec/language/index.js'
import { loadService } from '../../testing/emitted.js'
import { sampleSpec } from '../../testing/sample-spec.js'
import { emitJsonSchema } from './structured-schema.js'

let service: Service
let ajv: Ajv2020

function compiled(text: string): Ajv2020 {
  const checker = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false })
  checker.addSchema(JSON.parse(text), 'service')
  return checker
}

beforeAll(async () => {
  service = await loadService(JSON.stringify(sampleSpec('A text.')))
  ajv = compiled(emitJsonSchema(service))
})

function fits(name: string, value: unknown): boolean {
  const validate = ajv.getSchema(`service#/$defs/${name}`)
  if (validate === undefined) throw new Error(`There is no schema ${name}.`)
  return validate(value) === true
}

describe('the schemas of a service', () => {
  it('describe what it returns and what its endpoints accept', () => {
    expect(Object.keys(JSON.parse(emitJsonSchema(service)).$defs)).toEqual([
      'thing',
      'parcel',
      'parcel-create',
      'parcel-patch',
      'parcel-replace',
      'depot',
      'event',
      'reading',
      'place',
      'place-create',
      'place-patch',
      'size',
      'marks',
      'weight',
      'Edm.GeographyPoint',
    ])
  })

  it('describe what a patch may contain', () => {
    expect(JSON.parse(emitJsonSchema(service)).$defs['place-patch']).toEqual({
      description: 'What a patch accepts for the type place.',
      type: 'object',
      properties: {
        city: { type: 'string', maxLength: 80 },
      },
      additionalProperties: true,
    })
  })

  it('are deterministic', () => {
    expect(emitJsonSchema(service)).toBe(emitJsonSchema(service))
  })
})

const whole = { label: 'x', stops: [], marks: 'none' }

describe('a value', () => {
  const cases: readonly (readonly [fits: boolean, schema: string, value: unknown])[] = [
    [true, 'parcel', {}],
    [true, 'parcel', { id: '1', '@odata.etag': 'W/"1"', '@odata.type': '#acme.depot.parcel', more: 1 }],
    [
      true,
      'parcel',
      { weight: 1.5, size: 'small', marks: 'fragile,cold', sender: null, sent: '2024-01-01T00:00:00.123Z' },
    ],
    [true, 'parcel', { depot: null, events: [{ number: 1 }], 'events@odata.count': 1 }],
    [true, 'parcel', { position: { type: 'Point', coordinates: [1, 2] } }],
    [false, 'parcel', { position: { type: 'LineString', coordinates: [[1, 2]] } }],
    [false, 'parcel', { size: 'huge' }],
    [false, 'parcel', { marks: 'fragile cold' }],
    [false, 'parcel', { label: null }],
    [false, 'parcel', { sent: '2024-01-01' }],
    [false, 'parcel', { weight: '1.5' }],
    [true, 'parcel-create', whole],
    [
      true,
      'parcel-create',
      { ...whole, sent: '2024-01-01T00:00Z', sender: { city: 'x', since: '2024-01-01', more: true } },
    ],
    [true, 'parcel-create', { ...whole, '@odata.type': '#acme.depot.parcel' }],
    [false, 'parcel-create', { label: 'x', stops: [] }],
    [false, 'parcel-create', { ...whole, id: '1' }],
    [false, 'parcel-create', { ...whole, stops: Array.from({ length: 10 }, () => ({ city: 'x' })) }],
    [false, 'parcel-create', { ...whole, stops: [{}] }],
    [false, 'parcel-create', { ...whole, other: 1 }],
    [false, 'parcel-create', { ...whole, depot: {} }],
    [false, 'parcel-create', { ...whole, secret: 'x' }],
    [true, 'parcel-patch', {}],
    [true, 'parcel-patch', { weight: null, sender: { city: 'x' } }],
    [false, 'parcel-patch', { sent: null }],
    [false, 'parcel-patch', { label: null }],
  ]
  it.each(cases)('fits: %s, %s %j', (expected, schema, value) => {
    expect(fits(schema, value)).toBe(expected)
  })
})

describe('the relations in a body', () => {
  let library: Ajv2020
  beforeAll(async () => {
    const loaded = await loadSpec('spec/library.yaml')
    if (loaded.service === undefined) throw new Error(JSON.stringify(loaded.diagnostics))
    library = compiled(emitJsonSchema(loaded.service))
  })
  const link = { '@odata.id': "authors('a')" }
  const author = { name: { given: 'Ann', family: 'Lee' } }
  const review = { stars: 5, text: 'Good.' }
  const cases: readonly (readonly [fits: boolean, schema: string, value: unknown])[] = [
    [true, 'author-create', { ...author, 'books@odata.bind': ["books('1')"] }],
    [false, 'author-create', { ...author, 'books@odata.bind': "books('1')" }],
    [true, 'author-create', { ...author, books: [{ '@odata.id': "books('1')" }] }],
    [false, 'author-create', { ...author, books: [{}] }],
    [false, 'author-create', { ...author, books: [{ '@odata.id': 1 }] }],
    [false, 'author-create', { ...author, other: [] }],
    [true, 'author-patch', { books: [{ '@odata.id': "books('1')" }, { title: 'new' }] }],
    [true, 'author-patch', { books: [{ isbn: '9780000000002', authors: [link, author] }] }],
    [false, 'author-patch', { books: [{ title: 1 }] }],
    [false, 'author-patch', { books: null }],
    [true, 'author-patch', { 'books@odata.delta': [{ '@removed': {}, isbn: '1' }, { title: 'new' }] }],
    [false, 'author-patch', { 'books@odata.delta': { title: 'new' } }],
    [true, 'copy-create-without-isbn', { number: 1, branchCode: 'A', acquired: '2020-01-01' }],
    [false, 'copy-create-without-branchCode', { number: 1, branchCode: 'A', acquired: '2020-01-01' }],
    [false, 'copy-create', { number: 1, branchCode: 'A', acquired: '2020-01-01' }],
    [true, 'member-patch', { 'homeBranch@odata.bind': null, homeBranch: null }],
    [false, 'member-create', { name: 'x', 'homeBranch@odata.bind': null }],
    [false, 'book-patch', { 'reviews@odata.bind': ["reviews('1')"], reviews: [{ ...review, stars: 'many' }] }],
  ]
  it.each(cases)('fits: %s, %s %j', (expected, schema, value) => {
    const validate = library.getSchema(`service#/$defs/${schema}`)
    expect(validate?.(value), JSON.stringify(validate?.errors)).toBe(expected)
  })

  const required = (name: string, { features = {} }: { readonly features?: object } = {}) => {
    const spec = { ...sampleSpec('A text.'), features }
    return loadService(JSON.stringify(spec)).then(model => JSON.parse(emitJsonSchema(model)).$defs[name])
  }

  it('are absent if the service does not take them', async () => {
    const { properties } = await required('parcel-create')
    expect(Object.keys(properties).filter(name => /depot|events/.test(name))).toEqual([])
  })

  it('can be the items of contained relations without a path that creates them', async () => {
    const { properties } = await required('parcel-create', { features: { deepInsert: 'required' } })
    expect(properties.events).toEqual({ type: 'array', items: { $ref: '#/$defs/event-create' } })
    expect(properties.depot).toEqual({ $ref: '#/$defs/odata.link' })
    expect(properties).not.toHaveProperty('depot@odata.bind')
  })
})

describe('every schema of the described services', () => {
  it.each(['spec/directory.yaml', 'spec/library.yaml'])('of %s compiles', async path => {
    const loaded = await loadSpec(path)
    if (loaded.service === undefined) throw new Error(JSON.stringify(loaded.diagnostics))
    const text = emitJsonSchema(loaded.service)
    const checker = compiled(text)
    for (const name of Object.keys(JSON.parse(text).$defs)) {
      expect(checker.getSchema(`service#/$defs/${name}`), name).toBeDefined()
    }
  })
})
