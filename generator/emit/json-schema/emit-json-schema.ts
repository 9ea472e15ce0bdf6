import type { EnumType, Service, TypeDefinition } from '../../../spec/language/index.js'
import { ownershipNote } from '../../generated-file.js'
import { decimalNotes, description } from '../doc-comments.js'
import { type Json, type JsonObject, jsonObject, jsonText } from '../json.js'
import { namedBodyTypes, writeUses } from '../write-shapes.js'
import { geoSchema, primitiveSchema, type SchemaScope } from './primitive-schema.js'
import { readSchema, schemaName, shapeSchemaName, valueSchema, writeSchema } from './structured-schema.js'

/**
 * The types of a service as one JSON Schema document: under `$defs`, `user` is what the service sends, `user-create`,
 * `user-patch` and `user-replace` what it accepts.
 *
 * @see JSON Schema 2020-12
 */
export function emitJsonSchema(service: Service): string {
  return jsonText(
    jsonObject([
      ['$schema', 'https://json-schema.org/draft/2020-12/schema'],
      ['$comment', ownershipNote(service.name)],
      ['title', service.title],
      ['description', description(service)],
      ['$defs', schemaDefinitions(service, '#/$defs/')],
    ]),
  )
}

/** All schemas of a service, by name: what it sends and what it accepts of each type, in the order of the spec. */
export function schemaDefinitions(service: Service, prefix: string): JsonObject {
  const scope: SchemaScope = { prefix, geoTypes: new Set() }
  const uses = writeUses(service)
  const named = namedBodyTypes(service)
  const definitions: (readonly [string, Json])[] = []
  const structured = [...service.entityTypes, ...service.complexTypes]
  const bases = new Set(structured.map(type => type.base))
  for (const type of structured) {
    const isDerivable = type.base !== undefined || bases.has(type)
    definitions.push([shapeSchemaName(type, 'read'), readSchema(type, isDerivable, scope)])
    for (const use of ['create', 'patch', 'replace'] as const) {
      const isOwn = uses.get(type)?.has(use) === true && !(use === 'replace' && type.kind === 'complexType')
      if (isOwn) definitions.push([shapeSchemaName(type, use), writeSchema(type, use, named.has(type), scope)])
    }
  }
  for (const type of service.enumTypes) definitions.push([schemaName(type.name), enumSchema(type)])
  for (const type of service.typeDefinitions) definitions.push([schemaName(type.name), definitionSchema(type, scope)])
  for (const { parameters, returns } of service.operations) {
    // Their schemas are elsewhere, but what these refer to is here.
    for (const value of returns === undefined ? parameters : [...parameters, returns]) valueSchema(value, 'read', scope)
  }
  for (const name of [...scope.geoTypes].sort()) definitions.push([`Edm.${name}`, geoSchema(name)])
  return jsonObject(definitions)
}

/** @see OData JSON Format 4.01, 7.1: an enumeration value is the name of its member; flags are joined by commas. */
function enumSchema(type: EnumType): JsonObject {
  const names = type.members.map(({ name }) => name)
  const one = names.map(escapePattern).join('|')
  const about = type.members.flatMap(member =>
    member.description === undefined ? [] : [`${member.name}: ${member.description}`],
  )
  return jsonObject([
    ['description', description(type, about)],
    ['type', 'string'],
    ...(type.flags ? ([['pattern', `^(${one})(,(${one}))*$`]] as const) : ([['enum', names]] as const)),
  ])
}

function definitionSchema(type: TypeDefinition, scope: SchemaScope): JsonObject {
  return jsonObject([
    ['description', description(type, type.underlying === 'Decimal' ? decimalNotes(type) : [])],
    ...Object.entries(primitiveSchema(type.underlying, type, scope)),
  ])
}

function escapePattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
