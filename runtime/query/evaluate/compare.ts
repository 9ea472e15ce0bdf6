import { EvaluationError } from '../evaluation-error.js'
import type { TypeTable } from '../schema.js'
import { compareCodePoints } from './code-points.js'
import { compareDecimals } from './decimal.js'
import { enumValue, memberNames } from './enum-value.js'
import { memberOf } from './json-object.js'
import { jsonValue } from './json-value.js'
import { compareNumbers, isNumeric } from './numeric.js'
import { castText } from './text-cast.js'
import { structuredTypeInfo } from './type-lookup.js'
import { describeValue, type EnumValue, type Present, type StructuredValue, type Value } from './value.js'

/**
 * Whether two values are equal: `null` to itself only, `NaN` to nothing, structured values member by member, collections
 * item by item in order.
 *
 * @throws {EvaluationError} when their types do not go together
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
    if (left.kind === 'enum' && right.kind === 'enum') return areEqualMembers(left, right)
  }
  const [a, b] = reconcile(left, right, types)
  if (typeof a !== 'boolean' && a.kind === 'enum') return areEqual(a, b, types)
  return compareReconciled(a, b) === 0
}

/**
 * Negative, zero or positive as the left value is less than, equal to or greater than the right one; NaN when one is NaN.
 * `false` is less than `true`; strings go by code points, instants by time, durations by length.
 *
 * @throws {EvaluationError} when the values have no order
 * @see OData 4.01 URL Conventions, 5.1.1.1.3
 */
export function compare(left: Exclude<Value, null>, right: Exclude<Value, null>, types: TypeTable | undefined): number {
  const [a, b] = reconcile(left, right, types)
  return compareReconciled(a, b)
}

/** Brings a string to the type of the other operand. */
function reconcile(left: Present, right: Present, types: TypeTable | undefined): readonly [Present, Present] {
  if (typeof left === 'boolean' || typeof right === 'boolean') {
    return typeof left === typeof right ? [left, right] : incompatible(left, right)
  }
  if (left.kind === right.kind || (isNumeric(left) && isNumeric(right))) return [left, right]
  if (left.kind === 'string') return [castFor(left.text, right, types) ?? incompatible(left, right), right]
  if (right.kind === 'string') return [left, castFor(right.text, left, types) ?? incompatible(left, right)]
  return incompatible(left, right)
}

function castFor(text: string, other: Exclude<Present, boolean>, types: TypeTable | undefined): Present | undefined {
  return (other.kind === 'enum' ? enumValue(other.type, text, types) : castText(text, other.kind)) ?? undefined
}

function compareReconciled(left: Present, right: Present): number {
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
    throw new EvaluationError(`Members of ${left.type} have an order only when the type is known.`)
  }
  return left.number < right.number ? -1 : left.number > right.number ? 1 : 0
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

function incompatible(left: Present, right: Present): never {
  const pair = `${describeValue(left)} with ${describeValue(right)}`
  throw new EvaluationError(`Cannot compare ${pair}: these types do not go together.`)
}
