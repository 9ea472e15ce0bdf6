import { expect, it } from 'vitest'
import { boundedCache } from './bounded-cache.js'

it('a bounded cache computes each value once and removes the oldest when it is full', () => {
  const computed: string[] = []
  const get = boundedCache(2, key => {
    computed.push(key)
    return key.toUpperCase()
  })
  expect(['a', 'b', 'a', 'c', 'c', 'a'].map(get)).toEqual(['A', 'B', 'A', 'C', 'C', 'A'])
  expect(computed).toEqual(['a', 'b', 'c', 'a'])
})

it('a bounded cache does not cache failures', () => {
  let calls = 0
  const get = boundedCache(2, () => {
    calls++
    throw new RangeError('no')
  })
  expect(() => get('a')).toThrow(RangeError)
  expect(() => get('a')).toThrow(RangeError)
  expect(calls).toBe(2)
})
