import { dateEnd, dateTimeOffsetEnd, guidEnd, isDuration, timeOfDayEnd } from '../../query/index.js'

/** The result of a reader for a value that is not of its type. */
export const invalidValue: unique symbol = Symbol('invalidValue')

/** Reads the JSON values of one primitive type. */
interface PrimitiveReader {
  /** The expected value, for messages: `an integer from 0 to 255`. */
  readonly expected: string
  /** The value in the form that handlers receive, or `invalidValue`. */
  readonly read: (json: unknown) => unknown
}

/** The reader of a primitive type. Undefined: the type has no JSON values, such as `Edm.Stream`. */
export function primitiveReader(type: string): PrimitiveReader | undefined {
  if (Object.hasOwn(readers, type)) return readers[type]
  return type.startsWith('Edm.Geo') ? geo(shapeOfType(type)) : undefined
}

const readers: Readonly<Record<string, PrimitiveReader>> = {
  'Edm.Boolean': { expected: 'true or false', read: json => (typeof json === 'boolean' ? json : invalidValue) },
  'Edm.String': { expected: 'a string', read: json => (isWellFormed(json) ? json : invalidValue) },
  'Edm.SByte': integerReader(-128, 127),
  'Edm.Byte': integerReader(0, 255),
  'Edm.Int16': integerReader(-32_768, 32_767),
  'Edm.Int32': integerReader(-2_147_483_648, 2_147_483_647),
  'Edm.Int64': {
    expected: `an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    read: json => {
      const number = numberRead(json)
      return Number.isSafeInteger(number) ? number : invalidValue
    },
  },
  'Edm.Decimal': { expected: 'a number', read: json => finite(numberRead(json), Number.MAX_VALUE) },
  'Edm.Double': floatingReader(Number.MAX_VALUE),
  'Edm.Single': floatingReader(3.4028234663852886e38),
  'Edm.Guid': textReader('a Guid, 8-4-4-4-12 hexadecimal digits', guidEnd, value => value.toLowerCase()),
  'Edm.Date': textReader('a date, YYYY-MM-DD', dateEnd),
  'Edm.TimeOfDay': textReader('a time, hh:mm:ss', timeOfDayEnd),
  'Edm.DateTimeOffset': textReader('a timestamp with its zone, YYYY-MM-DDThh:mm:ssZ', dateTimeOffsetEnd, value =>
    value.toUpperCase(),
  ),
  'Edm.Duration': textReader(
    'a duration, P1DT2H3M4S',
    value => (isDuration(value) ? value.length : -1),
    value => value.toUpperCase(),
  ),
  'Edm.Binary': {
    expected: 'base64url text',
    read: json => (typeof json === 'string' ? readBinary(json) : invalidValue),
  },
}

function integerReader(minimum: number, maximum: number): PrimitiveReader {
  return {
    expected: `an integer from ${minimum} to ${maximum}`,
    read: json => (Number.isInteger(json) && Number(json) >= minimum && Number(json) <= maximum ? json : invalidValue),
  }
}

function floatingReader(maximum: number): PrimitiveReader {
  return {
    expected: 'a number, "INF", "-INF" or "NaN"',
    read: json => (json === 'INF' || json === '-INF' || json === 'NaN' ? json : finite(json, maximum)),
  }
}

function finite(json: unknown, maximum: number): unknown {
  return typeof json === 'number' && Math.abs(json) <= maximum ? json : invalidValue
}

const numeral = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/

/** Clients that use `IEEE754Compatible` send Int64 and Decimal as strings. */
function numberRead(json: unknown): number | undefined {
  if (typeof json === 'number') return json
  return typeof json === 'string' && numeral.test(json) ? Number(json) : undefined
}

function textReader(
  expected: string,
  end: (text: string, position: number) => number,
  normalise: (text: string) => string = value => value,
): PrimitiveReader {
  return {
    expected,
    read: json =>
      typeof json === 'string' && json !== '' && end(json, 0) === json.length ? normalise(json) : invalidValue,
  }
}

const loneSurrogate = /\p{Surrogate}/u

function isWellFormed(json: unknown): boolean {
  return typeof json === 'string' && !loneSurrogate.test(json)
}

const alphabet = /^[A-Za-z0-9_-]*$/

/**
 * Reads base64url, with or without padding. Also accepts base64, which many clients send. Returns base64url without
 * padding.
 *
 * @see OData JSON Format 4.01, 7.1 (primitive values)
 */
function readBinary(text: string): string | typeof invalidValue {
  const value = text
    .replace(/={1,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return alphabet.test(value) && value.length % 4 !== 1 ? value : invalidValue
}

function geo(shape: string | undefined): PrimitiveReader {
  return { expected: `a GeoJSON ${shape ?? 'geometry'}`, read: json => readGeo(json, shape) }
}

/**
 * Reads a GeoJSON geometry of a given shape, such as `Point`, or of any shape.
 *
 * @see RFC 7946, 3.1
 */
function readGeo(json: unknown, shape?: string, nesting: number = maxGeoNesting): unknown {
  if (typeof json !== 'object' || json === null || !('type' in json) || nesting === 0) return invalidValue
  if (shape !== undefined && json.type !== shape) return invalidValue
  if (json.type !== geometryCollection) {
    const fits = shapes.get(json.type)
    return fits !== undefined && 'coordinates' in json && fits(json.coordinates) ? json : invalidValue
  }
  const parts = 'geometries' in json ? json.geometries : undefined
  return Array.isArray(parts) && parts.every(part => readGeo(part, undefined, nesting - 1) !== invalidValue)
    ? json
    : invalidValue
}

const maxGeoNesting = 8

const geometryCollection = 'GeometryCollection'

type Check = (json: unknown) => boolean

const isPosition: Check = json => Array.isArray(json) && json.length >= 2 && json.every(Number.isFinite)
const isLine = checkedList(isPosition, 2)
const isPolygon = checkedList(isRing, 1)

/** The form of `coordinates` for each shape. */
const shapes: ReadonlyMap<unknown, Check> = new Map([
  ['Point', isPosition],
  ['LineString', isLine],
  ['Polygon', isPolygon],
  ['MultiPoint', checkedList(isPosition)],
  ['MultiLineString', checkedList(isLine)],
  ['MultiPolygon', checkedList(isPolygon)],
])

/** The shape of a type's values: `Point` for `Edm.GeographyPoint`. Undefined: any shape. */
function shapeOfType(type: string): string | undefined {
  const shape = type.replace(/^Edm\.Geo(?:graphy|metry)/, '')
  if (shape === 'Collection') return geometryCollection
  return shape === '' ? undefined : shape
}

function checkedList(isItem: Check, least = 0): Check {
  return json => Array.isArray(json) && json.length >= least && json.every(isItem)
}

/** A linear ring ends where it starts. */
function isRing(json: unknown): boolean {
  return Array.isArray(json) && json.length >= 4 && json.every(isPosition) && String(json[0]) === String(json.at(-1))
}
