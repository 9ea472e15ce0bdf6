import { describe, expect, it } from 'vitest'
import type { ValueType } from '../../spec/language/index.js'
import { isSameValue } from './values.js'

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
