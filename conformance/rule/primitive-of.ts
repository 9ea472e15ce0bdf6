import type { PrimitiveTypeName, ValueType } from '../../spec/language/index.js'

/** The primitive type that values of a type are; absent for enumerations and structured types. */
export function primitiveOf(type: ValueType): PrimitiveTypeName | undefined {
  if (type.kind === 'primitive') return type.name
  return type.kind === 'typeDefinition' ? type.underlying : undefined
}
