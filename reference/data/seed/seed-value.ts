import {
  type ComplexType,
  derivesFrom,
  type Facets,
  isNumericType,
  isStream,
  type Property,
  type Service,
  type StructuredType,
} from '../../../spec/language/index.js'
import { hashOf, type Random } from './seed-rows.js'
import { type TextGenerator, textGenerator } from './seed-text.js'

/** Generates the value of a property of an item or of a complex value; undefined: omit the property. */
type ValueGenerator = (property: Property, owner: StructuredType, random: Random, depth: number) => unknown

/** The maximum nesting depth of recursive complex values. */
const maxDepth = 4

export function valueGenerator(service: Service): ValueGenerator {
  const texts = new Map<Property, TextGenerator>()
  const concrete = new Map<ComplexType, readonly ComplexType[]>()

  const textOf = (property: Property, facets: Facets, owner: StructuredType, random: Random): string => {
    const known = texts.get(property) ?? textGenerator(property, facets, `${owner.name}/${property.name}`)
    texts.set(property, known)
    return known(random)
  }

  const make: ValueGenerator = (property, owner, random, depth) => {
    // The item has its streams.
    if (isStream(property.type)) return undefined
    if (!property.collection) {
      if (property.nullable && (depth >= maxDepth || random.percent(8))) return null
      if (property.default !== undefined && random.percent(40)) return undefined
      return single(property, owner, random, depth)
    }
    const least = property.minItems ?? 0
    const most = Math.min(property.maxItems ?? 3, Math.max(least, 3))
    const count = depth >= maxDepth ? least : least + random.below(most - least + 1)
    return Array.from({ length: count }, () => single(property, owner, random, depth))
  }

  const single = (property: Property, owner: StructuredType, random: Random, depth: number): unknown => {
    const { type } = property
    switch (type.kind) {
      case 'primitive':
        return primitive(type.name, property, property, owner, random)
      case 'typeDefinition':
        return primitive(type.underlying, { ...type, ...defined(property) }, property, owner, random)
      case 'enumType': {
        const names = type.members.map(({ name }) => name)
        const name = names[random.below(names.length)] ?? ''
        const other = names[random.below(names.length)] ?? name
        return type.flags && other !== name && random.percent(30) ? `${name},${other}` : name
      }
      case 'complexType':
        return complex(type, random, depth + 1)
      case 'entityType':
        return undefined
    }
  }

  const complex = (declared: ComplexType, random: Random, depth: number): unknown => {
    const choices = concrete.get(declared) ?? service.complexTypes.filter(each => isChoice(each, declared))
    concrete.set(declared, choices)
    const type = choices[random.percent(80) ? 0 : random.below(choices.length)] ?? declared
    const value: Record<string, unknown> = {}
    if (type !== declared) value['@odata.type'] = `#${type.qualifiedName}`
    for (const property of type.properties) {
      const given = make(property, type, random, depth)
      if (given !== undefined) value[property.name] = given
    }
    return value
  }

  const primitive = (
    type: string,
    facets: Facets,
    property: Property,
    owner: StructuredType,
    random: Random,
  ): unknown => {
    if (isNumericType(type)) return seedNumber(type, facets, random)
    switch (type) {
      case 'Boolean':
        return random.percent(70)
      case 'String':
        return textOf(property, facets, owner, random)
      case 'Guid':
        return guid(random)
      case 'Date':
        return seedDate(random)
      case 'DateTimeOffset':
        return seedTimestamp(random, facets.precision ?? 0)
      case 'TimeOfDay':
        return seedTime(random)
      case 'Duration':
        return seedDuration(random)
      case 'Binary':
        if ((facets.maxLength ?? 3) < 3) return facets.maxLength === 2 ? 'AQI' : 'AQ'
        return hashOf(String(random.below(1_000_000)))
          .toString(16)
          .padStart(8, '0')
          .slice(-4)
      default:
        return seedGeo(type, random)
    }
  }

  return make
}

const isChoice = (type: ComplexType, declared: ComplexType): boolean => !type.abstract && derivesFrom(type, declared)

/** The facets that a property sets in addition to those of its type definition. */
function defined({ minLength, maxLength, minimum, maximum, pattern, precision, scale }: Facets): Facets {
  const given = { minLength, maxLength, minimum, maximum, pattern, precision, scale }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function guid(random: Random): string {
  const hex = Array.from({ length: 8 }, () => random.below(65_536).toString(16).padStart(4, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  SByte: [-20, 40],
  Byte: [0, 100],
  Int16: [0, 5_000],
  Int32: [0, 100_000],
  Int64: [0, 10_000_000],
  Decimal: [0, 1_000],
  Single: [0, 100],
  Double: [0, 1_000],
}

/** A number within the facets of its property. */
function seedNumber(type: string, facets: Facets, random: Random): number {
  const [low, high] = ranges[type] ?? [0, 100]
  const scale = scaleOf(type, facets)
  const digits = facets.precision === undefined ? high : 10 ** (facets.precision - scale) - 1
  const least = facets.minimum ?? Math.min(low, facets.maximum ?? low)
  const most = Math.max(least, Math.min(facets.maximum ?? Math.max(high, least), digits))
  const steps = Math.floor((most - least) * 10 ** scale) + 1
  return Number((least + random.below(steps) / 10 ** scale).toFixed(scale))
}

function scaleOf(type: string, { scale }: Facets): number {
  if (type === 'Decimal') return typeof scale === 'number' ? scale : scale === undefined ? 0 : 2
  return type === 'Single' || type === 'Double' ? 2 : 0
}

/** The first day of generated dates, and the number of days. */
const firstDay = Date.UTC(2015, 0, 1)
const days = 4_000

/** A date such as `2021-03-04`. */
function seedDate(random: Random): string {
  return new Date(firstDay + random.below(days) * 86_400_000).toISOString().slice(0, 10)
}

/** A timestamp such as `2021-03-04T05:06:07Z`, with at most three digits of a second. */
function seedTimestamp(random: Random, precision: number): string {
  const moment = firstDay + random.below(days) * 86_400_000 + random.below(86_400) * 1_000
  const digits = Math.min(precision, 3)
  if (digits === 0) return `${new Date(moment).toISOString().slice(0, 19)}Z`
  const fraction = String(random.below(10 ** digits)).padStart(digits, '0')
  return `${new Date(moment).toISOString().slice(0, 19)}.${fraction}Z`
}

/** A time of day such as `05:06:00`. */
function seedTime(random: Random): string {
  return new Date(random.below(1_440) * 60_000).toISOString().slice(11, 19)
}

/** A duration such as `PT5H6M`. */
function seedDuration(random: Random): string {
  return `P${random.below(3) === 0 ? `${1 + random.below(30)}D` : ''}T${1 + random.below(23)}H${random.below(60)}M`
}

/**
 * A GeoJSON value.
 *
 * @param type such as `GeographyPoint` or `GeometryPolygon`
 */
function seedGeo(type: string, random: Random): unknown {
  const shape = type.replace(/^Geo(?:graphy|metry)/, '')
  const [x, y] = [random.below(3_600) / 10 - 180, random.below(1_600) / 10 - 80]
  const square = [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
    [x, y],
  ]
  const line = square.slice(0, 3)
  const point = { type: 'Point', coordinates: [x, y] }
  switch (shape) {
    case 'LineString':
      return { type: shape, coordinates: line }
    case 'Polygon':
      return { type: shape, coordinates: [square] }
    case 'MultiPoint':
      return { type: shape, coordinates: line }
    case 'MultiLineString':
      return { type: shape, coordinates: [line, square] }
    case 'MultiPolygon':
      return { type: shape, coordinates: [[square]] }
    case 'Collection':
      return { type: 'GeometryCollection', geometries: [point] }
    default:
      return point
  }
}
