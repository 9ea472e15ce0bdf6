import type { Facets, ValueType } from '../../../spec/language/model/index.js'
import type { TypeUse } from '../types/value-type-text.js'
import { type Json, type JsonObject, jsonObject } from './json.js'
import { primitiveSchema } from './primitive-schema.js'
import { schemaName, shapeSchemaName } from './schema-name.js'
import { refer, type SchemaScope } from './schema-scope.js'

/** What holds a value: a property, a parameter, a result. */
export interface TypedValue extends Facets {
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
}

/** The schema of a value; `null` is part of it when the value may be null. An item of a collection is always whole. */
export function valueSchema(value: TypedValue, use: TypeUse, scope: SchemaScope): JsonObject {
  const itemUse = value.collection && use === 'patch' ? 'create' : use
  const item = typeSchema(value.type, value, itemUse, scope)
  if (!value.collection) return value.nullable ? orNull(item) : item
  return jsonObject([
    ['type', 'array'],
    ['items', item],
    ['minItems', value.minItems],
    ['maxItems', value.maxItems],
  ])
}

function typeSchema(type: ValueType, facets: Facets, use: TypeUse, scope: SchemaScope): JsonObject {
  switch (type.kind) {
    case 'primitive':
      return primitiveSchema(type.name, facets, scope)
    case 'enumType':
    case 'typeDefinition':
      return refer(scope, schemaName(type.name))
    default:
      return refer(scope, shapeSchemaName(type, use))
  }
}

/** `["string","null"]` where the type is one word, else an alternative. */
function orNull(schema: JsonObject): JsonObject {
  const { type } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const types: Json = [type, 'null']
  return { ...schema, type: types }
}
