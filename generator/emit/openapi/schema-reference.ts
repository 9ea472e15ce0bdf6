import type { StructuredType } from '../../../spec/language/model/index.js'
import type { JsonObject } from '../json-schema/json.js'
import { shapeSchemaName } from '../json-schema/schema-name.js'
import type { TypeUse } from '../types/value-type-text.js'

export const schemasPrefix = '#/components/schemas/'

export function schemaReference(name: string): JsonObject {
  return { $ref: schemasPrefix + name }
}

/** What is sent or accepted of a type. */
export function shapeReference(type: StructuredType, use: TypeUse): JsonObject {
  return schemaReference(shapeSchemaName(type, use))
}

/** Names hold a `.` where no type's name has one. */
export const errorSchemaName = 'odata.error'

/** `user-collection` and `user-delta`: a page of items, a page of changes. */
export function envelopeSchemaName(type: StructuredType, envelope: 'collection' | 'delta'): string {
  return `${shapeSchemaName(type, 'read')}-${envelope}`
}
