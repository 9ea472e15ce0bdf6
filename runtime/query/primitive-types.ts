import { dateEnd, dateTimeOffsetEnd, guidEnd, isDuration, timeOfDayEnd } from './literal-formats.js'

const geoTypes = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'Collection',
].flatMap(shape => [`Edm.Geography${shape}`, `Edm.Geometry${shape}`])

const integerTypes: ReadonlySet<string> = new Set(['Edm.SByte', 'Edm.Byte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64'])

const numericTypes: ReadonlySet<string> = new Set([...integerTypes, 'Edm.Decimal', 'Edm.Single', 'Edm.Double'])

/** Values that only `null` may be compared with. */
const incomparableTypes: ReadonlySet<string> = new Set([
  'Edm.Binary',
  'Edm.Stream',
  'Edm.Geography',
  'Edm.Geometry',
  ...geoTypes,
])

const primitiveTypes: ReadonlySet<string> = new Set([
  ...numericTypes,
  ...incomparableTypes,
  'Edm.Boolean',
  'Edm.String',
  'Edm.Guid',
  'Edm.Date',
  'Edm.DateTimeOffset',
  'Edm.TimeOfDay',
  'Edm.Duration',
])

/** Whether `name` is a primitive type of CSDL, with `Edm.`. */
export function isPrimitiveTypeName(name: string): boolean {
  return primitiveTypes.has(name)
}

export function isIntegerTypeName(name: string): boolean {
  return integerTypes.has(name)
}

export function isNumericTypeName(name: string): boolean {
  return numericTypes.has(name)
}

/**
 * Whether two values of the type can be equal, or one be greater: every primitive type except `Edm.Binary`,
 * `Edm.Stream` and the geo types.
 *
 * @see OData URL Conventions 4.01, 5.1.1.1
 */
export function isComparableTypeName(name: string): boolean {
  return primitiveTypes.has(name) && !incomparableTypes.has(name)
}

/**
 * The type in which two numeric operands meet.
 *
 * @see OData URL Conventions 4.01, 5.1.1.17 (numeric promotion)
 */
export function promoteNumeric(left: string, right: string): string {
  for (const wider of ['Edm.Double', 'Edm.Single', 'Edm.Decimal', 'Edm.Int64']) {
    if (left === wider || right === wider) return wider === 'Edm.Single' && left !== right ? 'Edm.Double' : wider
  }
  return 'Edm.Int32'
}

interface TextFormat {
  readonly form: string
  readonly fits: (text: string) => boolean
}

/** The types that a string literal is cast to when the other operand is of them, and how the text must look. */
const textFormats: ReadonlyMap<string, TextFormat> = new Map([
  ['Edm.Guid', { form: '01234567-89ab-cdef-0123-456789abcdef', fits: text => guidEnd(text, 0) === text.length }],
  ['Edm.Date', { form: 'YYYY-MM-DD', fits: text => dateEnd(text, 0) === text.length }],
  [
    'Edm.DateTimeOffset',
    { form: 'YYYY-MM-DDThh:mm:ssZ, or with an offset', fits: text => dateTimeOffsetEnd(text, 0) === text.length },
  ],
  ['Edm.TimeOfDay', { form: 'hh:mm:ss', fits: text => timeOfDayEnd(text, 0) === text.length }],
  ['Edm.Duration', { form: 'P1DT2H3M4.5S', fits: isDuration }],
])

/** Whether a string literal stands for a value of the type when the other operand is of it. */
export function isCastFromText(type: string): boolean {
  return textFormats.has(type)
}

/**
 * How the text should have been written, when it is no value of the type; absent when it is one.
 *
 * @see OData ABNF, `primitiveValue`
 */
export function expectedForm(type: string, text: string): string | undefined {
  const form = textFormats.get(type)
  return form === undefined || form.fits(text) ? undefined : form.form
}
