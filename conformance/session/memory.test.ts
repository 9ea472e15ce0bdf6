import { describe, expect, it } from 'vitest'
import { memory } from './memory.js'

const counter = (): (() => Promise<number>) => {
  let count = 0
  return async () => ++count
}

describe('a memory', () => {
  it('reads a fact once under each reading', async () => {
    const { recall } = memory<number>(() => true)
    const read = counter()
    const [first, second] = [{}, {}]
    expect(await recall(first, 'a', read)).toBe(1)
    expect(await recall(first, 'a', read)).toBe(1)
    expect(await recall(first, 'b', read)).toBe(2)
    expect(await recall(second, 'a', read)).toBe(3)
  })

  it('forgets what is no fact', async () => {
    const { recall, keep } = memory<number>(value => value > 1)
    const [reading, read] = [{}, counter()]
    expect(await recall(reading, 'a', read)).toBe(1)
    expect(await recall(reading, 'a', read)).toBe(2)
    keep(reading, 'b', 0)
    expect(await recall(reading, 'b', read)).toBe(3)
  })

  it('forgets what could not be read', async () => {
    const { recall } = memory<number>(() => true)
    const reading = {}
    await expect(recall(reading, 'a', () => Promise.reject(new Error('no request is left')))).rejects.toThrow()
    expect(await recall(reading, 'a', async () => 1)).toBe(1)
  })

  it('keeps what was read for another purpose', async () => {
    const { recall, keep } = memory<number>(() => true)
    const reading = {}
    keep(reading, 'a', 5)
    expect(await recall(reading, 'a', counter())).toBe(5)
  })
})
