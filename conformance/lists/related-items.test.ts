import { expect, it } from 'vitest'
import { createChoiceRecord } from '../choices/choices.js'
import { shelf } from '../testing/services.js'
import { mayBeTruncated } from './related-items.js'

it.each<[number, number | undefined, 'total' | 'pageSize' | undefined, boolean]>([
  [4, 4, 'total', true],
  [4, 4, undefined, true],
  [4, 4, 'pageSize', false],
  [3, 4, 'total', false],
  [5, 4, 'total', false],
  [4, undefined, 'total', false],
])('%s items for $top=%s, known to mean %s, may be truncated: %s', (length, top, value, expected) => {
  const choices = createChoiceRecord(shelf)
  for (const choice of shelf.open.filter(({ name }) => name === 'topMeaning')) {
    if (value !== undefined) choices.record({ choice, value, evidence: [] })
  }
  expect(mayBeTruncated(length, top === undefined ? {} : { top }, { service: shelf, choices })).toBe(expected)
})
