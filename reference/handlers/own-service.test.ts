import { describe, expect, it } from 'vitest'
import { RequestFault } from '../../runtime/server/index.js'
import { limitPrincipals } from './own-service.js'

/** Requests that end when the test says so. */
function controlled(limits: { principalRequests: number; principalWaiting: number }) {
  const started: string[] = []
  const ends = new Map<string, (failed: boolean) => void>()
  const handle = limitPrincipals(limits)(
    async ({ name }: { principal: { id: string }; bodyBytes: number; name: string }) => {
      started.push(name)
      const failed = await new Promise<boolean>(resolve => ends.set(name, resolve))
      if (failed) throw new RangeError(name)
      return name
    },
  )
  const send = (id: string, name: string, bodyBytes = 0): Promise<unknown> => {
    const sent = handle({ principal: { id }, bodyBytes, name })
    return Promise.resolve(sent).catch((error: unknown) => error)
  }
  const end = async (name: string, failed = false): Promise<void> => {
    ends.get(name)?.(failed)
    await new Promise(resolve => setImmediate(resolve))
  }
  return { started, send, end }
}

describe('the requests of a principal', () => {
  it('run up to the limit; the others wait in order, also after a failure', async () => {
    const { started, send, end } = controlled({ principalRequests: 2, principalWaiting: 9 })
    const answers = ['1', '2', '3', '4'].map(name => send('ann', name))
    expect(started).toEqual(['1', '2'])
    await end('2', true)
    expect(started).toEqual(['1', '2', '3'])
    await end('1')
    expect(started).toEqual(['1', '2', '3', '4'])
    await end('4')
    await end('3')
    expect(await Promise.all(answers)).toEqual(['1', new RangeError('2'), '3', '4'])
  })

  it('do not hold up those of another', async () => {
    const { started, send, end } = controlled({ principalRequests: 1, principalWaiting: 9 })
    void send('ann', 'a1')
    void send('ann', 'a2')
    void send('ben', 'b1')
    expect(started).toEqual(['a1', 'b1'])
    await end('b1')
    await end('a1')
    expect(started).toEqual(['a1', 'b1', 'a2'])
    await end('a2')
  })

  it('are refused if the bodies of those that wait are too long', async () => {
    const { send, end } = controlled({ principalRequests: 1, principalWaiting: 9 })
    const megabyte = 1024 * 1024
    void send('ann', '1')
    void send('ann', '2', 15 * megabyte)
    expect(await send('ann', '3', 2 * megabyte)).toMatchObject({ fault: 'tooManyRequests' })
    const fourth = send('ann', '4', megabyte)
    for (const name of ['1', '2', '4']) await end(name)
    expect(await fourth).toBe('4')
  })

  it('are refused with the name of the limit if too many wait', async () => {
    const { send, end } = controlled({ principalRequests: 1, principalWaiting: 1 })
    void send('ann', '1')
    void send('ann', '2')
    const refused = await send('ann', '3')
    expect(refused).toBeInstanceOf(RequestFault)
    expect(refused).toMatchObject({
      fault: 'tooManyRequests',
      given: { values: { reason: expect.stringContaining('the limit principalWaiting, which is 1') } },
    })
    await end('1')
    await end('2')
    void send('ann', '4')
    await end('4')
  })
})
