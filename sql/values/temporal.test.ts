import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addToDate,
  addToInstant,
  formatDuration,
  isStorable,
  parseDuration,
  secondsBetweenDates,
  secondsBetweenInstants,
  storedDate,
  storedInstant,
  storedTimeOfDay,
} from './temporal.js'

describe('an instant', () => {
  it.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59'],
    ['2024-02-29T23:59Z', '2024-02-29T23:59:00'],
    ['2024-02-29T23:59:59.500000000000Z', '2024-02-29T23:59:59.5'],
    ['2024-02-29T23:59:59.000Z', '2024-02-29T23:59:59'],
    ['2024-03-01T00:30:00.25+01:00', '2024-02-29T23:30:00.25'],
    ['2023-12-31T23:30:00-00:45', '2024-01-01T00:15:00'],
    ['2024-12-31T23:59:60Z', '2025-01-01T00:00:00'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00'],
    ['0000-01-01T00:00:00+00:01', '-'],
    ['-0044-03-15T12:00:00Z', '-'],
    ['9999-12-31T23:59:59-00:01', '~'],
    ['12024-01-01T00:00:00Z', '~'],
    ['2024-02-29', undefined],
    ['soon', undefined],
  ])('%s is stored as %s', (text, stored) => {
    expect(storedInstant(text)).toBe(stored)
    expect(stored === undefined || isStorable(stored) === stored.length > 1).toBe(true)
  })

  it('sorts as text in time order', () => {
    const instant = fc.tuple(
      fc.date({ min: new Date(0), max: new Date(Date.UTC(9998, 0)), noInvalidDate: true }),
      fc.integer({ min: -840, max: 840 }),
    )
    fc.assert(
      fc.property(instant, instant, (left, right) => {
        const [a, b] = [left, right].map(([date, offset]) => storedInstant(withOffset(date, offset)) ?? '')
        expect(Math.sign(left[0].getTime() - right[0].getTime())).toBe((a ?? '') < (b ?? '') ? -1 : a === b ? 0 : 1)
      }),
    )
  })

  it.each([
    ['2024-02-29T23:59:59.5', 0.5, '2024-03-01T00:00:00'],
    ['2024-03-01T00:00:00', -0.000001, '2024-02-29T23:59:59.999999'],
    ['1969-12-31T23:59:59.25', 1.5, '1970-01-01T00:00:00.75'],
    ['9999-12-31T23:59:59', 1, null],
    ['0001-01-01T00:00:00', -1e12, null],
  ])('%s plus %d seconds is %s', (stored, seconds, moved) => {
    expect(addToInstant(stored, seconds)).toBe(moved)
  })

  it('plus the time to another instant is that instant', () => {
    expect(secondsBetweenInstants('2024-03-01T00:00:00.25', '2024-02-29T23:59:59')).toBe('1.25')
  })
})

describe('a date', () => {
  it.each([
    ['2024-02-29', '2024-02-29'],
    ['-0044-03-15', '-'],
    ['12024-01-01', '~'],
  ])('%s is stored as %s', (text, stored) => {
    expect(storedDate(text)).toBe(stored)
  })

  it.each([
    ['2024-02-28', 86_400, '2024-02-29'],
    ['2024-02-28', 86_399, '2024-02-28'],
    ['2024-03-01', -1, '2024-02-29'],
    ['9999-12-31', 86_400, null],
  ])('%s plus %d seconds is %s', (stored, seconds, moved) => {
    expect(addToDate(stored, seconds)).toBe(moved)
  })

  it('plus the days to another date is that date', () => {
    expect(secondsBetweenDates('2024-03-01', '2024-02-28')).toBe(2 * 86_400)
  })
})

it.each([
  ['12:30', '12:30:00'],
  ['12:30:00.250', '12:30:00.25'],
  ['12:30:60.5', '12:31:00.5'],
  ['23:59:60', '23:59:60'],
])('the time of day %s is stored as %s', (text, stored) => {
  expect(storedTimeOfDay(text)).toBe(stored)
})

function withOffset(date: Date, minutes: number): string {
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1)
  const magnitude = Math.abs(minutes)
  const twoDigits = (number: number): string => String(number).padStart(2, '0')
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(magnitude / 60))}:${twoDigits(magnitude % 60)}`
}

it.each([
  ['PT0S', 0, 'PT0S'],
  ['P1D', 86_400, 'P1D'],
  ['PT24H', 86_400, 'P1D'],
  ['P1DT2H3M4.5S', 93_784.5, 'P1DT2H3M4.5S'],
  ['-PT1M', -60, '-PT1M'],
  ['+PT90S', 90, 'PT1M30S'],
  ['PT0.000000001S', 1e-9, 'PT0.000000001S'],
  ['p1dt1s', 86_401, 'P1DT1S'],
])('%s lasts %d seconds, written as %s', (text, seconds, canonical) => {
  expect(parseDuration(text)).toBe(seconds)
  expect(formatDuration(seconds)).toBe(canonical)
})

it('a text that is not a duration has no seconds', () => {
  expect(parseDuration('1 day')).toBeNull()
})
