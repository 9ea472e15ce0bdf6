import { describe, expect, it } from 'vitest'
import { parseOrderby } from '../parse/orderby.js'
import { sampleTypes } from '../testing/sample-types.js'
import { compareValues, orderRows } from './order.js'

describe('compareValues', () => {
  it.each([
    [[true, null, false], [null, false, true], undefined],
    [[10, 9, null, 2.5], [null, 2.5, 9, 10], undefined],
    [['b', 'a', 'B', null, '😀', '\uffff'], [null, 'B', 'a', 'b', '\uffff', '😀'], undefined],
    [[1, 'NaN', 'INF', '-INF'], ['NaN', '-INF', 1, 'INF'], 'Edm.Double'],
    [
      ['2024-01-01T01:00:00+02:00', '2024-01-01T00:00:00Z'],
      ['2024-01-01T01:00:00+02:00', '2024-01-01T00:00:00Z'],
      'Edm.DateTimeOffset',
    ],
    [['9', '10'], ['9', '10'], 'Edm.Int64'],
    [['10', '9'], ['10', '9'], 'Edm.String'],
    [['PT1H', 'PT30M'], ['PT30M', 'PT1H'], 'Edm.Duration'],
  ])('orders %j as %j', (values, expected, type) => {
    expect([...values].sort((a, b) => compareValues(a, b, type))).toEqual(expected)
  })
})

describe('orderRows', () => {
  const rows = [
    { id: 1, name: 'b', n: 1 },
    { id: 2, name: null, n: 1 },
    { id: 3, name: 'a', n: 2 },
    { id: 4, name: 'b', n: 0 },
  ]

  it.each([
    ['name', [2, 3, 1, 4]],
    ['name desc', [1, 4, 3, 2]],
    ['name,n', [2, 3, 4, 1]],
    ['n desc,name desc', [3, 1, 2, 4]],
    ['n mul -1', [3, 1, 2, 4]],
    ["startswith(name,'a') desc", [3, 1, 4, 2]],
  ])('by %s gives %j', (orderby, expected) => {
    expect(orderRows(rows, parseOrderby(orderby)).map(({ id }) => id)).toEqual(expected)
  })

  it('orders members of an enumeration by their numbers', () => {
    const moods = [{ mood: 'high' }, { mood: 'low' }]
    const options = { types: sampleTypes, type: 'person' }
    expect(orderRows(moods, parseOrderby('mood'), options)).toEqual([{ mood: 'low' }, { mood: 'high' }])
  })
})
