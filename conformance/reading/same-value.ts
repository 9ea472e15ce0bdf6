import type { ComplexType, EnumType, Property, ValueType } from '../../spec/language/index.js'
import { isRow } from '../is-row.js'
import { durationOf, instantOf, ticksInSecond, timeOf } from '../semantics/temporal.js'

/**
 * Whether two JSON values of a property stand for the same: moments in any rendering, to the millisecond; numbers in digits
 * or in quotes; Guids in any letter case; the items of a collection in any order. An absent value is null; a member
 * of a complex value that one side does not show is not compared.
 */
export function isSameValue(left: unknown, right: unknown, property: Pick<Property, 'type' | 'collection'>): boolean {
  if (!property.collection) return isSame(left, right, property.type)
  const a = left ?? []
  const b = right ?? []
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  const rest = [...b]
  return a.every(item => {
    const at = rest.findIndex(other => isSame(item, other, property.type))
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
}

function isSame(left: unknown, right: unknown, type: ValueType): boolean {
  const a = left ?? null
  const b = right ?? null
  if (a === b) return true
  if (a === null || b === null) return false
  switch (type.kind) {
    case 'complexType':
      return isSameObject(a, b, type)
    case 'enumType':
      return memberText(a, type) === memberText(b, type)
    case 'typeDefinition':
      return isSamePrimitive(a, b, type.underlying)
    case 'primitive':
      return isSamePrimitive(a, b, type.name)
    default:
      return true
  }
}

function isSameObject(a: unknown, b: unknown, type: ComplexType): boolean {
  if (!isRow(a) || !isRow(b)) return false
  return type.properties.every(property => {
    const { name } = property
    if (!Object.hasOwn(a, name) || !Object.hasOwn(b, name)) return true
    return isSameValue(a[name], b[name], property)
  })
}

function isSamePrimitive(a: unknown, b: unknown, name: string): boolean {
  switch (name) {
    case 'DateTimeOffset':
      return sameBy(a, b, millisecondOf)
    case 'Duration':
      return sameBy(a, b, durationOf)
    case 'TimeOfDay':
      return sameBy(a, b, text => timeOf(text)?.ticks)
    case 'Guid':
      return String(a).toLowerCase() === String(b).toLowerCase()
    case 'Binary':
      return binaryText(a) === binaryText(b)
    case 'Int64':
    case 'Decimal':
    case 'Double':
    case 'Single':
      return String(a) === String(b) || Number(a) === Number(b)
    case 'Stream':
      return true
    default:
      return JSON.stringify(a) === JSON.stringify(b)
  }
}

/** What is finer than a millisecond may be cut off in one rendering and not in another. */
function millisecondOf(text: string): bigint | undefined {
  const instant = instantOf(text)
  return instant === undefined ? undefined : instant.ticks / (ticksInSecond / 1000n)
}

function sameBy(a: unknown, b: unknown, read: (text: string) => bigint | undefined): boolean {
  const left = typeof a === 'string' ? read(a) : undefined
  const right = typeof b === 'string' ? read(b) : undefined
  return left === undefined || right === undefined ? a === b : left === right
}

function binaryText(value: unknown): string {
  return String(value).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Members in the order of their values, whether they were written by name or by number. */
function memberText(value: unknown, { members }: EnumType): string {
  return String(value)
    .split(',')
    .map(name => name.trim())
    .map(name => members.find(member => String(member.value) === name)?.name ?? name)
    .sort()
    .join(',')
}
