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
