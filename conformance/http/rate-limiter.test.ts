import { expect, it } from 'vitest'
import { createRateLimiter, pause } from './rate-limiter.js'

it('starts nothing that would have to wait until the end', async () => {
  const pace = createRateLimiter(undefined, 1, () => 0)
  pace.backOff(100)
  expect(await pace.acquire(100, undefined)).toBeUndefined()
  pace.backOff(10)
  expect(await pace.acquire(100, undefined)).toBeUndefined()
  expect(await pace.acquire(101, AbortSignal.abort())).toBeTypeOf('function')
})

it('delays waiting requests, too', async () => {
  const pace = createRateLimiter(100, 4, () => 0)
  const first = await pace.acquire(1_000, undefined)
  const second = pace.acquire(1_000, undefined)
  pace.backOff(2_000)
  expect(first).toBeTypeOf('function')
  expect(await second).toBeUndefined()
})

it('starts the next request when one ends or cannot start', async () => {
  const pace = createRateLimiter(undefined, 1, () => 0)
  const first = await pace.acquire(1, undefined)
  const second = pace.acquire(0, undefined)
  const third = pace.acquire(1, undefined)
  first?.()
  expect(await second).toBeUndefined()
  expect(await third).toBeTypeOf('function')
})

it('lasts beyond the maximum timer delay, until the signal aborts', async () => {
  const stop = new AbortController()
  let ended = false
  const long = pause(2 ** 31 + 1, stop.signal).then(() => {
    ended = true
  })
  await pause(5)
  expect(ended).toBe(false)
  stop.abort()
  await long
})
