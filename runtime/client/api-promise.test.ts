import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiPromise } from './api-promise.js'

const response = new Response()
const succeed = () => apiPromise(async () => ({ ok: true as const, value: 1, response }))
const fail = () => apiPromise(async () => ({ ok: false as const, error: new Error('no'), response }))

describe('a promise of an answer', () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => {
    unhandled.push(reason)
  }
  beforeEach(() => {
    unhandled.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
  })
  /** After this, Node has reported what nobody handles. */
  const settled = () => new Promise(resolve => setImmediate(resolve))

  it('gives the value when awaited, and can be chained as any promise', async () => {
    expect(await succeed()).toBe(1)
    expect(await succeed().then(value => value + 1)).toBe(2)
    expect(await fail().catch(error => String(error))).toBe('Error: no')
  })

  it('throws the error when awaited', async () => {
    await expect(fail()).rejects.toThrow('no')
  })

  it('gives the error as a value when asked for the result, and leaves no rejection behind', async () => {
    expect(await fail().result()).toMatchObject({ ok: false, error: { message: 'no' }, response })
    expect(await succeed().result()).toEqual({ ok: true, value: 1, response })
    await settled()
    expect(unhandled).toEqual([])
  })

  it('can be asked for both', async () => {
    const promise = fail()
    expect(await promise.result()).toMatchObject({ ok: false })
    await expect(promise).rejects.toThrow('no')
  })

  it('is an unhandled rejection when nobody looks: an error is never lost', async () => {
    fail()
    await settled()
    await settled()
    expect(unhandled).toHaveLength(1)
  })
})
