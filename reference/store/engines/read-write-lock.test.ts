import { expect, it } from 'vitest'
import { createReadWriteLock } from './read-write-lock.js'

/** Work that runs until it is released. */
function held(): { readonly work: () => Promise<void>; readonly release: () => void } {
  let release = (): void => undefined
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  return { work: () => released, release }
}

it('readers share the lock, a writer has it alone, in order of arrival', async () => {
  const gate = createReadWriteLock()
  const order: string[] = []
  const [first, second, writing] = [held(), held(), held()]
  const note = (name: string, work: () => Promise<void>) => async () => {
    order.push(`${name} in`)
    await work()
    order.push(`${name} out`)
  }
  const all = [
    gate.shared(note('r1', first.work)),
    gate.shared(note('r2', second.work)),
    gate.exclusive(note('w', writing.work)),
    gate.shared(note('r3', async () => undefined)),
  ]
  expect(order).toEqual(['r1 in', 'r2 in'])
  second.release()
  await all[1]
  first.release()
  await all[0]
  expect(order).toEqual(['r1 in', 'r2 in', 'r2 out', 'r1 out', 'w in'])
  writing.release()
  await Promise.all(all)
  expect(order.slice(5)).toEqual(['w out', 'r3 in', 'r3 out'])
})

it('work that fails releases the lock', async () => {
  const gate = createReadWriteLock()
  await expect(gate.exclusive(async () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError)
  expect(await gate.exclusive(async () => 1)).toBe(1)
})
