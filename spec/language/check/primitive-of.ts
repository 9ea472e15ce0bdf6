import type { PrimitiveTypeName } from '../model/primitive-type-name.js'
import type { ValueType } from '../model/types.js'

/** The primitive type of a value, that of a type definition included; undefined for all other types. */
export function primitiveOf(type: ValueType): PrimitiveTypeName | undefined {
  if (type.kind === 'primitive') return type.name
  return type.kind === 'typeDefinition' ? type.underlying : undefined
}
