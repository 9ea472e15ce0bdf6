import { describe, expect, it } from 'vitest'
import { specOf } from '../testing/rule-tests.js'
import { declaredProperties } from './properties.js'
import { findTypeMismatch } from './type-mismatch.js'

const library = specOf('library')

function faultOf(typeName: string, name: string, value: unknown): string | undefined {
  const type = library.entityTypes.find(each => each.name === typeName)
  const property = type === undefined ? undefined : declaredProperties(type, library).properties.get(name)
  if (property === undefined) throw new Error(`There is no ${typeName}/${name}.`)
  const fault = findTypeMismatch(value, property, true)
  return fault === undefined ? undefined : `${fault.path} is no ${fault.type}`
}

it.each([
  ['9007199254740993', undefined],
  ['9223372036854775807', undefined],
  ['9223372036854775808', 'Int64'],
])('an Int64 without a maximum has 64 bits: %s', (value, fault) => {
  const bounded = library.entityTypes
    .flatMap(({ properties }) => properties)
    .find(({ name }) => name === 'timesBorrowed')
  if (bounded === undefined) throw new Error('There is no timesBorrowed.')
  const { maximum: _, ...property } = bounded
  expect(findTypeMismatch(value, property, true)?.type).toBe(fault)
})

describe('a value has its declared type', () => {
  it.each([
    ['book', 'title', 'x'],
    ['book', 'rating', null],
    ['book', 'pages', 30],
    ['book', 'price', 9.99],
    ['book', 'price', '9.99'],
    ['book', 'timesBorrowed', '9007199254740991'],
    ['book', 'rating', 'NaN'],
    ['book', 'published', '2024-02-29'],
    ['book', 'readingTime', 'PT2H'],
    ['book', 'added', '2024-01-01T00:00:00+00:00'],
    ['book', 'added', '2024-01-01T00:00Z'],
    ['book', 'genres', 'fiction,history'],
    ['book', 'keywords', []],
    ['book', 'edition', { number: 1, publisher: { name: 'x', seat: null, more: 1 } }],
    ['copy', 'shelf', { type: 'Point', coordinates: [1, 2] }],
    ['member', 'id', '0b6a1d1e-7c55-4f0e-9d0a-000000000014'],
  ])('%s/%s: %j', (type, name, value) => {
    expect(faultOf(type, name, value)).toBeUndefined()
  })

  it.each([
    ['book', 'title', 1, 'title is no String'],
    ['book', 'title', null, 'title is no String'],
    ['book', 'genres', 'fiction,unheardOf', 'genres is no genre'],
    ['book', 'keywords', [null], 'keywords is no String'],
    ['book', 'timesBorrowed', '9007199254740992', 'timesBorrowed is no Int64'],
    ['book', 'timesBorrowed', '9223372036854775808', 'timesBorrowed is no Int64'],
    ['copy', 'shelf', { type: 'Point', coordinates: ['1', '2'] }, 'shelf is no GeometryPoint'],
    ['copy', 'shelf', { type: 'Point', coordinates: [1] }, 'shelf is no GeometryPoint'],
    ['book', 'pages', '30', 'pages is no Int32'],
    ['book', 'pages', 3.5, 'pages is no Int32'],
    ['book', 'minimumAge', 256, 'minimumAge is no Byte'],
    ['book', 'published', '', 'published is no Date'],
    ['book', 'published', '2024-02-30', 'published is no Date'],
    ['book', 'added', '2024-01-01', 'added is no DateTimeOffset'],
    ['book', 'added', '2024-01-01T00:00:00', 'added is no DateTimeOffset'],
    ['book', 'genres', 1, 'genres is no genre'],
    ['book', 'keywords', 'x', 'keywords is no Collection'],
    ['book', 'keywords', [1], 'keywords is no String'],
    ['book', 'edition', 'x', 'edition is no edition'],
    ['book', 'edition', { number: 'x' }, 'edition/number is no Int16'],
    ['author', 'active', 'true', 'active is no Boolean'],
    ['member', 'id', 'x', 'id is no Guid'],
  ])('%s/%s is not: %j', (type, name, value, expected) => {
    expect(faultOf(type, name, value)).toBe(expected)
  })
})
