import { dateEnd } from '../../query/lexical/date.js'
import { dateTimeOffsetEnd } from '../../query/lexical/date-time-offset.js'
import { isDuration } from '../../query/lexical/duration.js'
import { guidEnd } from '../../query/lexical/guid.js'
import { timeOfDayEnd } from '../../query/lexical/time-of-day.js'
import { readBinary } from './read-binary.js'
import { readGeo, shapeOfType } from './read-geo.js'
import { unfit } from './unfit.js'

/** How values of one primitive type come in JSON. */
export interface PrimitiveReader {
  /** What is expected, for messages: `an integer from 0 to 255`. */
  readonly expected: string
  /** The value in the form that handlers get, or `unfit`. */
  readonly read: (json: unknown) => unknown
}

const readers: Readonly<Record<string, PrimitiveReader>> = {
  'Edm.Boolean': { expected: 'true or false', read: json => (typeof json === 'boolean' ? json : unfit) },
  'Edm.String': { expected: 'a string', read: json => (isWellFormed(json) ? json : unfit) },
  'Edm.SByte': integerReader(-128, 127),
  'Edm.Byte': integerReader(0, 255),
  'Edm.Int16': integerReader(-32_768, 32_767),
  'Edm.Int32': integerReader(-2_147_483_648, 2_147_483_647),
  'Edm.Int64': {
    expected: `an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    read: json => {
      const number = numberRead(json)
      return Number.isSafeInteger(number) ? number : unfit
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
  'Edm.Binary': { expected: 'base64url text', read: json => (typeof json === 'string' ? readBinary(json) : unfit) },
}

/** The reader of a primitive type; undefined for a type whose values do not come in JSON, such as `Edm.Stream`. */
export function primitiveReader(type: string): PrimitiveReader | undefined {
  if (Object.hasOwn(readers, type)) return readers[type]
  return type.startsWith('Edm.Geo') ? geo(shapeOfType(type)) : undefined
}

function geo(shape: string | undefined): PrimitiveReader {
  return { expected: `a GeoJSON ${shape ?? 'geometry'}`, read: json => readGeo(json, shape) }
}

function integerReader(minimum: number, maximum: number): PrimitiveReader {
  return {
    expected: `an integer from ${minimum} to ${maximum}`,
    read: json => (Number.isInteger(json) && Number(json) >= minimum && Number(json) <= maximum ? json : unfit),
  }
}

function floatingReader(maximum: number): PrimitiveReader {
  return {
    expected: 'a number, "INF", "-INF" or "NaN"',
    read: json => (json === 'INF' || json === '-INF' || json === 'NaN' ? json : finite(json, maximum)),
  }
}

function finite(json: unknown, maximum: number): unknown {
  return typeof json === 'number' && Math.abs(json) <= maximum ? json : unfit
}

const numeral = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/

/** Int64 and Decimal come as strings from clients that use `IEEE754Compatible`. */
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
    read: json => (typeof json === 'string' && json !== '' && end(json, 0) === json.length ? normalise(json) : unfit),
  }
}

const loneSurrogate = /\p{Surrogate}/u

function isWellFormed(json: unknown): boolean {
  return typeof json === 'string' && !loneSurrogate.test(json)
}
