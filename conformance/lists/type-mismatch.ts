import {
  type Annotations,
  type ComplexType,
  type EntityType,
  type EnumType,
  type Facets,
  type PrimitiveTypeName,
  type Property,
  type Service,
  safeIntegerRange,
  type ValueType,
} from '../../spec/language/index.js'
import { permitsNull } from '../choices/scope.js'
import { isRow, type Row } from '../json.js'
import { daysOf, durationOf, instantOf, timeOf } from '../oracle/temporal.js'
import { brokenFacet, brokenListFacet, facetForm } from './facets.js'
import { declaredProperties, isKindOf } from './properties.js'
import { isGeoJson } from './values.js'

/** A value that does not have its declared type. */
export interface TypeMismatch {
  /** From the property down: `body/contentType`. */
  readonly path: string
  readonly value: unknown
  /** The name of the declared type. */
  readonly type: string
  /** The form of the declared type: `a string such as 2024-01-31`. */
  readonly expected: string
}

/** How much of a declaration a value must meet. */
interface Strictness {
  /** Whether null is wrong for a property that is not nullable. */
  readonly nulls: boolean
}

/** What a value has to be: its declared type, and the facets that restrict it. */
type Declared = Facets & Annotations & Pick<Property, 'type' | 'nullable' | 'utc'>

/**
 * Whether an element is assumed as a whole: the interface does not name it, so that other implementations need not have
 * it, or may have another one.
 */
export function isAssumed({ assumed, ref }: Pick<Annotations, 'assumed' | 'ref'>): boolean {
  return assumed !== undefined && ref === undefined
}

const declaredCache = new WeakMap<EntityType, ReadonlyMap<string, readonly Property[]>>()

/** The declarations of each property of a type and its derived types: derived types may use a name differently. */
function declarationsOf(
  type: EntityType,
  service: Pick<Service, 'entityTypes'>,
): ReadonlyMap<string, readonly Property[]> {
  const known = declaredCache.get(type)
  if (known !== undefined) return known
  const declared = new Map<string, Property[]>()
  for (const each of service.entityTypes) {
    if (!isKindOf(each, type)) continue
    for (const property of each.properties) {
      const others = declared.get(property.name) ?? []
      if (!others.includes(property)) declared.set(property.name, [...others, property])
    }
  }
  declaredCache.set(type, declared)
  return declared
}

/**
 * The properties of a row that do not have their declared type, with what is wrong. Undeclared and assumed properties
 * are ignored.
 *
 * @param isNullWrong whether null is wrong for a property that is not nullable, by its name
 */
export function* typeMismatches(
  row: Row,
  type: EntityType,
  service: Pick<Service, 'entityTypes'>,
  isNullWrong: (name: string) => boolean,
): Generator<TypeMismatch & { readonly property: Property }> {
  for (const [name, declarations] of declarationsOf(type, service)) {
    if (!Object.hasOwn(row, name)) continue
    let first: (TypeMismatch & { readonly property: Property }) | undefined
    for (const property of declarations) {
      const mismatch = isAssumed(property) ? undefined : findTypeMismatch(row[name], property, isNullWrong(name))
      if (mismatch === undefined) {
        first = undefined
        break
      }
      first ??= { ...mismatch, property }
    }
    if (first !== undefined) yield first
  }
}

/** How many relations deep expanded items are inspected. */
const maxExpansion = 4

/**
 * What is wrong with the expanded items of a row: not an array or an object, or a value that does not have its declared
 * type.
 */
export function* expandedMismatches(
  row: Row,
  type: EntityType,
  service: Service,
  prefix = '',
  depth = 0,
): Generator<TypeMismatch> {
  for (const [name, relation] of declaredProperties(type, service).relations) {
    if (!Object.hasOwn(row, name) || isAssumed(relation) || depth >= maxExpansion) continue
    const value = row[name]
    const path = `${prefix}${name}`
    if (relation.collection ? !Array.isArray(value) : value !== null && !isRow(value)) {
      yield {
        path,
        value,
        type: 'Collection',
        expected: relation.collection ? 'an array of items' : 'an item, or null',
      }
      continue
    }
    for (const item of Array.isArray(value) ? value : value === null ? [] : [value]) {
      if (!isRow(item)) {
        yield { path, value: item, type: relation.type.name, expected: `an object of type ${relation.type.name}` }
        continue
      }
      for (const mismatch of typeMismatches(item, relation.type, service, () => false)) {
        yield { ...mismatch, path: `${path}/${mismatch.path}` }
      }
      yield* expandedMismatches(item, relation.type, service, `${path}/`, depth + 1)
    }
  }
}

/**
 * The first part of a value that does not have the declared type. Undeclared members are ignored.
 *
 * @param isNullWrong whether null is wrong if the property is not nullable. Inside the value it always is.
 */
export function findTypeMismatch(
  value: unknown,
  property: Property,
  isNullWrong = false,
  prefix = '',
): TypeMismatch | undefined {
  const path = `${prefix}${property.name}`
  if (value === undefined) return undefined
  if (!property.collection) return mismatchOf(value, property, path, { nulls: isNullWrong && !permitsNull(property) })
  if (value === null) return undefined
  if (!Array.isArray(value)) return { path, value, type: 'Collection', expected: 'an array' }
  const broken = property.assumed === undefined ? brokenListFacet(value.length, property) : undefined
  if (broken !== undefined) return { path, value, type: 'Collection', expected: facetForm(broken, property) }
  for (const item of value) {
    const mismatch = mismatchOf(item, property, path, { nulls: true })
    if (mismatch !== undefined) return mismatch
  }
  return undefined
}

/** The end of a timestamp that is not in UTC. */
const otherOffset = /\d[+-](?!00:00$)\d\d:\d\d$/

function mismatchOf(value: unknown, declared: Declared, path: string, { nulls }: Strictness): TypeMismatch | undefined {
  const { type, nullable } = declared
  const expected = expectedForm(type, nullable)
  const mismatch = { path, value, type: type.kind === 'primitive' ? type.name : typeName(type), expected }
  if (value === null) return nullable || !nulls ? undefined : mismatch
  switch (type.kind) {
    case 'complexType':
      return isRow(value) ? memberMismatch(value, type, path) : mismatch
    case 'enumType':
      return isMemberText(value, type) ? undefined : mismatch
    case 'typeDefinition':
      return isOfType(value, type.underlying) ? facetMismatch(value, declared, mismatch) : mismatch
    case 'primitive':
      // Where a part of the declaration is assumed, an identifier may have another form than that of a GUID.
      if (declared.assumed !== undefined && type.name === 'Guid' && typeof value === 'string') return undefined
      if (declared.utc === true && typeof value === 'string' && otherOffset.test(value)) {
        return { ...mismatch, expected: 'a timestamp in UTC, which ends with Z' }
      }
      return isOfType(value, type.name) ? facetMismatch(value, declared, mismatch) : mismatch
    default:
      return undefined
  }
}

/** Where a part of the declaration is assumed, other implementations may have other limits. */
function facetMismatch(value: unknown, declared: Declared, mismatch: TypeMismatch): TypeMismatch | undefined {
  const broken = declared.assumed === undefined ? brokenFacet(value, declared) : undefined
  return broken === undefined ? undefined : { ...mismatch, expected: facetForm(broken, declared) }
}

function typeName(type: Exclude<ValueType, { kind: 'primitive' }>): string {
  return type.kind === 'typeDefinition' ? type.underlying : type.name
}

function memberMismatch(value: Row, type: ComplexType, path: string): TypeMismatch | undefined {
  for (const property of type.properties) {
    if (!Object.hasOwn(value, property.name) || isAssumed(property)) continue
    const mismatch = findTypeMismatch(value[property.name], property, true, `${path}/`)
    if (mismatch !== undefined) return mismatch
  }
  return isOtherObject(value, type)
    ? { path, value, type: type.name, expected: `an object with ${type.properties.map(({ name }) => name).join(', ')}` }
    : undefined
}

/** Whether an object has members, but no declared one, although one must be there. */
function isOtherObject(value: Row, { properties, open }: ComplexType): boolean {
  const names = Object.keys(value).filter(name => !name.includes('@'))
  return (
    !open &&
    names.length > 0 &&
    !properties.some(({ name }) => Object.hasOwn(value, name)) &&
    properties.some(property => !property.nullable && !property.collection && !isAssumed(property))
  )
}

/** An assumed enumeration may have other members. */
function isMemberText(value: unknown, { members, flags, assumed }: EnumType): boolean {
  if (typeof value !== 'string' || value === '') return false
  if (assumed !== undefined) return true
  const names = flags ? value.split(',').map(name => name.trim()) : [value]
  // A combination of flags without a name, and a value outside the declared members, are written as numbers.
  return names.every(name => members.some(member => member.name === name) || (flags && /^\d{1,19}$/.test(name)))
}

const forms: Readonly<Record<string, string>> = {
  Boolean: 'true or false',
  String: 'a string',
  Byte: 'an integer from 0 to 255',
  SByte: 'an integer from -128 to 127',
  Int16: 'an integer from -32768 to 32767',
  Int32: 'an integer from -2147483648 to 2147483647',
  Int64: 'an integer from -9223372036854775808 to 9223372036854775807',
  Decimal: 'a number',
  Double: 'a number, "INF", "-INF" or "NaN"',
  Single: 'a number, "INF", "-INF" or "NaN"',
  Guid: 'a string such as 01234567-89ab-cdef-0123-456789abcdef',
  Date: 'a string such as 2024-01-31',
  DateTimeOffset: 'a string such as 2024-01-31T09:30:00Z',
  TimeOfDay: 'a string such as 09:30:00',
  Duration: 'a string such as PT1H30M',
  Binary: 'a base64url string such as AQID',
}

function expectedForm(type: ValueType, nullable: boolean): string {
  const orNull = nullable ? ', or null' : ''
  switch (type.kind) {
    case 'enumType':
      return `a string with a member of ${type.name}${type.flags ? ', or several separated by commas' : ''}${orNull}`
    case 'complexType':
    case 'entityType':
      return `an object of type ${type.name}${orNull}`
    default: {
      const name = type.kind === 'typeDefinition' ? type.underlying : type.name
      const geo = `a GeoJSON ${name.replace(/^Geo(?:graphy|metry)/, '') || 'object'}`
      return `an Edm.${name}, ${forms[name] ?? geo}${orNull}`
    }
  }
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Base64url, with or without padding. Base64 is accepted too, which OData 4.0 services write. */
const binary = /^[A-Za-z0-9+/_-]*={0,2}$/
const notFinite: ReadonlySet<unknown> = new Set(['INF', '-INF', 'NaN'])
const int64Range = [-(2n ** 63n), 2n ** 63n - 1n] as const

/** Whether a value has the JSON form of a type. @see OData JSON Format 4.01, 7.1 */
function isOfType(value: unknown, name: PrimitiveTypeName): boolean {
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
      return isInt64(value)
    case 'Decimal':
      return (
        Number.isFinite(value) ||
        (typeof value === 'string' && /^[-+]?\d{1,40}(\.\d{1,40})?(e[-+]?\d{1,4})?$/i.test(value))
      )
    case 'Double':
    case 'Single':
      return Number.isFinite(value) || notFinite.has(value) || isLongNumeral(value)
    case 'Guid':
      return typeof value === 'string' && guid.test(value)
    case 'Date':
      return reads(daysOf)
    case 'DateTimeOffset':
      return reads(text => (text.includes(' ') ? undefined : instantOf(text)))
    case 'TimeOfDay':
      return reads(timeOf)
    case 'Duration':
      return reads(durationOf)
    case 'String':
      return typeof value === 'string'
    case 'Binary':
      return typeof value === 'string' && binary.test(value) && value.replace(/=+$/, '').length % 4 !== 1
    case 'Stream':
      return true
    default:
      return isGeoJson(withNumbers(value), name)
  }
}

/** The text of a number with more digits than a JavaScript number, as a body is parsed. */
function isLongNumeral(value: unknown): value is string {
  return typeof value === 'string' && /^-?[0-9][0-9.]{15,}$/.test(value)
}

function withNumbers(value: unknown): unknown {
  if (isLongNumeral(value)) return Number(value)
  if (Array.isArray(value)) return value.map(withNumbers)
  if (!isRow(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNumbers(member)]))
}

function isInt64(value: unknown): boolean {
  if (typeof value === 'string') {
    return /^-?\d{1,20}$/.test(value) && BigInt(value) >= int64Range[0] && BigInt(value) <= int64Range[1]
  }
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 63
}
