import { expect, it } from 'vitest'
import { primitiveReader } from './primitive-readers.js'
import { unfit } from './unfit.js'

const same = Symbol('same')
const guid = '184EFA21-98C3-4E5D-95AB-D07053A96E67'
const cases: readonly (readonly [string, unknown, unknown])[] = [
  ['Edm.Boolean', true, same],
  ['Edm.Boolean', 'true', unfit],
  ['Edm.Boolean', 1, unfit],
  ['Edm.String', '', same],
  ['Edm.String', '😀', same],
  ['Edm.String', '\ud83d', unfit],
  ['Edm.String', 1, unfit],
  ['Edm.SByte', -128, same],
  ['Edm.SByte', 128, unfit],
  ['Edm.Byte', 255, same],
  ['Edm.Byte', -1, unfit],
  ['Edm.Int16', 32767, same],
  ['Edm.Int16', 32768, unfit],
  ['Edm.Int32', -2147483648, same],
  ['Edm.Int32', 2147483648, unfit],
  ['Edm.Int32', 1.5, unfit],
  ['Edm.Int32', '1', unfit],
  ['Edm.Int64', 9007199254740991, same],
  ['Edm.Int64', 9007199254740992, unfit],
  ['Edm.Int64', '42', 42],
  ['Edm.Int64', '9007199254740993', unfit],
  ['Edm.Int64', '1.5', unfit],
  ['Edm.Decimal', 2.5, same],
  ['Edm.Decimal', '2.50', 2.5],
  ['Edm.Decimal', 'x', unfit],
  ['Edm.Decimal', 'INF', unfit],
  ['Edm.Double', 1e308, same],
  ['Edm.Double', 'INF', same],
  ['Edm.Double', '-INF', same],
  ['Edm.Double', 'NaN', same],
  ['Edm.Double', '1', unfit],
  ['Edm.Single', 1e39, unfit],
  ['Edm.Guid', guid, guid.toLowerCase()],
  ['Edm.Guid', `{${guid}}`, unfit],
  ['Edm.Date', '2024-02-29', same],
  ['Edm.Date', '2023-02-29', unfit],
  ['Edm.Date', '2024-02-29T00:00:00Z', unfit],
  ['Edm.TimeOfDay', '23:59:59.123', same],
  ['Edm.TimeOfDay', '24:00:00', unfit],
  ['Edm.DateTimeOffset', '2024-01-01t00:00:00.5z', '2024-01-01T00:00:00.5Z'],
  ['Edm.DateTimeOffset', '2024-01-01T00:00:00+01:00', same],
  ['Edm.DateTimeOffset', '2024-01-01T00:00:00', unfit],
  ['Edm.DateTimeOffset', '', unfit],
  ['Edm.Duration', 'p1dt2h', 'P1DT2H'],
  ['Edm.Duration', '1 day', unfit],
  ['Edm.Binary', 'AQID', same],
  ['Edm.Binary', 'AQ==', 'AQ'],
  ['Edm.Binary', '+/+/', '-_-_'],
  ['Edm.Binary', 'AQI!', unfit],
  ['Edm.Binary', 'AAAAA', unfit],
  ['Edm.GeographyPoint', { type: 'Point', coordinates: [1, 2] }, same],
  ['Edm.Geometry', { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] }, same],
  ['Edm.Geometry', { type: 'Circle', coordinates: [1, 2] }, unfit],
  ['Edm.Geometry', { type: 'Point', coordinates: ['1'] }, unfit],
  ['Edm.Geometry', [1, 2], unfit],
]
it.each(cases)('%s reads %j', (type, json, expected) => {
  expect(primitiveReader(type)?.read(json)).toEqual(expected === same ? json : expected)
})

it('gives nothing for types whose values do not come in JSON', () => {
  expect(primitiveReader('Edm.Stream')).toBeUndefined()
  expect(primitiveReader('constructor')).toBeUndefined()
})
