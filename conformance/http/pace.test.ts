import { expect, it } from 'vitest'
import { createPace } from './pace.js'

it('begins nothing that would have to wait until the end', async () => {
  const pace = createPace(undefined, 1, () => 0)
  pace.hold(100)
  expect(await pace.begin(100, undefined)).toBeUndefined()
  pace.hold(10)
  expect(await pace.begin(100, undefined)).toBeUndefined()
  expect(await pace.begin(101, AbortSignal.abort())).toBeTypeOf('function')
})

it('holds those, too, that already wait', async () => {
  const pace = createPace(100, 4, () => 0)
  const first = await pace.begin(1_000, undefined)
  const second = pace.begin(1_000, undefined)
  pace.hold(2_000)
  expect(first).toBeTypeOf('function')
  expect(await second).toBeUndefined()
})

it('lets the next one begin when one has ended, or could not begin', async () => {
  const pace = createPace(undefined, 1, () => 0)
  const first = await pace.begin(1, undefined)
  const second = pace.begin(0, undefined)
  const third = pace.begin(1, undefined)
  first?.()
  expect(await second).toBeUndefined()
  expect(await third).toBeTypeOf('function')
})
