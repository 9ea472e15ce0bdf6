import { isDeepStrictEqual } from 'node:util'
import type { ComplexType, EntityType, EnumType, Property, Service, ValueType } from '../../spec/language/index.js'
import { isRow, type Row } from '../json.js'
import { compareRationals, rationalOf } from '../oracle/rational.js'
import { durationOf, instantOf, ticksInSecond, timeOf } from '../oracle/temporal.js'
import { isKindOf } from './properties.js'

/** How exactly to compare values. `shown`: a timestamp may lack fractions of a second that the other one shows. */
type Exactness = 'exact' | 'shown'

/**
 * Whether two JSON values of a property are equal: timestamps in any format, to the millisecond; numbers as digits or
 * strings; GUIDs in any case; the items of a collection in any order. An omitted value is null. A member that one
 * complex value omits is not compared.
 */
export function isSameValue(
  left: unknown,
  right: unknown,
  property: Pick<Property, 'type' | 'collection'>,
  exactness: Exactness = 'exact',
): boolean {
  if (!property.collection) return isSame(left, right, property.type, exactness)
  const a = left ?? []
  const b = right ?? []
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  const rest = [...b]
  return a.every(item => {
    const at = rest.findIndex(other => isSame(item, other, property.type, exactness))
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
}

function isSame(left: unknown, right: unknown, type: ValueType, exactness: Exactness): boolean {
  const a = left ?? null
  const b = right ?? null
  if (a === b) return true
  if (a === null || b === null) return false
  switch (type.kind) {
    case 'complexType':
      return isSameObject(a, b, type, exactness)
    case 'enumType':
      return memberText(a, type) === memberText(b, type)
    case 'typeDefinition':
      return isSamePrimitive(a, b, type.underlying, exactness)
    case 'primitive':
      return isSamePrimitive(a, b, type.name, exactness)
    default:
      return true
  }
}

function isSameObject(a: unknown, b: unknown, type: ComplexType, exactness: Exactness): boolean {
  if (!isRow(a) || !isRow(b)) return false
  return type.properties.every(property => {
    const { name } = property
    if (!Object.hasOwn(a, name) || !Object.hasOwn(b, name)) return true
    return isSameValue(a[name], b[name], property, exactness)
  })
}

function isSamePrimitive(a: unknown, b: unknown, name: string, exactness: Exactness): boolean {
  switch (name) {
    case 'DateTimeOffset':
      return equalWhenParsed(
        a,
        b,
        exactness === 'shown' && !(hasFraction(a) && hasFraction(b)) ? secondOf : millisecondOf,
      )
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
      return isSameNumber(a, b)
    case 'Double':
    case 'Single':
      return String(a) === String(b) || Number(a) === Number(b)
    case 'Stream':
      return true
    default:
      return isDeepStrictEqual(a, b)
  }
}

/** Numbers and their texts are compared by all their digits. */
function isSameNumber(a: unknown, b: unknown): boolean {
  const [left, right] = [rationalOf(String(a)), rationalOf(String(b))]
  return left !== undefined && right !== undefined && compareRationals(left, right) === 0
}

/** A format may drop fractions below a millisecond. */
function millisecondOf(text: string): bigint | undefined {
  const instant = instantOf(text)
  return instant === undefined ? undefined : instant.ticks / (ticksInSecond / 1000n)
}

function secondOf(text: string): bigint | undefined {
  const instant = instantOf(text)
  return instant === undefined ? undefined : instant.ticks / ticksInSecond
}

function hasFraction(value: unknown): boolean {
  return typeof value === 'string' && value.includes('.')
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

/**
 * The declared properties whose values differ between two representations of an item, which may show timestamps with
 * different precision. In complex values, null equals an
 * omitted member. A property that one representation omits is not compared.
 *
 * @param options `mayBeNull`: null may stand for a value that was not requested
 */
export function rowDifferences(
  left: Row,
  right: Row,
  type: EntityType,
  service: Pick<Service, 'entityTypes'>,
  { mayBeNull = false }: { readonly mayBeNull?: boolean } = {},
): readonly RowDifference[] {
  return propertiesBelow(type, service).flatMap(property => {
    const { name } = property
    if (!Object.hasOwn(left, name) || !Object.hasOwn(right, name)) return []
    if (mayBeNull && (left[name] === null || right[name] === null)) return []
    return isSameValue(left[name], right[name], property, 'shown')
      ? []
      : [{ property, left: left[name], right: right[name] }]
  })
}

export interface RowDifference {
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

type WithPreferences = Pick<Service, 'preferences'>

/**
 * The top-level properties whose representation depends on a preference, such as a body that is text or HTML. A service
 * may store them in another form than it shows, and filter and sort by the stored form.
 */
export function renderedProperties({ preferences }: WithPreferences): ReadonlySet<string> {
  return new Set(preferences.flatMap(({ property }) => property?.split('/')[0] ?? []))
}

/**
 * Whether a value may be another rendering of the one that was written: it has another form, or the same plain text with
 * other markup.
 */
export function isRenderedOtherwise(
  property: Property,
  written: unknown,
  shown: unknown,
  of: WithPreferences,
): boolean {
  if (isInOtherForm(property, written, shown, of)) return true
  return renderedProperties(of).has(property.name) && plainText(written) === plainText(shown)
}

/** Whether a value such as a content type stands for plain text. */
export function isPlainText(form: unknown): boolean {
  return typeof form === 'string' && /^text(?:\/plain)?$/i.test(form)
}

/** Whether a value has another form than the one that was written, such as HTML instead of text. */
export function isInOtherForm(
  { name }: Property,
  written: unknown,
  shown: unknown,
  { preferences }: WithPreferences,
): boolean {
  return preferences.some(({ property = '' }) => {
    const [first, ...rest] = property.split('/')
    return first === name && memberAt(written, rest) !== memberAt(shown, rest)
  })
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isRow(at) && Object.hasOwn(at, name) ? at[name] : undefined), value)
}

/** The text of a value without markup, as a reader sees it. */
function plainText(value: unknown): string {
  const text = JSON.stringify(value, (_key, member) =>
    isRow(member) ? Object.fromEntries(sortedEntries(member)) : member,
  )
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '\\"', '#39': "'", nbsp: ' ' }
  return (text ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/<[^>]*>|\\[rnt]|\s/g, '')
}

function sortedEntries(row: object): readonly (readonly [string, unknown])[] {
  return Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** How deep the positions of a geometry are nested: a point is one position, a line an array of positions. */
const depths: ReadonlyMap<string, number> = new Map([
  ['Point', 0],
  ['LineString', 1],
  ['MultiPoint', 1],
  ['Polygon', 2],
  ['MultiLineString', 2],
  ['MultiPolygon', 3],
])

const maxNesting = 4

/**
 * Whether a value is the GeoJSON of a spatial type.
 *
 * @param name the primitive type: `GeographyPoint`, or `Geography` for any shape
 * @see OData JSON Format 4.01, 7.1; RFC 7946, 3.1
 */
export function isGeoJson(value: unknown, name: string): boolean {
  const shape = name.replace(/^Geo(?:graphy|metry)/, '')
  return isShape(value, shape === 'Collection' ? 'GeometryCollection' : shape, 0)
}

/** @param shape empty for any */
function isShape(value: unknown, shape: string, nesting: number): boolean {
  if (!isRow(value) || typeof value['type'] !== 'string' || nesting > maxNesting) return false
  const { type } = value
  if (shape !== '' && type !== shape) return false
  if (type === 'GeometryCollection') {
    const { geometries } = value
    return Array.isArray(geometries) && geometries.every(each => isShape(each, '', nesting + 1))
  }
  const depth = depths.get(type)
  return depth !== undefined && isPositions(value['coordinates'], depth)
}

function isPositions(value: unknown, depth: number): boolean {
  if (!Array.isArray(value)) return false
  if (depth > 0) return value.every(each => isPositions(each, depth - 1))
  return value.length >= 2 && value.length <= 4 && value.every(each => Number.isFinite(each))
}
