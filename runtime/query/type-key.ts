import type { TypeTable } from './schema.js'

/** What types of other namespaces, or of other names than their keys, are called: made once a table. */
const namesByTable = new WeakMap<TypeTable, ReadonlyMap<string, string>>()

/**
 * The key in a type table of what a name stands for: a key, a qualified name, or that of `@odata.type`, which begins with `#`.
 * Of a type that the table has under its own name, it is the last part.
 */
export function typeKey(name: string, types: TypeTable | undefined): string {
  const plain = name.startsWith('#') ? name.slice(1) : name
  const dot = plain.lastIndexOf('.')
  if (dot < 0 || types === undefined) return plain.slice(dot + 1)
  return qualifiedNames(types).get(plain) ?? plain.slice(dot + 1)
}

function qualifiedNames(types: TypeTable): ReadonlyMap<string, string> {
  const known = namesByTable.get(types)
  if (known !== undefined) return known
  const names = new Map<string, string>()
  for (const [key, { qualifiedName }] of Object.entries(types)) {
    if (qualifiedName !== undefined) names.set(qualifiedName, key)
  }
  namesByTable.set(types, names)
  return names
}
