import { beforeEach, describe, expect, it } from 'vitest'
import { StoreError } from './dialect.js'
import { withTimeLimit } from './sqlite-functions.js'

let time = 0
const now = (): number => time
const slow = (milliseconds: number): number => {
  time += milliseconds
  return milliseconds
}

describe('withTimeLimit', () => {
  beforeEach(() => {
    time = 0
  })

  it('runs calls until the time is spent, and refuses later ones as too slow', () => {
    const work = withTimeLimit(slow, 20, now)
    expect([work(0), work(1)]).toEqual([0, 1])
    expect(work(30)).toBe(30)
    expect(() => work(0)).toThrow(new StoreError('tooSlow', undefined))
  })

  it('gives the next statement all of its time again', async () => {
    const work = withTimeLimit(slow, 20, now)
    work(30)
    await Promise.resolve()
    expect(work(1)).toBe(1)
  })

  it('counts the time of calls that throw', () => {
    const work = withTimeLimit(
      (milliseconds: number) => {
        throw new RangeError(String(slow(milliseconds)))
      },
      5,
      now,
    )
    expect(() => work(10)).toThrow(RangeError)
    expect(() => work(10)).toThrow(StoreError)
  })
})
