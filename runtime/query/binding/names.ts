import { didYouMean } from '../spelling.js'
import { isSubtype, structuredTypeInfo, type TypeTable, typeKey } from '../type-table.js'
import { type BindingContext, type FunctionSignature, report } from './context.js'
import { declaredType, describeType, namedType, type SingleType, type StaticType, untyped } from './static-type.js'

/** The type of a qualified name, `Edm.String` or `directory.user`. */
export function qualifiedType(name: string, context: BindingContext): SingleType | undefined {
  const unqualified = unqualifiedName(name, context)
  return unqualified === undefined ? undefined : namedType(unqualified, context.types)
}

/** The type of a qualified name. Reports an unknown type. */
export function requireType(name: string, context: BindingContext): SingleType | undefined {
  const type = qualifiedType(name, context)
  if (type === undefined) {
    const hint = didYouMean(name.slice(name.lastIndexOf('.') + 1), Object.keys(context.types))
    report(context, 'unknownType', `Could not find a type named '${name}'.${hint}`)
  }
  return type
}

/** The name in the type table and the scope; undefined for a name in another namespace. */
export function unqualifiedName(name: string, context: BindingContext): string | undefined {
  const dot = name.lastIndexOf('.')
  if (dot < 0 || name.startsWith('Edm.')) return name
  const { namespace } = context.scope
  const key = typeKey(name, context.types)
  if (Object.hasOwn(context.types, key) && context.types[key]?.qualifiedName === name) return key
  return namespace === undefined || name.slice(0, dot) === namespace ? name.slice(dot + 1) : undefined
}

/** The type of a property or relation; `untyped` for an undeclared property of an open type. */
export function memberType(name: string, typeName: string, types: TypeTable): StaticType | undefined {
  const info = structuredTypeInfo(typeName, types)
  if (info === undefined) return untyped
  if (Object.hasOwn(info.properties, name) && info.properties[name] !== undefined) {
    return declaredType(info.properties[name], types)
  }
  if (Object.hasOwn(info.navigation, name) && info.navigation[name] !== undefined) {
    return declaredType(info.navigation[name], types)
  }
  return info.open === true ? untyped : undefined
}

/** The message for an unknown property, with a suggestion. */
export function unknownProperty(
  name: string,
  typeName: string,
  types: TypeTable,
  others: Iterable<string> = [],
): string {
  const info = structuredTypeInfo(typeName, types)
  const names = [...Object.keys(info?.properties ?? {}), ...Object.keys(info?.navigation ?? {}), ...others]
  return `Could not find a property named '${name}' on type '${typeName}'.${didYouMean(name, names)}`
}

/** The function of the service with the qualified name. Reports an unknown function. */
export function serviceFunction(name: string, context: BindingContext): FunctionSignature | undefined {
  const functions = context.scope.functions ?? {}
  const unqualified = unqualifiedName(name, context)
  if (unqualified !== undefined && Object.hasOwn(functions, unqualified)) return functions[unqualified]
  const hint = didYouMean(unqualified ?? name, Object.keys(functions))
  report(context, 'unknownFunction', `Could not find a function named '${name}'.${hint}`)
  return undefined
}

/**
 * The type after a type cast in a path, `/ns.manager`, of a value or of each item of a collection. One of the types must
 * derive from the other.
 *
 * @see OData URL Conventions 4.01, 4.11
 */
export function bindCast(name: string, type: StaticType, context: BindingContext): StaticType {
  const target = requireType(name, context)
  if (target === undefined) return untyped
  const from = type.kind === 'collection' ? type.of : type
  if (!isRelated(from, target, context)) {
    const message = `A value of type ${describeType(from)} is never a '${name}': neither type derives from the other.`
    report(context, 'invalidCast', message)
    return untyped
  }
  return type.kind === 'collection' ? { kind: 'collection', of: target } : target
}

/** Whether a value of one structured type can be of the other. */
export function isRelated(from: SingleType, to: SingleType, context: BindingContext): boolean {
  if (from.kind === 'untyped') return true
  if ((from.kind !== 'entity' && from.kind !== 'complex') || from.kind !== to.kind) return false
  return isSubtype(to.name, from.name, context.types) || isSubtype(from.name, to.name, context.types)
}
