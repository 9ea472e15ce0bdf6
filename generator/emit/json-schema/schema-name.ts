import type { StructuredType } from '../../../spec/language/model/index.js'
import type { TypeUse } from '../types/value-type-text.js'

/**
 * A name as the name of a schema, in JSON Schema and OpenAPI alike: letters, digits and `_` stay, every other character
 * becomes `.` and its code point. Spec names hold neither `.` nor `-`, so that names made here clash with none.
 *
 * @see OpenAPI 3.1, 4.8.7 (Components Object)
 */
export function schemaName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/gu, character => `.${character.codePointAt(0)?.toString(16)}`)
}

/** The schema of a type for one use: `user`, `user-create`, `user-patch`, `user-replace`. */
export function shapeSchemaName(type: StructuredType, use: TypeUse): string {
  // A complex value within a replacement is written as in a create.
  const written = type.kind === 'complexType' && use === 'replace' ? 'create' : use
  return schemaName(type.name) + (written === 'read' ? '' : `-${written}`)
}
