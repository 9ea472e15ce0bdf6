import { expect, it } from 'vitest'
import { causeOf } from './cause-of.js'

const sets = (...texts: readonly string[]): readonly ReadonlySet<string>[] =>
  texts.map(text => new Set(text.split(' ')))

it.each([
  ['what never passed', 'filter.not filter.contains', ['filter filter.contains'], ['filter.not']],
  [
    'a pair, when each passed without the other',
    'filter.not filter.contains',
    ['filter.not', 'filter.contains'],
    ['filter.contains', 'filter.not'],
  ],
  [
    'all of it, when every pair passed',
    'filter.not filter.contains',
    ['filter.not filter.contains'],
    ['filter.contains', 'filter.not'],
  ],
  ['no type alone', 'type.String filter.eq', ['filter.eq'], ['filter.eq', 'type.String']],
])('the cause is %s', (_, features, passed, cause) => {
  expect(causeOf(features.split(' '), sets(...passed))).toEqual(cause)
})
