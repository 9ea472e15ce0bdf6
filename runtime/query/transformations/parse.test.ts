import { describe, expect, it } from 'vitest'
import { QuerySyntaxError } from '../cursor.js'
import { printApply } from '../print-options.js'
import { parseApply } from './parse.js'

describe('parseApply', () => {
  it.each([
    'identity',
    'filter(price gt 5)/groupby((genre),aggregate($count as n))',
    'aggregate(price with sum as total,lines/$count as lines)',
    'groupby((rollup(null,country,city),category/name),topcount(2,price)/orderby(price desc))',
    'concat(identity,search(chair)/top(1)/skip(2),compute(price mul 2 as twice))',
    'bottompercent(12.5,price)',
  ])('reads what the printer writes: %s', text => {
    expect(printApply(parseApply(text))).toBe(text)
  })

  it('reads names in any letter case, and `$all` as `null`', () => {
    expect(parseApply('GroupBy((ROLLUP($ALL,a)),TopCount(1,b))')).toEqual(
      parseApply('groupby((rollup(null,a)),topcount(1,b))'),
    )
  })

  it.each([
    ['', 0, 'a transformation'],
    ['filter(a gt 1', 13, '`)`'],
    ['aggregate(price)', 15, '`with`'],
    ['aggregate(price with median as m)', 21, '`sum`'],
    ['groupby(a)', 8, '`(` and properties'],
    ['concat(identity)', 15, 'other transformations'],
    ['identity/unknown(1)', 9, 'a transformation'],
    ['topcount(1)', 10, '`,` and the measure'],
  ])('rejects %s at position %i', (text, position, expected) => {
    try {
      parseApply(text)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(QuerySyntaxError)
      expect(error).toMatchObject({ position })
      expect(String(error)).toContain(expected)
    }
  })
})
