import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invalidValue, JsonText, parseExactJson, primitiveReader, printJson } from './primitive-values.js'

const same = Symbol('same')
const guid = '184EFA21-98C3-4E5D-95AB-D07053A96E67'
const line = [
  [0, 0],
  [1, 0],
]
const cases: readonly (readonly [string, unknown, unknown])[] = [
  ['Edm.Boolean', true, same],
  ['Edm.Boolean', 'true', invalidValue],
  ['Edm.Boolean', 1, invalidValue],
  ['Edm.String', '', same],
  ['Edm.String', '😀', same],
  ['Edm.String', '\ud83d', invalidValue],
  ['Edm.String', 1, invalidValue],
  ['Edm.SByte', -128, same],
  ['Edm.SByte', 128, invalidValue],
  ['Edm.Byte', 255, same],
  ['Edm.Byte', -1, invalidValue],
  ['Edm.Int16', 32767, same],
  ['Edm.Int16', 32768, invalidValue],
  ['Edm.Int32', -2147483648, same],
  ['Edm.Int32', 2147483648, invalidValue],
  ['Edm.Int32', 1.5, invalidValue],
  ['Edm.Int32', '1', invalidValue],
  ['Edm.Int64', 9007199254740991, same],
  ['Edm.Int64', 9007199254740992, '9007199254740992'],
  ['Edm.Int64', '42', 42],
  ['Edm.Int64', '9007199254740993', '9007199254740993'],
  ['Edm.Int64', '9223372036854775808', invalidValue],
  ['Edm.Int64', new JsonText('-9223372036854775808'), '-9223372036854775808'],
  ['Edm.Int32', new JsonText('9007199254740993'), invalidValue],
  ['Edm.Double', new JsonText('0.12345678901234567890'), 0.12345678901234568],
  ['Edm.Decimal', '0.12345678901234567890', '0.1234567890123456789'],
  ['Edm.Decimal', new JsonText('12345678901234567890.5'), '12345678901234567890.5'],
  ['Edm.String', new JsonText('9007199254740993'), invalidValue],
  ['Edm.Int64', '1.5', invalidValue],
  ['Edm.Decimal', 2.5, same],
  ['Edm.Decimal', '2.50', 2.5],
  ['Edm.Decimal', 'x', invalidValue],
  ['Edm.Decimal', 'INF', invalidValue],
  ['Edm.Double', 1e308, same],
  ['Edm.Double', 'INF', same],
  ['Edm.Double', '-INF', same],
  ['Edm.Double', 'NaN', same],
  ['Edm.Double', '1', invalidValue],
  ['Edm.Single', 1e39, invalidValue],
  ['Edm.Guid', guid, guid.toLowerCase()],
  ['Edm.Guid', `{${guid}}`, invalidValue],
  ['Edm.Date', '2024-02-29', same],
  ['Edm.Date', '2023-02-29', invalidValue],
  ['Edm.Date', '2024-02-29T00:00:00Z', invalidValue],
  ['Edm.TimeOfDay', '23:59:59.123', same],
  ['Edm.TimeOfDay', '24:00:00', invalidValue],
  ['Edm.DateTimeOffset', '2024-01-01t00:00:00.5z', '2024-01-01T00:00:00.5Z'],
  ['Edm.DateTimeOffset', '2024-01-01T00:00:00+01:00', same],
  ['Edm.DateTimeOffset', '2024-01-01T00:00:00', invalidValue],
  ['Edm.DateTimeOffset', '', invalidValue],
  ['Edm.Duration', 'p1dt2h', 'P1DT2H'],
  ['Edm.Duration', '1 day', invalidValue],
  ['Edm.Binary', 'AQID', same],
  ['Edm.Binary', 'AQ==', 'AQ'],
  ['Edm.Binary', '+/+/', '-_-_'],
  ['Edm.Binary', 'AQI!', invalidValue],
  ['Edm.Binary', 'AAAAA', invalidValue],
  ['Edm.GeographyPoint', { type: 'Point', coordinates: [1, 2] }, same],
  ['Edm.Geometry', { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] }, same],
  ['Edm.Geometry', { type: 'Circle', coordinates: [1, 2] }, invalidValue],
  ['Edm.Geometry', { type: 'Point', coordinates: ['1'] }, invalidValue],
  ['Edm.Geometry', { type: 'Point', coordinates: ['1', '2'] }, invalidValue],
  ['Edm.GeographyPoint', { type: 'Point', coordinates: [1] }, invalidValue],
  ['Edm.GeographyPoint', { type: 'Point', coordinates: [1, 2, 3] }, same],
  ['Edm.GeographyPoint', { type: 'Point', coordinates: [[1, 2]] }, invalidValue],
  ['Edm.GeographyPoint', { type: 'Point', coordinates: [1, Number.POSITIVE_INFINITY] }, invalidValue],
  ['Edm.GeographyPoint', { type: 'LineString', coordinates: line }, invalidValue],
  ['Edm.GeographyPoint', { type: 'Point' }, invalidValue],
  ['Edm.GeographyPoint', { type: 'constructor', coordinates: [1, 2] }, invalidValue],
  ['Edm.GeometryLineString', { type: 'LineString', coordinates: line }, same],
  ['Edm.GeometryLineString', { type: 'LineString', coordinates: [[1, 2]] }, invalidValue],
  ['Edm.GeometryPolygon', { type: 'Polygon', coordinates: [[...line, [1, 1], [0, 0]]] }, same],
  ['Edm.GeometryPolygon', { type: 'Polygon', coordinates: [[...line, [1, 1], [0, 1]]] }, invalidValue],
  ['Edm.GeometryPolygon', { type: 'Polygon', coordinates: [[...line, [0, 0]]] }, invalidValue],
  ['Edm.GeometryPolygon', { type: 'Polygon', coordinates: [] }, invalidValue],
  ['Edm.GeographyMultiPoint', { type: 'MultiPoint', coordinates: line }, same],
  ['Edm.GeographyMultiLineString', { type: 'MultiLineString', coordinates: [line] }, same],
  ['Edm.GeographyMultiPolygon', { type: 'MultiPolygon', coordinates: [[[...line, [1, 1], [0, 0]]]] }, same],
  ['Edm.GeographyMultiPolygon', { type: 'MultiPolygon', coordinates: [[line]] }, invalidValue],
  ['Edm.GeographyCollection', { type: 'GeometryCollection', geometries: [] }, same],
  ['Edm.GeographyCollection', { type: 'Point', coordinates: [1, 2] }, invalidValue],
  ['Edm.Geometry', [1, 2], invalidValue],
]
it.each(cases)('%s reads the value %j', (type, json, expected) => {
  expect(primitiveReader(type)?.read(json)).toEqual(expected === same ? json : expected)
})

it('types without JSON values have no reader', () => {
  expect(primitiveReader('Edm.Stream')).toBeUndefined()
  expect(primitiveReader('constructor')).toBeUndefined()
})

describe('JSON with exact numbers', () => {
  it.each([
    '12345678901234567890.123456789012345678',
    '[9007199254740993,-9223372036854775808,0.1]',
    '{"a":{"b":[1.00000000000000000001]},"text":"12345678901234567890 \\" 1e400"}',
    '{"__proto__":12345678901234567891}',
    '1e400',
  ])('%s is printed as it was parsed', text => {
    expect(printJson(parseExactJson(text))).toBe(text)
  })

  it('has JavaScript numbers where they lose nothing', () => {
    expect(parseExactJson('[1,0.1,1e21,9007199254740991,0.30000000000000004,100000000000000000000]')).toEqual([
      1, 0.1, 1e21, 9007199254740991, 0.30000000000000004, 100000000000000000000,
    ])
  })

  it('is the same as JSON for every value without long numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const text = JSON.stringify(value)
        expect(printJson(parseExactJson(text))).toBe(text)
      }),
    )
  })

  it('prints a text inside a value as it is', () => {
    expect(printJson({ a: [new JsonText('{"b":"\\u0000\\"\\\\"}')] })).toBe('{"a":[{"b":"\\u0000\\"\\\\"}]}')
    expect(JSON.stringify({ a: new JsonText('[1]') })).toBe('{"a":[1]}')
  })

  it('fails for text that is not JSON', () => {
    expect(() => parseExactJson('[12345678901234567890,]')).toThrow(SyntaxError)
    expect(() => parseExactJson('01234567890123456789')).toThrow(SyntaxError)
  })
})
