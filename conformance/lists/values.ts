import {
  type ComplexType,
  type EntityType,
  type EnumType,
  type PrimitiveTypeName,
  type Property,
  type Service,
  safeIntegerRange,
  type ValueType,
} from '../../spec/language/index.js'
import { isRow, type Row } from '../json.js'
import { daysOf, durationOf, instantOf, ticksInSecond, timeOf } from '../oracle/temporal.js'
import { isKindOf } from './properties.js'

/**
 * Whether two JSON values of a property are equal: timestamps in any format, to the millisecond; numbers as digits or
 * strings; GUIDs in any case; the items of a collection in any order. An omitted value is null. A member that one
 * complex value omits is not compared.
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
      return equalWhenParsed(a, b, millisecondOf)
    case 'Duration':
      return equalWhenParsed(a, b, durationOf)
    case 'TimeOfDay':
      return equalWhenParsed(a, b, text => timeOf(text)?.ticks)
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

/** A format may drop fractions below a millisecond. */
function millisecondOf(text: string): bigint | undefined {
  const instant = instantOf(text)
  return instant === undefined ? undefined : instant.ticks / (ticksInSecond / 1000n)
}

function equalWhenParsed(a: unknown, b: unknown, read: (text: string) => bigint | undefined): boolean {
  const left = typeof a === 'string' ? read(a) : undefined
  const right = typeof b === 'string' ? read(b) : undefined
  return left === undefined || right === undefined ? a === b : left === right
}

function binaryText(value: unknown): string {
  return String(value).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The sorted names of members, which may be given by name or number. */
function memberText(value: unknown, { members }: EnumType): string {
  return String(value)
    .split(',')
    .map(name => name.trim())
    .map(name => members.find(member => String(member.value) === name)?.name ?? name)
    .sort()
    .join(',')
}

/** A value that does not have its declared type. */
export interface TypeMismatch {
  /** From the property down: `body/contentType`. */
  readonly path: string
  readonly value: unknown
  /** The name of the declared type. */
  readonly type: string
}

/**
 * The first part of a value that does not have the declared type. Null is valid for every type; undeclared members are
 * ignored.
 */
export function findTypeMismatch(value: unknown, property: Property, prefix = ''): TypeMismatch | undefined {
  const path = `${prefix}${property.name}`
  if (value === null || value === undefined) return undefined
  if (!property.collection) return mismatchOf(value, property.type, path)
  if (!Array.isArray(value)) return { path, value, type: 'Collection' }
  for (const item of value) {
    const fault = mismatchOf(item, property.type, path)
    if (fault !== undefined) return fault
  }
  return undefined
}

function mismatchOf(value: unknown, type: ValueType, path: string): TypeMismatch | undefined {
  if (value === null) return undefined
  switch (type.kind) {
    case 'complexType':
      return isRow(value) ? memberMismatch(value, type, path) : { path, value, type: type.name }
    case 'enumType':
      return typeof value === 'string' && value !== '' ? undefined : { path, value, type: type.name }
    case 'typeDefinition':
      return isOfType(value, type.underlying) ? undefined : { path, value, type: type.underlying }
    case 'primitive':
      return isOfType(value, type.name) ? undefined : { path, value, type: type.name }
    default:
      return undefined
  }
}

function memberMismatch(
  value: Readonly<Record<string, unknown>>,
  type: ComplexType,
  path: string,
): TypeMismatch | undefined {
  for (const property of type.properties) {
    if (!Object.hasOwn(value, property.name)) continue
    const fault = findTypeMismatch(value[property.name], property, `${path}/`)
    if (fault !== undefined) return fault
  }
  return undefined
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const notFinite: ReadonlySet<unknown> = new Set(['INF', '-INF', 'NaN'])
function isOfType(value: unknown, name: PrimitiveTypeName): boolean {
  // Int64 can also be a string.
  const range = name === 'Int64' ? undefined : safeIntegerRange(name)
  if (range !== undefined) {
    return typeof value === 'number' && Number.isInteger(value) && value >= range[0] && value <= range[1]
  }
  const reads = (read: (text: string) => unknown): boolean => typeof value === 'string' && read(value) !== undefined
  switch (name) {
    case 'Boolean':
      return typeof value === 'boolean'
    // A string if the client asks for it, or if a number would lose digits.
    case 'Int64':
      return Number.isInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value))
    case 'Decimal':
      return (
        typeof value === 'number' ||
        (typeof value === 'string' && /^[-+]?\d{1,40}(\.\d{1,40})?(e[-+]?\d{1,4})?$/i.test(value))
      )
    case 'Double':
    case 'Single':
      return typeof value === 'number' || notFinite.has(value)
    case 'Guid':
      return typeof value === 'string' && guid.test(value)
    case 'Date':
      return reads(daysOf)
    case 'DateTimeOffset':
      return reads(instantOf)
    case 'TimeOfDay':
      return reads(timeOf)
    case 'Duration':
      return reads(durationOf)
    case 'String':
    case 'Binary':
      return typeof value === 'string'
    case 'Stream':
      return true
    default:
      return isRow(value)
  }
}

/**
 * The declared properties whose values differ between two representations of an item. In complex values, null equals an
 * omitted member. A property that one representation omits is not compared.
 */
export function rowDifferences(
  left: Row,
  right: Row,
  type: EntityType,
  service: Pick<Service, 'entityTypes'>,
): readonly RowDifference[] {
  return propertiesBelow(type, service).flatMap(property => {
    const { name } = property
    if (!Object.hasOwn(left, name) || !Object.hasOwn(right, name)) return []
    return isSameValue(left[name], right[name], property) ? [] : [{ property, left: left[name], right: right[name] }]
  })
}

interface RowDifference {
  readonly property: Property
  readonly left: unknown
  readonly right: unknown
}

/** One line of a report. */
export function describeDifference({ property, left, right }: RowDifference, one: string, other: string): string {
  return `${property.name}: ${JSON.stringify(left)} ${one}, ${JSON.stringify(right)} ${other}`
}

/** Properties of a type and its derived types, each name once. */
function propertiesBelow(type: EntityType, { entityTypes }: Pick<Service, 'entityTypes'>): readonly Property[] {
  const byName = new Map(type.properties.map(property => [property.name, property]))
  for (const derived of entityTypes) {
    if (!isKindOf(derived, type)) continue
    for (const property of derived.ownProperties) if (!byName.has(property.name)) byName.set(property.name, property)
  }
  return [...byName.values()]
}
