import { type ExactNumber, exactNumber, numeral, type PrimitiveType, primitiveType } from '../../query/index.js'

/**
 * A value as JSON text. Handlers whose store returns JSON use it to avoid parsing and serializing the value. The text
 * must be valid JSON in the format of `JSON.stringify`, without white space. A number with more digits than a JavaScript
 * number can have is such a value, too.
 *
 * As the `value` of a page, it is the final list of items: the handler has applied `$select` and `$expand`.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return isPrinting ? marker().prefix + this.text : JSON.parse(this.text)
  }
}

/** Parses a `JsonText`. Other values stay unchanged. */
export function parseJsonText(given: unknown): unknown {
  return given instanceof JsonText ? parseExactJson(given.text) : given
}

/** Marks texts that stand for JSON. No other text contains the prefix. */
interface Marker {
  readonly prefix: string
  readonly pattern: RegExp
}

let known: Marker | undefined

/** Created on demand, because workers may not create random values while they load modules. */
function marker(): Marker {
  if (known === undefined) {
    const prefix = `${crypto.randomUUID()} `
    known = { prefix, pattern: new RegExp(`"${prefix}((?:[^"\\\\]|\\\\.)*)"`, 'g') }
  }
  return known
}

/** Whether `printJson` is running. It runs synchronously. */
let isPrinting = false

/** A value as JSON. A `JsonText` inside it becomes its text, so that no digit is lost. */
export function printJson(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  isPrinting = true
  let json: string
  try {
    json = JSON.stringify(value, replacer)
  } finally {
    isPrinting = false
  }
  if (known === undefined || !json.includes(known.prefix)) return json
  return json.replaceAll(known.pattern, (_, text: string) => JSON.parse(`"${text}"`))
}

/** A run of digits in which a number could lose one. */
const longNumeral = /[0-9.]{16}|[0-9][eE]/

const jsonNumeral = /-?[0-9][0-9.eE+-]*/y

/**
 * Parses JSON. A number that would lose digits as a JavaScript number becomes a `JsonText`.
 *
 * @throws {SyntaxError}
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!longNumeral.test(text)) return value
  const { prefix } = marker()
  const quoted = withMarkedNumerals(text, prefix)
  if (quoted === text) return value
  return JSON.parse(quoted, (_name, member: unknown) =>
    typeof member === 'string' && member.startsWith(prefix) ? new JsonText(member.slice(prefix.length)) : member,
  )
}

/** The JSON with numerals that would lose a digit as strings with a prefix. Callers can send many strings that look like numerals. */
function withMarkedNumerals(text: string, prefix: string): string {
  let marked = ''
  let done = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) {
      for (index++; text.charCodeAt(index) !== 0x22; index++) if (text.charCodeAt(index) === 0x5c) index++
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      jsonNumeral.lastIndex = index
      const [token = ''] = jsonNumeral.exec(text) ?? []
      if (longNumeral.test(token) && typeof exactNumber(token) !== 'number') {
        marked += `${text.slice(done, index)}"${prefix}${token}"`
        done = index + token.length
      }
      index += Math.max(0, token.length - 1)
    }
  }
  return done === 0 ? text : marked + text.slice(done)
}

/** JSON with JavaScript numbers only, as floating-point types have them. */
function withNearestNumbers(json: unknown): unknown {
  if (json instanceof JsonText) return json.toJSON()
  if (Array.isArray(json)) return json.map(withNearestNumbers)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withNearestNumbers(value)]))
}

/** The result of a reader for a value that is not of its type. */
export const invalidValue: unique symbol = Symbol('invalidValue')

/** Reads the JSON values of one primitive type. */
interface PrimitiveReader {
  /** The expected value, for messages: `an integer from 0 to 255`. */
  readonly expected: string
  /** The value in the form that handlers receive, or `invalidValue`. Int64 and Decimal are exact numbers. */
  readonly read: (json: unknown) => unknown
}

const readers = new Map<string, PrimitiveReader>()

/** The reader of a primitive type. Undefined: the type has no JSON values, such as `Edm.Stream`. */
export function primitiveReader(type: string): PrimitiveReader | undefined {
  const known = readers.get(type)
  if (known !== undefined) return known
  const reader = createReader(type)
  if (reader !== undefined) readers.set(type, reader)
  return reader
}

function createReader(name: string): PrimitiveReader | undefined {
  const type = primitiveType(name)
  if (type === undefined || name === 'Edm.Stream') return undefined
  switch (type.kind) {
    case 'boolean':
      return { expected: 'true or false', read: json => (typeof json === 'boolean' ? json : invalidValue) }
    case 'string':
      return { expected: 'a string', read: json => (isWellFormed(json) ? json : invalidValue) }
    case 'integer':
      return integerReader(type)
    case 'decimal':
      return { expected: 'a number', read: json => numberRead(json) ?? invalidValue }
    case 'double':
      return floatingReader(name === 'Edm.Single' ? maxSingle : Number.MAX_VALUE)
    case 'binary':
      return {
        expected: 'base64url text',
        read: json => (typeof json === 'string' ? readBinary(json) : invalidValue),
      }
    case 'geography':
    case 'geometry':
      return geoReader(shapeOfType(name))
    default:
      return textReader(name, type)
  }
}

function integerReader({ range: [least, greatest] = [0n, 0n] }: PrimitiveType): PrimitiveReader {
  const acceptsText = greatest > BigInt(Number.MAX_SAFE_INTEGER)
  return {
    expected: `an integer from ${least} to ${greatest}`,
    read: json => {
      const number = acceptsText || typeof json === 'number' ? numberRead(json) : undefined
      if (typeof number === 'number' && Number.isSafeInteger(number)) {
        return number >= least && number <= greatest ? number : invalidValue
      }
      const digits = number === undefined ? '' : numeral(number)
      if (!/^-?[0-9]+$/.test(digits)) return invalidValue
      return BigInt(digits) >= least && BigInt(digits) <= greatest ? digits : invalidValue
    },
  }
}

const maxSingle = 3.4028234663852886e38

function floatingReader(maximum: number): PrimitiveReader {
  return {
    expected: 'a number, "INF", "-INF" or "NaN"',
    read: json =>
      json === 'INF' || json === '-INF' || json === 'NaN' ? json : finite(withNearestNumbers(json), maximum),
  }
}

function finite(json: unknown, maximum: number): unknown {
  return typeof json === 'number' && Math.abs(json) <= maximum ? json : invalidValue
}

const numeralText = /^-?[0-9]{1,80}(?:\.[0-9]{1,80})?(?:[eE][+-]?[0-9]{1,3})?$/

/** Clients that use `IEEE754Compatible` send Int64 and Decimal as strings. */
function numberRead(json: unknown): ExactNumber | undefined {
  if (typeof json === 'number') return Number.isFinite(json) ? json : undefined
  const text = json instanceof JsonText ? json.text : json
  return typeof text === 'string' && numeralText.test(text) ? exactNumber(text) : undefined
}

/** Guids are returned in lower case, timestamps and durations in upper case. */
function textReader(name: string, { kind, textFormat }: PrimitiveType): PrimitiveReader | undefined {
  if (textFormat === undefined) return undefined
  const normalize = (text: string): string =>
    kind === 'guid' ? text.toLowerCase() : kind === 'dateTimeOffset' || kind === 'duration' ? text.toUpperCase() : text
  return {
    expected: `a ${name.replace('Edm.', '')} in the form ${textFormat.description}`,
    read: json => (typeof json === 'string' && textFormat.matches(json) ? normalize(json) : invalidValue),
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

function geoReader(shape: string | undefined): PrimitiveReader {
  return { expected: `a GeoJSON ${shape ?? 'geometry'}`, read: json => readGeo(withNearestNumbers(json), shape) }
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
