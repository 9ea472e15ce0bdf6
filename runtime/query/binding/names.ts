import { didYouMean } from '../spelling.js'
import { type StructuredTypeInfo, type TypeTable, typeKey } from '../type-table.js'
import { type BindingContext, type FunctionSignature, report } from './context.js'
import { declaredType, namedType, type SingleType, type StaticType, untyped } from './static-type.js'

/** The type of a qualified name, `Edm.String` or `directory.user`; absent when there is none. */
export function qualifiedType(name: string, frame: BindingContext): SingleType | undefined {
  const unqualified = unqualifiedName(name, frame)
  return unqualified === undefined ? undefined : namedType(unqualified, frame.types)
}

/** The name as the type table and the scope have it; absent when the namespace is another one. */
export function unqualifiedName(name: string, frame: BindingContext): string | undefined {
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

/** The type of a property or relation; `untyped` for an undeclared one of an open type; absent when there is none. */
export function memberType(name: string, typeName: string, types: TypeTable): StaticType | undefined {
  const info = structuredInfo(typeName, types)
  if (info === undefined) return untyped
  if (Object.hasOwn(info.properties, name) && info.properties[name] !== undefined) {
    return declaredType(info.properties[name], types)
  }
  if (Object.hasOwn(info.navigation, name) && info.navigation[name] !== undefined) {
    return declaredType(info.navigation[name], types)
  }
  return info.open === true ? untyped : undefined
}

/** Says that the type has no such property, and which one was probably meant. */
export function unknownProperty(
  name: string,
  typeName: string,
  types: TypeTable,
  others: Iterable<string> = [],
): string {
  const info = structuredInfo(typeName, types)
  const names = [...Object.keys(info?.properties ?? {}), ...Object.keys(info?.navigation ?? {}), ...others]
  return `Could not find a property named '${name}' on type '${typeName}'.${didYouMean(name, names)}`
}

/** The function of that qualified name that the scope declares; reports when there is none. */
export function serviceFunction(name: string, frame: BindingContext): FunctionSignature | undefined {
  const functions = frame.scope.functions ?? {}
  const unqualified = unqualifiedName(name, frame)
  if (unqualified !== undefined && Object.hasOwn(functions, unqualified)) return functions[unqualified]
  const hint = didYouMean(unqualified ?? name, Object.keys(functions))
  report(frame, 'unknownFunction', `Could not find a function named '${name}'.${hint}`)
  return undefined
}
