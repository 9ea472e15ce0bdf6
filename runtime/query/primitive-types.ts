import { dateEnd, dateTimeOffsetEnd, guidEnd, isDuration, timeOfDayEnd } from './literal-formats.js'

/** A primitive type of CSDL. @see OData CSDL 4.01, 3.3 */
export interface PrimitiveType {
  /** The kind of its values in an evaluation. */
  readonly kind:
    | 'boolean'
    | 'string'
    | 'integer'
    | 'decimal'
    | 'double'
    | 'guid'
    | 'date'
    | 'dateTimeOffset'
    | 'timeOfDay'
    | 'duration'
    | 'binary'
    | 'geography'
    | 'geometry'
  /** Of an integer type, the least and the greatest value. */
  readonly range?: readonly [least: bigint, greatest: bigint]
  /** Values compare only with `null`. */
  readonly incomparable?: true
  /** The format of a string literal that represents a value. */
  readonly textFormat?: TextFormat
}

interface TextFormat {
  readonly description: string
  readonly matches: (text: string) => boolean
}

/** The suffixes of the names of geo types. */
export const geoShapes = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'Collection',
] as const

function signedInteger(bits: bigint): PrimitiveType {
  const limit = 2n ** (bits - 1n)
  return { kind: 'integer', range: [-limit, limit - 1n] }
}

const geoTypes: readonly (readonly [string, PrimitiveType])[] = ['', ...geoShapes].flatMap(shape => [
  [`Edm.Geography${shape}`, { kind: 'geography', incomparable: true }] as const,
  [`Edm.Geometry${shape}`, { kind: 'geometry', incomparable: true }] as const,
])

const primitiveTypes: ReadonlyMap<string, PrimitiveType> = new Map<string, PrimitiveType>([
  ['Edm.Boolean', { kind: 'boolean' }],
  ['Edm.String', { kind: 'string' }],
  ['Edm.SByte', signedInteger(8n)],
  ['Edm.Byte', { kind: 'integer', range: [0n, 255n] }],
  ['Edm.Int16', signedInteger(16n)],
  ['Edm.Int32', signedInteger(32n)],
  ['Edm.Int64', signedInteger(64n)],
  ['Edm.Decimal', { kind: 'decimal' }],
  ['Edm.Single', { kind: 'double' }],
  ['Edm.Double', { kind: 'double' }],
  ['Edm.Guid', textType('guid', '01234567-89ab-cdef-0123-456789abcdef', value => guidEnd(value, 0) === value.length)],
  ['Edm.Date', textType('date', 'YYYY-MM-DD', value => dateEnd(value, 0) === value.length)],
  [
    'Edm.DateTimeOffset',
    textType(
      'dateTimeOffset',
      'YYYY-MM-DDThh:mm:ssZ, or with an offset',
      value => dateTimeOffsetEnd(value, 0) === value.length,
    ),
  ],
  ['Edm.TimeOfDay', textType('timeOfDay', 'hh:mm:ss', value => timeOfDayEnd(value, 0) === value.length)],
  ['Edm.Duration', textType('duration', 'P1DT2H3M4.5S', isDuration)],
  ['Edm.Binary', { kind: 'binary', incomparable: true }],
  ['Edm.Stream', { kind: 'binary', incomparable: true }],
  ...geoTypes,
])

function textType(kind: PrimitiveType['kind'], description: string, matches: TextFormat['matches']): PrimitiveType {
  return { kind, textFormat: { description, matches } }
}

/** The primitive type with the given name, which starts with `Edm.`. */
export function primitiveType(name: string): PrimitiveType | undefined {
  return primitiveTypes.get(name)
}

export function isIntegerTypeName(name: string): boolean {
  return primitiveTypes.get(name)?.kind === 'integer'
}

export function isNumericTypeName(name: string): boolean {
  const kind = primitiveTypes.get(name)?.kind
  return kind === 'integer' || kind === 'decimal' || kind === 'double'
}

/** Whether values of the type can be equal or have an order. @see OData URL Conventions 4.01, 5.1.1.1 */
export function isComparableTypeName(name: string): boolean {
  const type = primitiveTypes.get(name)
  return type !== undefined && type.incomparable !== true
}

/**
 * The common type of two numeric operands.
 *
 * @see OData URL Conventions 4.01, 5.1.1.17 (numeric promotion)
 */
export function promoteNumeric(left: string, right: string): string {
  for (const wider of ['Edm.Double', 'Edm.Single', 'Edm.Decimal', 'Edm.Int64']) {
    if (left === wider || right === wider) return wider === 'Edm.Single' && left !== right ? 'Edm.Double' : wider
  }
  return 'Edm.Int32'
}

/** Whether a string literal can represent a value of the type if the other operand is of that type. */
export function isCastFromText(type: string): boolean {
  return primitiveTypes.get(type)?.textFormat !== undefined
}

/**
 * The format that a text should have, if it is not a value of the type.
 *
 * @see OData ABNF, `primitiveValue`
 */
export function expectedForm(type: string, value: string): string | undefined {
  const format = primitiveTypes.get(type)?.textFormat
  return format === undefined || format.matches(value) ? undefined : format.description
}

/** Whether a type of numbers has values that JavaScript numbers cannot represent. */
export function isExactType(type: string): boolean {
  return type === 'Edm.Int64' || type === 'Edm.Decimal'
}
