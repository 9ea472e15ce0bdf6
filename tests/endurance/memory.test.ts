import { expect, it } from 'vitest'
import { memoryLevel } from './memory.js'

const megabyte = 1e6

it('the growth is that of the longest life, from its second to its last quarter', () => {
  const sampleOf = (at: number, life: number, resident: number) => ({
    at,
    life,
    resident: resident * megabyte,
    heap: 5e6,
  })
  const samples = [
    sampleOf(0, 1, 900),
    sampleOf(10, 1, 900),
    ...Array.from({ length: 40 }, (_, index) => sampleOf(20 + index, 2, index < 10 ? 50 : index < 30 ? 100 : 110)),
  ]
  const { tenths, longestLife } = memoryLevel(samples)
  expect(longestLife.quarters.map(({ resident }) => resident)).toEqual([50, 100, 100, 110])
  expect(longestLife.growth).toBe(1.1)
  expect(tenths).toHaveLength(10)
  expect(tenths[0]).toEqual({ resident: 900, heap: 5 })
})
