import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { loadSpec } from '../load.js'
import { editorSchema } from './editor-schema.js'
import { languageSchema, type Schema, schemaAt } from './schema.js'

const document = {
  authentication: { scopes: { 'Tasks.Read': 'Read' } },
  resources: {
    $include: './types.yaml',
    task: { kind: 'entityType' },
    place: { kind: 'complexType' },
    state: { kind: 'enumType' },
  },
  container: { tasks: {} },
  queryOptions: { tasks: {} },
  operations: { archive: {} },
  preferences: { timezone: {} },
  errors: { notFound: {} },
  open: { nullOrder: {} },
}

const examplesAt = (schema: Schema, fragment: string): unknown => schemaAt(schema, `#/$defs/${fragment}`)?.['examples']

describe('the JSON Schema for an editor', () => {
  const schema = editorSchema(document)

  it.each([
    ['navigation/properties/to', ['task']],
    ['entityType/properties/base', ['task']],
    ['complexType/properties/base', ['place']],
    ['containerElement/properties/entitySet', ['task']],
    ['containerElement/properties/bindings/additionalProperties', ['tasks']],
    ['post/properties/creates', ['task']],
    ['put/properties/updates', ['task', 'item', 'stream']],
    ['get/properties/query', ['tasks']],
    ['get/properties/calls', ['archive']],
    ['post/properties/calls', ['archive']],
    ['delete/properties/prefer/items', ['timezone']],
    ['patch/properties/errors/items', ['notFound']],
    ['authentication/properties/missing', ['notFound']],
    ['faults/properties/itemNotFound', ['notFound']],
    ['get/properties/scopes/items', ['Tasks.Read']],
    ['expand/properties/scopes/additionalProperties/items', ['Tasks.Read']],
    ['clause/properties/open', ['nullOrder']],
  ])('offers the names of the spec at %s', (fragment, names) => {
    expect(examplesAt(schema, fragment)).toEqual(names)
  })

  it.each(['property', 'parameter', 'returnType'])('offers types of the spec and primitive types for a %s', part => {
    const examples = examplesAt(schema, `${part}/properties/type`)
    expect(examples).toEqual(expect.arrayContaining(['task', 'place', 'state', 'String', 'DateTimeOffset']))
    expect(examples).not.toContain('$include')
  })

  it('refers to names only at parts that the language has', () => {
    const offered = JSON.stringify(schema).match(
      /"examples":\["(?:task|tasks|place|archive|timezone|notFound|Tasks.Read|nullOrder)"/g,
    )
    // 13 places of types, 1 of sets, 1 of query options, 2 of operations, 5 of preferences, 6 of scopes, 2 of choices, and
    // those of errors: 8, and one for each fault.
    const faults = Object.keys(schemaAt(schema, '#/$defs/faults/properties') ?? {})
    expect(offered).toHaveLength(13 + 1 + 1 + 2 + 5 + 6 + 2 + 8 + faults.length)
  })

  it.each(['directory', 'library', 'starter'])('accepts the spec %s, and a name that it does not list', async name => {
    const path = new URL(`../../${name}.yaml`, import.meta.url).pathname
    const { source } = await loadSpec(path)
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true })
    expect(ajv.validate(editorSchema(document), source.document)).toBe(true)
    expect(readFileSync(path, 'utf8')).toContain('yaml-language-server')
  })

  it('of no spec, or of a text that is no spec, is that of the language', () => {
    for (const nothing of [undefined, null, 'text', [], { resources: 7, authentication: { scopes: ['x'] } }]) {
      const { $comment: _, properties: _whole, ...rest } = editorSchema(nothing)
      expect(rest['$defs']).toMatchObject(languageSchema()['$defs'] ?? {})
    }
  })
})
