import { expect, it } from 'vitest'
import { boundedCache } from './bounded-cache.js'

it('makes each value once, and forgets the oldest when it is full', () => {
  const made: string[] = []
  const get = boundedCache(2, key => {
    made.push(key)
    return key.toUpperCase()
  })
  expect(['a', 'b', 'a', 'c', 'c', 'a'].map(get)).toEqual(['A', 'B', 'A', 'C', 'C', 'A'])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})

it('remembers no failure', () => {
  let calls = 0
  const get = boundedCache(2, () => {
    calls++
    throw new RangeError('no')
  })
  expect(() => get('a')).toThrow(RangeError)
  expect(() => get('a')).toThrow(RangeError)
  expect(calls).toBe(2)
})
