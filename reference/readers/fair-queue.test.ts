import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.js'

const jobs = (text: string) => [...text].map((principal, number) => ({ principal, number }))

describe('the queue of reads', () => {
  it.each([
    ['gives principals turns', 'aaab', 'abaa'],
    ['gives three principals turns', 'aaabbc', 'abcaba'],
    ['keeps the order of one principal', 'aaa', 'aaa'],
  ])('%s', (_, given, order) => {
    const queue = createFairQueue<{ principal: string; number: number }>(100)
    for (const job of jobs(given)) expect(queue.push(job)).toBeUndefined()
    expect(Array.from(given, () => queue.shift()?.principal).join('')).toBe(order)
    expect(queue.shift()).toBeUndefined()
  })

  it.each([
    ['who came last, if it has the most', 'aaa', 'a'],
    ['who has the most, if another one comes', 'aaab', 'a'],
  ])('refuses the last job of the principal %s', (_, given, refused) => {
    const queue = createFairQueue<{ principal: string; number: number }>(given.length - 1)
    const outcomes = jobs(given).map(job => queue.push(job)?.principal)
    expect(outcomes.at(-1)).toBe(refused)
    expect(queue.size()).toBe(given.length - 1)
  })

  it('neither loses nor repeats a job, and never holds more than its limit', () => {
    const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('take', 'remove')))
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (given, limit) => {
        const queue = createFairQueue<{ principal: string; number: number }>(limit)
        const inside = new Set<{ principal: string; number: number }>()
        for (const [number, step] of given.entries()) {
          if (step === 'take') {
            const job = queue.shift()
            if (job === undefined) expect(inside.size).toBe(0)
            else expect(inside.delete(job)).toBe(true)
          } else if (step === 'remove') {
            const [job] = inside
            if (job !== undefined) queue.remove(job)
            if (job !== undefined) inside.delete(job)
          } else {
            const job = { principal: step, number }
            inside.add(job)
            const refused = queue.push(job)
            if (refused !== undefined) expect(inside.delete(refused)).toBe(true)
          }
          expect(queue.size()).toBe(inside.size)
          expect(queue.size()).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })
})
