import type { EnumTypeInfo, StructuredTypeInfo, TypeInfo, TypeTable } from '../schema.js'
import { typeKey } from '../type-key.js'

/** A type's name without its namespace and without the `#` of `@odata.type`. */
export function unqualified(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('#')) + 1)
}

/** The type of the table that a name, qualified or not, stands for. */
export function typeNamed(name: string | undefined, types: TypeTable | undefined): TypeInfo | undefined {
  if (name === undefined || types === undefined) return undefined
  const key = typeKey(name, types)
  return Object.hasOwn(types, key) ? types[key] : undefined
}

export function structuredTypeInfo(
  name: string | undefined,
  types: TypeTable | undefined,
): StructuredTypeInfo | undefined {
  const type = typeNamed(name, types)
  return type?.kind === 'entityType' || type?.kind === 'complexType' ? type : undefined
}

export function enumType(name: string | undefined, types: TypeTable | undefined): EnumTypeInfo | undefined {
  const type = typeNamed(name, types)
  return type?.kind === 'enumType' ? type : undefined
}

/** Whether a type is the other or derives from it. */
export function isSubtype(name: string, to: string, types: TypeTable | undefined): boolean {
  const target = typeKey(to, types)
  const seen = new Set<string>()
  let current: string | undefined = typeKey(name, types)
  while (current !== undefined && !seen.has(current)) {
    if (current === target) return true
    seen.add(current)
    current = structuredTypeInfo(current, types)?.base
  }
  return false
}
