import { expect, it } from 'vitest'
import { durationOf, secondsOfDuration } from './duration.js'

it.each([
  ['PT0S', 0, 'PT0S'],
  ['P1D', 86_400, 'P1D'],
  ['PT24H', 86_400, 'P1D'],
  ['P1DT2H3M4.5S', 93_784.5, 'P1DT2H3M4.5S'],
  ['-PT1M', -60, '-PT1M'],
  ['+PT90S', 90, 'PT1M30S'],
  ['PT0.000000001S', 1e-9, 'PT0.000000001S'],
  ['p1dt1s', 86_401, 'P1DT1S'],
])('%s lasts %d seconds, which are %s', (text, seconds, canonical) => {
  expect(secondsOfDuration(text)).toBe(seconds)
  expect(durationOf(seconds)).toBe(canonical)
})

it('what is no duration has no seconds', () => {
  expect(secondsOfDuration('1 day')).toBeNull()
})
