import type { StructuredTypeInfo, TypeTable } from '../../query/schema.js'

/** The entity or complex type of a name; undefined for anything else. */
export function structuredType(types: TypeTable, name: string): StructuredTypeInfo | undefined {
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  return type?.kind === 'entityType' || type?.kind === 'complexType' ? type : undefined
}
