import type { NavigationProperty, Property, StructuredType } from '../../../spec/language/model/index.js'
import type { TypeUse } from '../types/value-type-text.js'
import { isStream, writable } from '../types/write-uses.js'
import { description } from './description.js'
import { type Json, type JsonObject, jsonObject } from './json.js'
import { shapeSchemaName } from './schema-name.js'
import { schemaNotes } from './schema-notes.js'
import { refer, type SchemaScope } from './schema-scope.js'
import { valueSchema } from './value-schema.js'

/**
 * What the service sends of a type. Nothing is required, since `$select` may leave anything out; relations are there when
 * they are expanded; more members, as annotations or those of a derived type, may be there too.
 *
 * @param isDerivable the type has a base, or is one
 */
export function readSchema(type: StructuredType, isDerivable: boolean, scope: SchemaScope): JsonObject {
  return jsonObject([
    ['description', description(type)],
    ['type', 'object'],
    [
      'properties',
      jsonObject([
        ...controlInformation(type, isDerivable),
        ...type.properties
          .filter(property => !isStream(property.type))
          .map(property => [property.name, propertySchema(property, 'read', scope)] as const),
        ...type.navigation.flatMap(relation => relationMembers(relation, scope)),
      ]),
    ],
  ])
}

/** What a request body holds: for a patch, absent leaves a value as it is, and null clears it. */
export function writeSchema(type: StructuredType, use: Exclude<TypeUse, 'read'>, scope: SchemaScope): JsonObject {
  const properties = writable(type.properties, use)
  const said = derivedTypeName(type)
  const required = [
    ...(said === undefined ? [] : ['@odata.type']),
    ...(use === 'patch' ? [] : properties.filter(each => each.required).map(({ name }) => name)),
  ]
  return jsonObject([
    ['description', `${purposes[use]}${type.name}.`],
    ['type', 'object'],
    [
      'properties',
      jsonObject([
        ['@odata.type', said === undefined ? undefined : { const: said }],
        ...properties.map(property => [property.name, propertySchema(property, use, scope)] as const),
      ]),
    ],
    ['required', required.length === 0 ? undefined : required],
    // Annotations are passed over; whatever else is not declared is an error.
    ['patternProperties', type.open ? undefined : { '@': {} }],
    ['additionalProperties', type.open],
  ])
}

/** What a body of a derived type says of itself: where its base is accepted, it is known by nothing else. */
function derivedTypeName(type: StructuredType): string | undefined {
  const isTold = type.kind === 'entityType' && type.base !== undefined && !type.base.abstract
  return isTold ? `#${type.qualifiedName}` : undefined
}

const purposes = {
  create: 'What creates a value of type ',
  patch: 'What changes a value of type ',
  replace: 'What replaces a value of type ',
}

function propertySchema(property: Property, use: TypeUse, scope: SchemaScope): JsonObject {
  const { default: byDefault } = property
  const said: readonly (readonly [string, Json | undefined])[] = [
    ['description', description(property, schemaNotes(property, use))],
    ['default', use === 'create' || use === 'replace' ? byDefault : undefined],
  ]
  return jsonObject([...Object.entries(valueSchema(property, use, scope)), ...said])
}

function controlInformation(type: StructuredType, isDerivable: boolean): readonly (readonly [string, Json])[] {
  const tag = type.kind === 'entityType' && type.entityTag !== 'none'
  const members: readonly (readonly [string, Json | undefined])[] = [
    ['@odata.type', isDerivable ? { type: 'string', description: 'The type, when it is a derived one.' } : undefined],
    ['@odata.etag', tag ? { type: 'string', description: 'The entity tag.' } : undefined],
  ]
  return members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function relationMembers(relation: NavigationProperty, scope: SchemaScope): readonly (readonly [string, Json])[] {
  const { name } = relation
  const target = refer(scope, shapeSchemaName(relation.type, 'read'))
  const about = description(relation, ['Returned only when expanded.']) ?? ''
  if (!relation.collection) return [[name, { anyOf: [target, { type: 'null' }], description: about }]]
  return [
    [name, { type: 'array', items: target, description: about }],
    [`${name}@odata.count`, { type: 'integer', minimum: 0 }],
    [`${name}@odata.nextLink`, { type: 'string' }],
  ]
}
