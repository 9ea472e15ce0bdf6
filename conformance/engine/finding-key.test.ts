import { describe, expect, it } from 'vitest'
import type { Area } from '../rule/rule.js'
import { findingKey } from './finding-key.js'

const key = (area: Area, ...features: readonly string[]): string =>
  findingKey(area, { message: '', expected: '', received: '', answers: [], features })

describe('findingKey', () => {
  it.each<[string, string, string, boolean]>([
    ['the same of two areas', key('filter', 'filter.eq'), key('paging', 'filter.eq'), false],
    ['the same features in another order', key('filter', 'a', 'b'), key('filter', 'b', 'a', 'b'), true],
    ['a malformed error, whatever was asked', key('errors', 'error.shape'), key('delta', 'error.shape'), true],
    ['an error with another status', key('errors', 'error.x', 'status'), key('writing', 'error.x', 'status'), true],
    ['no error where one is due', key('errors', 'error.x', 'accepted'), key('writing', 'error.x', 'accepted'), false],
  ])('%s', (_, one, other, isSame) => {
    expect(one === other).toBe(isSame)
  })
})
