import { expectedForm } from '../../../runtime/query/index.js'
import { structuredTypes } from '../model/service.js'
import {
  type EnumMember,
  type EnumType,
  type PrimitiveTypeName,
  type Property,
  primitiveOf,
  safeIntegerRange,
} from '../model/types.js'
import type { Check } from './check.js'

const base64url = /^[A-Za-z0-9_-]*={0,2}$/

/** A default value is a value of its property. */
export const defaultValues: Check = ({ service, report }) => {
  for (const type of structuredTypes(service)) {
    for (const property of type.ownProperties) {
      const expected = property.default === undefined ? undefined : mismatch(property, property.default)
      if (expected === undefined) continue
      const message = `The default of "${property.name}" does not fit: expected ${expected}.`
      report({ code: 'spec/default-value', message, at: `${property.location.pointer}/default` })
    }
  }
}

/** What was expected, if the value does not fit the property. */
function mismatch(property: Property, value: NonNullable<Property['default']> | null): string | undefined {
  const { type, collection, nullable } = property
  if (collection) return 'none, since a collection begins empty'
  if (value === null) return nullable ? undefined : `a value, since "${property.name}" is not nullable`
  if (type.kind === 'enumType') return enumMismatch(type, value)
  const primitive = primitiveOf(type)
  if (primitive === undefined) return `none, since "${type.name}" has no values that can be written here`
  return primitiveMismatch(primitive, value) ?? facetMismatch(property, value)
}

function enumMismatch(type: EnumType, value: boolean | number | string): string | undefined {
  const names = type.members.map(member => member.name)
  const written = type.flags ? String(value).split(',') : [String(value)]
  if (typeof value === 'string' && written.every(name => names.includes(name.trim()))) return undefined
  return `${type.flags ? 'members, joined by commas,' : 'a member'} of "${type.name}": ${names.join(', ')}`
}

function primitiveMismatch(type: PrimitiveTypeName, value: boolean | number | string): string | undefined {
  const range = safeIntegerRange(type)
  if (range) {
    const [least, most] = range
    const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= most
    return fits ? undefined : `a whole number from ${least} to ${most}`
  }
  switch (type) {
    case 'Boolean':
      return typeof value === 'boolean' ? undefined : '`true` or `false`'
    case 'Decimal':
      return typeof value === 'number' || (typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value))
        ? undefined
        : 'a number'
    case 'Double':
    case 'Single':
      return typeof value === 'number' || value === 'INF' || value === '-INF' || value === 'NaN'
        ? undefined
        : 'a number'
    case 'String':
      return typeof value === 'string' ? undefined : 'text in quotes'
    case 'Binary':
      return typeof value === 'string' && base64url.test(value) ? undefined : 'text in base64url'
    case 'Guid':
    case 'Date':
    case 'DateTimeOffset':
    case 'TimeOfDay':
    case 'Duration':
      return typeof value === 'string' ? expectedForm(`Edm.${type}`, value) : `the text of a ${type}, in quotes`
    default:
      return `none, since ${type} has no values that can be written here`
  }
}

function facetMismatch(property: Property, value: boolean | number | string): string | undefined {
  const definition = property.type.kind === 'typeDefinition' ? property.type : undefined
  const { minLength, minimum, maximum } = property
  const maxLength = property.maxLength ?? definition?.maxLength
  if (typeof value === 'string' && primitiveOf(property.type) === 'String') {
    const length = [...value].length
    if (minLength !== undefined && length < minLength) return `at least ${minLength} characters`
    if (maxLength !== undefined && length > maxLength) return `at most ${maxLength} characters`
  }
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return `at least ${minimum}`
    if (maximum !== undefined && value > maximum) return `at most ${maximum}`
  }
  return undefined
}

/**
 * The members of an enumeration have different values that fit its underlying type; with `flags` each is a power of two,
 * zero, or a combination of the others.
 *
 * @see OData CSDL 4.01, 10 (enumeration type)
 */
export const enumMembers: Check = ({ service, report }) => {
  for (const type of service.enumTypes) {
    const [least, most] = safeIntegerRange(type.underlying) ?? [0, 0]
    const bits = type.members.reduce((all, { value }) => (isPowerOfTwo(value) ? all | BigInt(value) : all), 0n)
    const first = new Map<number, EnumMember>()
    for (const member of type.members) {
      const { name, value, location } = member
      const other = first.get(value)
      if (other === undefined) {
        first.set(value, member)
      } else {
        const message = `"${name}" has the value ${value}, which "${other.name}" already has. Give it another value.`
        const related = [{ message: `"${other.name}" is here`, at: other.location.pointer, on: 'key' as const }]
        report({ code: 'spec/enum-value', message, at: location.pointer, related })
      }
      if (value < least || value > most) {
        const message = `${value} does not fit ${type.underlying}: ${least} to ${most}. Choose another \`underlying\` type.`
        report({ code: 'spec/enum-range', message, at: location.pointer })
      } else if (type.flags && (value < 0 || (BigInt(value) & ~bits) !== 0n)) {
        const message = `${value} is neither a power of two nor a combination of members that are.`
        report({ code: 'spec/flag-value', message, at: location.pointer })
      }
    }
  }
}

const isPowerOfTwo = (value: number): boolean =>
  value > 0 && Number.isSafeInteger(value) && Number.isInteger(Math.log2(value))
