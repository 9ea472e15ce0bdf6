import type { Literal } from '../ast.js'
import { expectedForm, geoShapes } from '../primitive-types.js'
import { didYouMean } from '../spelling.js'
import type { TypeTable } from '../type-table.js'
import { type BindingContext, report } from './context.js'
import { qualifiedType } from './names.js'
import { nullType, type StaticType, untyped } from './static-type.js'

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
