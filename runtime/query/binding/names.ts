import type { Literal } from '../ast.js'
import { didYouMean } from '../operators.js'
import { expectedForm, geoShapes } from '../primitive-types.js'
import { isSubtype, structuredTypeInfo, type TypeTable, typeKey } from '../type-table.js'
import {
  type BindingContext,
  declaredType,
  describeType,
  type FunctionSignature,
  namedType,
  nullType,
  report,
  type SingleType,
  type StaticType,
  untyped,
} from './context.js'

/** The type of a qualified name, `Edm.String` or `directory.user`. */
function qualifiedType(name: string, context: BindingContext): SingleType | undefined {
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
  for (const key of [unqualified, name]) {
    if (key !== undefined && Object.hasOwn(functions, key)) return functions[key]
  }
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

const largestInt32 = 2n ** 31n
const largestInt64 = 2n ** 63n

/** Longer texts are beyond the range of Int64. */
const longestInt64 = 20

/** The type of a literal. Checks what the grammar does not: that dates exist and enumeration members are known. */
export function bindLiteral(literal: Literal, context: BindingContext): StaticType {
  switch (literal.type) {
    case 'null':
      return nullType
    case 'Enum':
      return enumLiteral(literal, context)
    case 'Integer':
      return { kind: 'primitive', name: integerType(literal.value) }
    case 'Geography':
    case 'Geometry':
      return { kind: 'primitive', name: geoType(literal.type, literal.value) }
    case 'Date':
    case 'DateTimeOffset':
    case 'TimeOfDay': {
      const name = `Edm.${literal.type}`
      const expected = expectedForm(name, literal.value)
      if (expected !== undefined) {
        report(
          context,
          'invalidLiteral',
          `${literal.value} is not an ${name}. Write a date that exists, as ${expected}.`,
        )
      }
      return { kind: 'primitive', name }
    }
    default:
      return { kind: 'primitive', name: `Edm.${literal.type}` }
  }
}

function enumLiteral(literal: Literal & { readonly type: 'Enum' }, context: BindingContext): StaticType {
  const type = qualifiedType(literal.enumType, context)
  if (type?.kind !== 'enum') {
    const candidates = Object.keys(context.types).filter(name => context.types[name]?.kind === 'enumType')
    const hint = didYouMean(literal.enumType.slice(literal.enumType.lastIndexOf('.') + 1), candidates)
    report(context, 'unknownType', `Could not find an enumeration type named '${literal.enumType}'.${hint}`)
    return untyped
  }
  const problem = enumTextProblem(type.name, literal.value, context.types)
  if (problem !== undefined) report(context, 'unknownMember', problem)
  return type
}

function integerType(text: string): string {
  if (text.length > longestInt64) return 'Edm.Decimal'
  const value = BigInt(text)
  if (value >= -largestInt32 && value < largestInt32) return 'Edm.Int32'
  return value >= -largestInt64 && value < largestInt64 ? 'Edm.Int64' : 'Edm.Decimal'
}

/** The type of a geo literal: `Edm.GeographyPoint` for `geography'SRID=0;Point(1 2)'`. */
function geoType(family: 'Geography' | 'Geometry', text: string): string {
  const written = text.slice(text.indexOf(';') + 1).toLowerCase()
  const shape = geoShapes.find(name =>
    written.startsWith(name === 'Collection' ? 'geometrycollection' : name.toLowerCase()),
  )
  return `Edm.${family}${shape ?? ''}`
}

/**
 * The problem of a text that should be a value of an enumeration type: names or numbers of members, separated by commas if the
 * type has flags.
 *
 * @see OData ABNF, `enumValue`
 */
export function enumTextProblem(typeName: string, text: string, types: TypeTable): string | undefined {
  const info = Object.hasOwn(types, typeName) ? types[typeName] : undefined
  if (info?.kind !== 'enumType') return undefined
  const written = text.split(',')
  if (written.length > 1 && info.flags !== true) {
    return `'${text}' names ${written.length} members, but '${typeName}' takes one: it has no flags.`
  }
  for (const name of written) {
    if (Object.hasOwn(info.members, name)) continue
    const isNumber = /^-?\d{1,19}$/.test(name)
    if (isNumber && (info.flags === true || Object.values(info.members).includes(Number(name)))) continue
    const members = Object.keys(info.members)
    const hint = didYouMean(name, members) || ` Expected one of ${members.slice(0, 20).join(', ')}.`
    return `'${name}' is not a member of the enumeration '${typeName}'.${hint}`
  }
  return undefined
}
