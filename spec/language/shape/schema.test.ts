import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { descriptionOf, languageSchema, type Schema, subschema } from './schema.js'

const schema = languageSchema()
const definitions = subschema(schema, '$defs') ?? {}

/** Every schema within a schema, with its pointer. */
function parts(part: unknown, pointer = '#'): readonly (readonly [string, Schema])[] {
  if (typeof part !== 'object' || part === null) return []
  const here: readonly (readonly [string, Schema])[] = Array.isArray(part) ? [] : [[pointer, { ...part }]]
  return [...here, ...Object.entries(part).flatMap(([key, value]) => parts(value, `${pointer}/${key}`))]
}

describe('specwright.schema.json', () => {
  it('is a JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true })
    expect(ajv.validateSchema(schema)).toBe(true)
    expect(() => ajv.compile(schema)).not.toThrow()
  })

  const properties = parts(schema).filter(
    // Under orderby, `properties` is a keyword of the language as well.
    ([pointer]) =>
      /\/properties\/[^/]+$/.test(pointer) &&
      !pointer.includes('/if/') &&
      !/properties\/(?:if|then|else)$/.test(pointer),
  )
  const values = parts(schema).filter(([pointer]) => /^#\/\$defs\/[^/]+$|\/additionalProperties$/.test(pointer))

  it.each([...properties, ...values])('%s has a description', (_, part) => {
    expect(descriptionOf(schema, part)).toMatch(/\S/)
  })

  it('has no object that accepts any key', () => {
    const loose = parts(schema).filter(
      ([pointer, part]) =>
        part['type'] === 'object' &&
        part['additionalProperties'] === undefined &&
        !pointer.endsWith('/if') &&
        pointer !== '#/$defs/resource',
    )
    expect(loose).toEqual([])
  })
})

describe('the schema and the types of documents agree', () => {
  const path = join(dirname(fileURLToPath(import.meta.url)), '..', 'document.ts')
  const file = ts.createSourceFile('document.ts', readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022)
  const interfaces = new Map(file.statements.filter(ts.isInterfaceDeclaration).map(each => [each.name.text, each]))

  /** Own and inherited members, each with whether it may be absent. */
  function members(name: string): ReadonlyMap<string, boolean> {
    const declaration = interfaces.get(name)
    const bases =
      declaration?.heritageClauses?.flatMap(clause => clause.types.map(type => type.expression.getText(file))) ?? []
    const own = (declaration?.members ?? []).flatMap((member): readonly (readonly [string, boolean])[] =>
      ts.isPropertySignature(member) && member.name !== undefined
        ? [[member.name.getText(file), member.questionToken !== undefined]]
        : [],
    )
    return new Map([...bases.flatMap(base => [...members(base)]), ...own])
  }

  const rows: readonly [name: string, definition: string][] = [
    ['ServiceDocument', 'service'],
    ['AuthenticationDocument', 'authentication'],
    ['StructuredTypeDocument', 'entityType'],
    ['PropertyDocument', 'property'],
    ['NavigationDocument', 'navigation'],
    ['EnumTypeDocument', 'enumType'],
    ['EnumMemberDocument', 'enumMember'],
    ['TypeDefinitionDocument', 'typeDefinition'],
    ['ContainerElementDocument', 'containerElement'],
    ['QueryOptionsDocument', 'queryOptions'],
    ['FilterDocument', 'filter'],
    ['PropertyFilterDocument', 'propertyFilter'],
    ['OrderbyDocument', 'orderby'],
    ['ExpandDocument', 'expand'],
    ['TopDocument', 'top'],
    ['ApplyDocument', 'apply'],
    ['SearchDocument', 'search'],
    ['ConditionDocument', 'condition'],
    ['PathDocument', 'path'],
    ['GetDocument', 'get'],
    ['PostDocument', 'post'],
    ['PatchDocument', 'patch'],
    ['PatchDocument', 'put'],
    ['DeleteDocument', 'delete'],
    ['OperationDocument', 'operation'],
    ['ParameterDocument', 'parameter'],
    ['ReturnTypeDocument', 'returnType'],
    ['MeaningDocument', 'meaning'],
    ['PreferenceDocument', 'preference'],
    ['ErrorDocument', 'error'],
    ['ErrorBodyDocument', 'errorBody'],
    ['ClauseDocument', 'clause'],
    ['OpenChoiceDocument', 'openChoice'],
    ['LimitsDocument', 'limits'],
  ]

  const compare = (name: string, part: Schema | undefined): void => {
    const written = members(name)
    expect(Object.keys(subschema(part, 'properties') ?? {}).sort()).toEqual([...written.keys()].sort())
    const required = [...written].flatMap(([key, isOptional]) => (isOptional ? [] : [key]))
    expect([part?.['required'] ?? []].flat().sort()).toEqual(required.sort())
  }

  it('every interface of a document is compared', () => {
    const compared = new Set([
      ...rows.map(([name]) => name),
      'SpecDocument',
      'Annotated',
      'Renamed',
      'EndpointDocument',
    ])
    expect([...interfaces.keys()].filter(name => !compared.has(name))).toEqual([])
  })

  it('SpecDocument', () => compare('SpecDocument', schema))

  it.each(rows)('%s and %s have the same keys, and require the same', (name, definition) => {
    compare(name, subschema(definitions, definition))
  })
})
