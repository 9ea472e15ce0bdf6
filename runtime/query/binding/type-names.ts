import type { StructuredTypeInfo, TypeTable } from '../schema.js'
import { typeKey } from '../type-key.js'
import type { Frame } from './frame.js'
import { namedType, type SingleType } from './static-type.js'

/** The type of a qualified name, `Edm.String` or `directory.user`; absent when there is none. */
export function qualifiedType(name: string, frame: Frame): SingleType | undefined {
  const unqualified = unqualifiedName(name, frame)
  return unqualified === undefined ? undefined : namedType(unqualified, frame.types)
}

/** The name as the type table and the scope have it; absent when the namespace is another one. */
export function unqualifiedName(name: string, frame: Frame): string | undefined {
  const dot = name.lastIndexOf('.')
  if (dot < 0 || name.startsWith('Edm.')) return name
  const { namespace } = frame.scope
  const key = typeKey(name, frame.types)
  if (Object.hasOwn(frame.types, key) && frame.types[key]?.qualifiedName === name) return key
  return namespace === undefined || name.slice(0, dot) === namespace ? name.slice(dot + 1) : undefined
}

/** An entity type or complex type of the table, by unqualified name. */
export function structuredInfo(name: string, types: TypeTable): StructuredTypeInfo | undefined {
  const info = Object.hasOwn(types, name) ? types[name] : undefined
  return info?.kind === 'entityType' || info?.kind === 'complexType' ? info : undefined
}

/** Whether every value of `derived` is a value of `base`. */
export function isAssignable(derived: string, base: string, types: TypeTable): boolean {
  const seen = new Set<string>()
  for (let name: string | undefined = derived; name !== undefined && !seen.has(name); ) {
    if (name === base) return true
    seen.add(name)
    name = structuredInfo(name, types)?.base
  }
  return false
}
