import { type PrimitiveTypeName, primitiveTypeNames } from './primitive-type-name.js'

const names: ReadonlySet<string> = new Set(primitiveTypeNames)

/** Whether a name is that of a primitive type, without `Edm.`. */
export function isPrimitiveTypeName(name: string): name is PrimitiveTypeName {
  return names.has(name)
}
