import { structuredTypeInfo, type TypeTable } from '../type-table.js'
import { castText, enumValue, jsonValue, memberNames, memberOf } from './conversion.js'
import { compareDecimals, type Decimal, decimalText, fromInteger } from './decimal.js'
import {
  describeValue,
  type EnumValue,
  EvaluationError,
  type NonNullValue,
  type NumericValue,
  type StructuredValue,
  type Value,
} from './value.js'

/**
 * Whether two values are equal. `null` equals only itself, and `NaN` equals nothing. Structured values compare by members,
 * collections by items in order.
 *
 * @throws {EvaluationError} when their types do not match
 * @see OData 4.01 URL Conventions, 5.1.1.1.1
 */
export function areEqual(left: Value, right: Value, types: TypeTable | undefined): boolean {
  if (left === null || right === null) return left === right
  if (typeof left !== 'boolean' && typeof right !== 'boolean') {
    if (left.kind === 'collection' && right.kind === 'collection') {
      return (
        left.items.length === right.items.length &&
        left.items.every((item, index) => areEqual(item, right.items[index] ?? null, types))
      )
    }
    if (left.kind === 'structured' && right.kind === 'structured') return areEqualItems(left, right, types)
    if (left.kind === 'binary' && right.kind === 'binary')
      return unpaddedBinary(left.text) === unpaddedBinary(right.text)
    if (left.kind === 'enum' && right.kind === 'enum') return areEqualMembers(left, right)
  }
  const [a, b] = reconcile(left, right, types)
  if (typeof a !== 'boolean' && a.kind === 'enum') return areEqual(a, b, types)
  return compareReconciled(a, b) === 0
}

/**
 * Negative, zero or positive if the left value is less than, equal to or greater than the right one; NaN if one is NaN.
 * `false` is less than `true`. Strings compare by code points, instants by time, durations by length.
 *
 * @throws {EvaluationError} when the values have no order
 * @see OData 4.01 URL Conventions, 5.1.1.1.3
 */
export function compare(left: Exclude<Value, null>, right: Exclude<Value, null>, types: TypeTable | undefined): number {
  const [a, b] = reconcile(left, right, types)
  return compareReconciled(a, b)
}

/** Converts a string to the type of the other operand. */
function reconcile(
  left: NonNullValue,
  right: NonNullValue,
  types: TypeTable | undefined,
): readonly [NonNullValue, NonNullValue] {
  if (typeof left === 'boolean' || typeof right === 'boolean') {
    return typeof left === typeof right ? [left, right] : incompatible(left, right)
  }
  if (left.kind === right.kind || (isNumeric(left) && isNumeric(right))) return [left, right]
  if (left.kind === 'enum' && right.kind === 'integer') return [left, { ...left, text: '', number: right.value }]
  if (left.kind === 'integer' && right.kind === 'enum') return [{ ...right, text: '', number: left.value }, right]
  if (left.kind === 'string') return [castFor(left.text, right, types) ?? incompatible(left, right), right]
  if (right.kind === 'string') return [left, castFor(right.text, left, types) ?? incompatible(left, right)]
  return incompatible(left, right)
}

function castFor(
  text: string,
  other: Exclude<NonNullValue, boolean>,
  types: TypeTable | undefined,
): NonNullValue | undefined {
  return (other.kind === 'enum' ? enumValue(other.type, text, types) : castText(text, other.kind)) ?? undefined
}

function compareReconciled(left: NonNullValue, right: NonNullValue): number {
  if (typeof left === 'boolean' || typeof right === 'boolean') return Number(left) - Number(right)
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right)
  switch (left.kind) {
    case 'string':
    case 'guid':
      if (right.kind === left.kind) return compareCodePoints(left.text, right.text)
      break
    case 'date':
      if (right.kind === 'date') return left.days - right.days
      break
    case 'dateTimeOffset':
    case 'timeOfDay':
    case 'duration':
      if (right.kind === left.kind) return compareDecimals(left.seconds, right.seconds)
      break
    case 'enum':
      if (right.kind === 'enum') return compareMembers(left, right)
      break
    default:
      break
  }
  return incompatible(left, right)
}

function compareMembers(left: EnumValue, right: EnumValue): number {
  if (left.number === undefined || right.number === undefined) {
    throw new EvaluationError(`The order of the members of ${left.type} is unknown.`)
  }
  return left.number < right.number ? -1 : left.number > right.number ? 1 : 0
}

/** Binary data in its one form without padding. @see RFC 4648, 5 */
function unpaddedBinary(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function areEqualMembers(left: EnumValue, right: EnumValue): boolean {
  if (left.number !== undefined && right.number !== undefined) return left.number === right.number
  const names = new Set(memberNames(left.text))
  const others = new Set(memberNames(right.text))
  return names.size === others.size && [...others].every(name => names.has(name))
}

function areEqualItems(left: StructuredValue, right: StructuredValue, types: TypeTable | undefined): boolean {
  const isData = (name: string): boolean => !name.includes('@')
  const names = Object.keys(left.json).filter(isData)
  if (names.length !== Object.keys(right.json).filter(isData).length) return false
  return names.every(name => {
    if (!Object.hasOwn(right.json, name)) return false
    return areEqual(memberValue(left, name, types), memberValue(right, name, types), types)
  })
}

function memberValue(item: StructuredValue, name: string, types: TypeTable | undefined): Value {
  const properties = structuredTypeInfo(item.type, types)?.properties
  const type = properties !== undefined && Object.hasOwn(properties, name) ? properties[name]?.type : undefined
  return jsonValue(memberOf(item.json, name), type, types)
}

function incompatible(left: NonNullValue, right: NonNullValue): never {
  const pair = `${describeValue(left)} with ${describeValue(right)}`
  throw new EvaluationError(`Cannot compare ${pair}: the types do not match.`)
}

export function isNumeric(value: Value): value is NumericValue {
  if (value === null || typeof value === 'boolean') return false
  return value.kind === 'integer' || value.kind === 'decimal' || value.kind === 'double'
}

export function toDouble(value: NumericValue): number {
  switch (value.kind) {
    case 'double':
      return value.value
    case 'integer':
      return Number(value.value)
    case 'decimal':
      return Number(decimalText(value.value))
  }
}

export function toDecimal(value: Exclude<NumericValue, { readonly kind: 'double' }>): Decimal {
  return value.kind === 'integer' ? fromInteger(value.value) : value.value
}

/**
 * Compares two numbers, exactly unless one is a double; NaN if they have no order.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.18 (numeric promotion)
 */
function compareNumbers(left: NumericValue, right: NumericValue): number {
  if (left.kind !== 'double' && right.kind !== 'double') return compareDecimals(toDecimal(left), toDecimal(right))
  const a = toDouble(left)
  const b = toDouble(right)
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN
  return a < b ? -1 : a > b ? 1 : 0
}

const firstSurrogate = 0xd800
const firstBehindSurrogates = 0xe000

/**
 * Compares two texts by code points. In the order of UTF-16 code units, characters outside the Basic Multilingual Plane would
 * come before some of the characters in it.
 */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Ranks surrogates after the other code units. */
function rank(unit: number): number {
  if (unit < firstSurrogate) return unit
  return unit < firstBehindSurrogates ? unit + 0x2000 : unit - 0x800
}
