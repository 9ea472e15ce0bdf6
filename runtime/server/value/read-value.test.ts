import { expect, it } from 'vitest'
import { invalidValue } from './primitive-values.js'
import { facetProblem, readEnum } from './read-value.js'

const single = { kind: 'enumType', members: { low: 0, high: 2 } } as const
const flags = { ...single, flags: true } as const

it.each([
  [single, 'low', 'low'],
  [single, 'HIGH', 'high'],
  [single, '2', 'high'],
  [single, '1', invalidValue],
  [single, 'low,high', invalidValue],
  [single, '', invalidValue],
  [single, 'constructor', invalidValue],
  [flags, 'Low, high', 'low,high'],
  [flags, 'low,low', 'low'],
  [flags, 'low,', invalidValue],
])('%o reads %s as %s', (type, text, expected) => {
  expect(readEnum(text, type)).toBe(expected)
})

it.each([
  [{ maxLength: 2 }, 'Edm.String', 'ab', undefined],
  [{ maxLength: 2 }, 'Edm.String', '😀😀', undefined],
  [{ maxLength: 2 }, 'Edm.String', 'abc', 'must have at most 2 characters'],
  [{ minLength: 1 }, 'Edm.String', '', 'must have at least 1 character'],
  [{ maxLength: 2 }, 'Edm.Binary', 'AQI', undefined],
  [{ maxLength: 2 }, 'Edm.Binary', 'AQID', 'must have at most 2 bytes'],
  [{ maxLength: 2 }, 'Edm.Date', '2024-01-01', undefined],
  [{ minimum: 1 }, 'Edm.Int32', 0, 'must be at least 1'],
  [{ maximum: 1 }, 'Edm.Int32', 2, 'must be at most 1'],
  [{ pattern: '^[a-z]+$' }, 'Edm.String', 'abc', undefined],
  [{ pattern: '^[a-z]+$' }, 'Edm.String', 'ABC', 'must match ^[a-z]+$'],
  [{ scale: 2 }, 'Edm.Decimal', 1.25, undefined],
  [{ scale: 2 }, 'Edm.Decimal', 1.255, 'must have at most 2 digits after the point'],
  [{ scale: 0 }, 'Edm.Decimal', 1e21, undefined],
  [{ precision: 3 }, 'Edm.Decimal', 99.9, undefined],
  [{ precision: 3 }, 'Edm.Decimal', 99.99, 'must have at most 3 digits'],
  [{ precision: 3, scale: 'variable' as const }, 'Edm.Decimal', 0.012, 'must have at most 3 digits'],
  [{ precision: 3 }, 'Edm.DateTimeOffset', '2024-01-01T00:00:00.123Z', undefined],
  [
    { precision: 0 },
    'Edm.DateTimeOffset',
    '2024-01-01T00:00:00.1Z',
    'must have at most 0 digits of fractional seconds',
  ],
  [{ maxLength: 1 }, 'Edm.Boolean', true, undefined],
])('the facets %o of %s report for %j: %s', (facets, type, value, problem) => {
  expect(facetProblem(facets, type, value)).toBe(problem)
})
