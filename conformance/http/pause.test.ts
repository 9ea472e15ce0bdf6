import { expect, it } from 'vitest'
import { pause } from './pause.js'

it('lasts, even longer than a timer may, until the signal ends it', async () => {
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
