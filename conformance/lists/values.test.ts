import { describe, expect, it } from 'vitest'
import type { ValueType } from '../../spec/language/index.js'
import { specOf } from '../testing/rule-tests.js'
import { declaredProperties } from './properties.js'
import { findTypeMismatch, isSameValue } from './values.js'

const place = { pointer: '' }
const primitive = (name: Extract<ValueType, { kind: 'primitive' }>['name']): ValueType => ({ kind: 'primitive', name })
const flags: ValueType = {
  kind: 'enumType',
  name: 'genre',
  qualifiedName: 'library.genre',
  flags: true,
  underlying: 'Int32',
  members: [
    { name: 'fiction', value: 1, location: place },
    { name: 'history', value: 2, location: place },
  ],
  location: place,
}

describe('two values are equal', () => {
  it.each([
    ['DateTimeOffset', '2024-05-01T10:00:00Z', '2024-05-01T12:00:00.000+02:00'],
    ['DateTimeOffset', '2024-05-01T10:00:00.1234567Z', '2024-05-01T10:00:00.123Z'],
    ['Guid', 'ABCDEF01-0000-0000-0000-000000000000', 'abcdef01-0000-0000-0000-000000000000'],
    ['Int64', 12, '12'],
    ['Decimal', 1.5, '1.50'],
    ['Double', 'INF', 'INF'],
    ['Duration', 'PT60M', 'PT1H'],
    ['TimeOfDay', '10:00:00', '10:00:00.000'],
    ['Binary', 'AB+/', 'AB-_'],
    ['String', null, undefined],
  ] as const)('%s %j and %j', (name, left, right) => {
    expect(isSameValue(left, right, { type: primitive(name), collection: false })).toBe(true)
  })

  it.each([
    ['DateTimeOffset', '2024-05-01T10:00:00Z', '2024-05-01T10:00:00.001Z'],
    ['DateTimeOffset', 'soon', 'later'],
    ['String', '', null],
    ['String', 'a', 'A'],
    ['Boolean', false, null],
    ['Int32', 0, null],
    ['Guid', 'a', null],
  ] as const)('unlike %s %j and %j', (name, left, right) => {
    expect(isSameValue(left, right, { type: primitive(name), collection: false })).toBe(false)
  })

  it('by members, in any order', () => {
    expect(isSameValue('fiction,history', 'history, fiction', { type: flags, collection: false })).toBe(true)
    expect(isSameValue('1', 'fiction', { type: flags, collection: false })).toBe(true)
    expect(isSameValue('fiction', 'history', { type: flags, collection: false })).toBe(false)
  })

  it('if collections have the same items equally often', () => {
    const texts = { type: primitive('String'), collection: true }
    expect(isSameValue(['a', 'b', 'a'], ['b', 'a', 'a'], texts)).toBe(true)
    expect(isSameValue(['a', 'b', 'b'], ['b', 'a', 'a'], texts)).toBe(false)
    expect(isSameValue([], null, texts)).toBe(true)
    expect(isSameValue('a', ['a'], texts)).toBe(false)
  })
})

const library = specOf('library')

function faultOf(typeName: string, name: string, value: unknown): string | undefined {
  const type = library.entityTypes.find(each => each.name === typeName)
  const property = type === undefined ? undefined : declaredProperties(type, library).properties.get(name)
  if (property === undefined) throw new Error(`There is no ${typeName}/${name}.`)
  const fault = findTypeMismatch(value, property)
  return fault === undefined ? undefined : `${fault.path} is no ${fault.type}`
}

describe('a value has its declared type', () => {
  it.each([
    ['book', 'title', 'x'],
    ['book', 'title', null],
    ['book', 'pages', 30],
    ['book', 'price', 9.99],
    ['book', 'price', '9.99'],
    ['book', 'timesBorrowed', '9007199254740993'],
    ['book', 'rating', 'NaN'],
    ['book', 'published', '2024-02-29'],
    ['book', 'readingTime', 'PT2H'],
    ['book', 'added', '2024-01-01T00:00:00+00:00'],
    ['book', 'added', '2024-01-01T00:00Z'],
    ['book', 'genres', 'fiction,unheardOf'],
    ['book', 'keywords', []],
    ['book', 'edition', { number: 1, publisher: { name: 'x', seat: null, more: 1 } }],
    ['copy', 'shelf', { type: 'Point', coordinates: [1, 2] }],
    ['member', 'id', '0b6a1d1e-7c55-4f0e-9d0a-000000000014'],
  ])('%s/%s: %j', (type, name, value) => {
    expect(faultOf(type, name, value)).toBeUndefined()
  })

  it.each([
    ['book', 'title', 1, 'title is no String'],
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
