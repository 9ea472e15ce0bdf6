import fc from 'fast-check'
import type { PrimitiveTypeName, Property, Service } from '../../spec/language/index.js'

/** Replaces the value at one position of every JSON response of a service. */
interface Replacement {
  /** Picks the position among all values of a body, from 0 to 1; or names a property, wherever it occurs. */
  readonly position: number | string
  /** The JSON text to put there. */
  readonly text: string
}

/** Values that may break a reader. Texts, because some of them have no form in JavaScript. */
const hostileTexts: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '9007199254740993',
  '18446744073709551616',
  '""',
  '" "',
  '"NaN"',
  '"2024-13-45"',
  '"+275761-01-01"',
  '"2024-01-31T25:61:61Z"',
  '"0001-01-01T00:00:00+14:00"',
  '"275760-09-13T00:00:00.000000000001Z"',
  '"PT"',
  '"P99999999999999D"',
  '"24:00:00.9999999999999"',
  '"\\ud800"',
  '"\\u0000\\u202e"',
  '"\'"',
  '"http://["',
  '"//elsewhere.example/"',
  '"javascript:1"',
  `"${'x'.repeat(5_000)}"`,
  '[]',
  '[null]',
  '[[]]',
  '[1,"a",{}]',
  '{}',
  '{"__proto__":{"a":1}}',
  '{"constructor":1,"toString":2,"@odata.type":3,"value":4}',
  '{"error":{"code":1}}',
  '{"type":"Point","coordinates":["1","2"]}',
  '{"type":"GeometryCollection","geometries":[null]}',
  `${'['.repeat(500)}${']'.repeat(500)}`,
]

/** Values that do not have the form of a type. */
const malformed: Readonly<Partial<Record<PrimitiveTypeName, readonly string[]>>> = {
  String: ['1', 'true', '{}', '["a"]'],
  Boolean: ['"true"', '1', '0', '[]'],
  Byte: ['256', '-1', '1.5', '"1"'],
  Int16: ['32768', '1.5', '"1"', 'true'],
  Int32: ['2147483648', '0.5', '"12"', '[]'],
  Int64: ['1.5', '"1.5"', '"12a"', '{}'],
  Decimal: ['"a"', '"1,5"', 'true', '[]'],
  Double: ['"1.5"', '"Infinity"', 'true', '{}'],
  Guid: ['""', '"1"', '"{01234567-89ab-cdef-0123-456789abcdef}"', '1'],
  Date: ['"2024-02-30"', '"31.01.2024"', '"2024-1-1"', '20240131', '""'],
  DateTimeOffset: ['"2024-01-31"', '"2024-01-31T10:00:00"', '"yesterday"', '1706700000', '""'],
  TimeOfDay: ['"25:00:00"', '"9:00"', '"noon"', '32400'],
  Duration: ['"1h"', '"P"', '"PT"', '3600', '"90"'],
  Binary: ['"a b"', '"%%%"', '"abcde"', '1', '{}'],
  GeometryPoint: ['{"type":"Point","coordinates":["1","2"]}', '{"type":"Point"}', '[1,2]', '"POINT(1 2)"'],
}

/** The name of a property, and a JSON text that is not a value of its type. */
interface MalformedValue {
  readonly name: string
  readonly text: string
}

/**
 * Every malformed value for the properties of a service.
 *
 * @param isShown whether responses show a property
 */
export function malformedValues(service: Service, isShown: (name: string) => boolean): readonly MalformedValue[] {
  const properties = service.entityTypes.flatMap(type => type.properties)
  return properties
    .filter(({ name, assumed }) => assumed === undefined && isShown(name))
    .flatMap(property => malformedTexts(property).map(text => ({ name: property.name, text })))
}

/** The names of the members in a JSON value. */
export function namesIn(value: unknown): readonly string[] {
  return placesOf(value).map(({ name }) => name)
}

function malformedTexts({ type, collection, nullable }: Property): readonly string[] {
  const own =
    type.kind === 'primitive'
      ? malformed[type.name]
      : type.kind === 'typeDefinition'
        ? malformed[type.underlying]
        : undefined
  const texts =
    own ??
    (type.kind === 'complexType'
      ? ['1', '"x"', '[]']
      : type.kind === 'enumType' && type.assumed === undefined
        ? ['"?"', '{}']
        : [])
  if (collection) return ['"x"', '1', '{}', ...texts.map(text => `[${text}]`), ...(nullable ? [] : ['[null]'])]
  return texts
}

export const replacement: fc.Arbitrary<Replacement> = fc.record({
  position: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  text: fc.constantFrom(...hostileTexts),
})

/** Replaces a value in every JSON body that a service returns. */
export function withReplacement(
  target: (request: Request) => Promise<Response>,
  { position, text }: Replacement,
): (request: Request) => Promise<Response> {
  return async request => {
    const response = await target(request)
    if (!/json/.test(response.headers.get('content-type') ?? '')) return response
    const body: unknown = JSON.parse(await response.text())
    const { status, headers } = response
    return new Response(replaced(body, position, text), { status, headers })
  }
}

/** Stands where the new text goes, because `JSON.stringify` cannot write all of them. */
const placeholder = 'replace-this-value'

function replaced(body: unknown, position: number | string, text: string): string {
  const places = placesOf(body)
  const chosen =
    typeof position === 'string'
      ? places.filter(({ name }) => name === position)
      : places.slice(Math.floor(position * places.length)).slice(0, 1)
  for (const { put } of chosen) put(placeholder)
  return JSON.stringify(body).replaceAll(`"${placeholder}"`, () => text)
}

interface Place {
  readonly name: string
  readonly put: (value: unknown) => void
}

/** Every member and element of a value, the outer ones first. */
function placesOf(value: unknown): readonly Place[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => [
      { name: String(index), put: (other: unknown) => void value.splice(index, 1, other) },
      ...placesOf(item),
    ])
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [
    { name, put: (other: unknown) => void Object.assign(value, { [name]: other }) },
    ...placesOf(item),
  ])
}
