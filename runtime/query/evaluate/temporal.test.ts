import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dateTimeOffsetText,
  dayAt,
  daysSinceEpoch,
  durationText,
  parseDateTimeOffset,
  parseDuration,
} from './temporal.js'

describe('the calendar', () => {
  it('numbers days like a JavaScript Date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), days => {
        const date = new Date(days * 86_400_000)
        const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
        expect(dayAt(days)).toEqual(day)
        expect(daysSinceEpoch(day)).toBe(days)
      }),
    )
  })
})

describe('the text of the instant', () => {
  it.each([
    ['2024-01-01T00:00Z', '2024-01-01T00:00:00Z'],
    ['2024-01-01T00:00:00.5000+02:30', '2024-01-01T00:00:00.5+02:30'],
    ['-0001-12-31T23:59:60-00:30', '0000-01-01T00:00:00-00:30'],
    ['12024-01-01T00:00:00.123456789012Z', '12024-01-01T00:00:00.123456789012Z'],
  ])('%s is %s', (text, expected) => {
    const value = parseDateTimeOffset(text)
    expect(value && dateTimeOffsetText(value)).toBe(expected)
  })
})

describe('the text of the duration', () => {
  it.each([
    ['P0D', 'PT0S'],
    ['PT36H', 'P1DT12H'],
    ['-PT90.50S', '-PT1M30.5S'],
    ['P1DT1H1M1S', 'P1DT1H1M1S'],
    ['PT0.0000000000001S', 'PT0.0000000000001S'],
  ])('%s is %s', (text, expected) => {
    const value = parseDuration(text)
    expect(value && durationText(value)).toBe(expected)
  })
})
