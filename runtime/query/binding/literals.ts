import type { Literal } from '../ast.js'
import { expectedForm } from '../primitive-types.js'
import { didYouMean } from '../spelling.js'
import type { TypeTable } from '../type-table.js'
import { type BindingContext, report } from './context.js'
import { qualifiedType } from './names.js'
import { nullType, type StaticType, untyped } from './static-type.js'

const largestInt32 = 2n ** 31n
const largestInt64 = 2n ** 63n

/** More digits are no Int64, and need not be counted. */
const longestInt64 = 20

/** The type of a literal, checked as far as the grammar cannot: dates exist, enumeration members are known. */
export function bindLiteral(literal: Literal, frame: BindingContext): StaticType {
  switch (literal.type) {
    case 'null':
      return nullType
    case 'Enum':
      return enumLiteral(literal, frame)
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
        report(frame, 'invalidLiteral', `${literal.value} is no ${name}. Write a date that exists, as ${expected}.`)
      }
      return { kind: 'primitive', name }
    }
    default:
      return { kind: 'primitive', name: `Edm.${literal.type}` }
  }
}

function enumLiteral(literal: Literal & { readonly type: 'Enum' }, frame: BindingContext): StaticType {
  const type = qualifiedType(literal.enumType, frame)
  if (type?.kind !== 'enum') {
    const candidates = Object.keys(frame.types).filter(name => frame.types[name]?.kind === 'enumType')
    const hint = didYouMean(literal.enumType.slice(literal.enumType.lastIndexOf('.') + 1), candidates)
    report(frame, 'unknownType', `Could not find an enumeration type named '${literal.enumType}'.${hint}`)
    return untyped
  }
  const problem = enumTextProblem(type.name, literal.value, frame.types)
  if (problem !== undefined) report(frame, 'unknownMember', problem)
  return type
}

function integerType(text: string): string {
  if (text.length > longestInt64) return 'Edm.Decimal'
  const value = BigInt(text)
  if (value >= -largestInt32 && value < largestInt32) return 'Edm.Int32'
  return value >= -largestInt64 && value < largestInt64 ? 'Edm.Int64' : 'Edm.Decimal'
}

const geoShapes = ['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon', 'Collection']

/** `SRID=0;Point(1 2)` of a geography is an `Edm.GeographyPoint`. */
function geoType(family: 'Geography' | 'Geometry', text: string): string {
  const written = text.slice(text.indexOf(';') + 1).toLowerCase()
  const shape = geoShapes.find(name =>
    written.startsWith(name === 'Collection' ? 'geometrycollection' : name.toLowerCase()),
  )
  return `Edm.${family}${shape ?? ''}`
}

/**
 * What is wrong with a text that shall be a value of an enumeration type: names of members, or their numbers; several
 * with commas when the type has flags. Absent: nothing is wrong.
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
    if (/^-?\d{1,19}$/.test(name) && (info.flags === true || Object.values(info.members).includes(Number(name))))
      continue
    const members = Object.keys(info.members)
    const hint = didYouMean(name, members) || ` Expected one of ${members.slice(0, 20).join(', ')}.`
    return `'${name}' is no member of the enumeration '${typeName}'.${hint}`
  }
  return undefined
}
