import { describe, expect, it } from 'vitest'
import { StoreError } from './engine.js'
import { withTimeLimit } from './sqlite-functions.js'

const slow = (milliseconds: number): number => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
  return milliseconds
}

describe('work within a time', () => {
  it('is done as long as there is time, and refused as too slow afterwards', () => {
    const work = withTimeLimit(slow, 20)
    expect([work(0), work(1)]).toEqual([0, 1])
    expect(work(30)).toBe(30)
    expect(() => work(0)).toThrow(new StoreError('tooSlow', undefined))
  })

  it('has all its time again in the next statement', async () => {
    const work = withTimeLimit(slow, 20)
    work(30)
    await Promise.resolve()
    expect(work(1)).toBe(1)
  })

  it('counts what failed, too', () => {
    const work = withTimeLimit((milliseconds: number) => {
      throw new RangeError(String(slow(milliseconds)))
    }, 5)
    expect(() => work(10)).toThrow(RangeError)
    expect(() => work(10)).toThrow(StoreError)
  })
})
