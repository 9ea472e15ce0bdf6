import { describe, expect, it } from 'vitest'
import { readStream } from './read-text.js'

async function* streamOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

describe('a stream', () => {
  it('is read to its end, also where a character lies across two chunks', async () => {
    const bytes = Buffer.from('<é>')
    expect(await readStream(streamOf(bytes.subarray(0, 2), bytes.subarray(2)))).toBe('<é>')
    expect(await readStream(streamOf())).toBe('')
  })

  it('that is too long or no UTF-8 is told of', async () => {
    expect(await readStream(streamOf(Buffer.from([0x61, 0xff])))).toMatchObject({ code: 'file/not-utf-8' })
    const chunk = Buffer.alloc(1024 * 1024, 0x20)
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      while (true) yield chunk
    }
    expect(await readStream(endless())).toMatchObject({ code: 'file/too-long' })
  })

  it('that the system breaks off is told of; that something of ours does is not hidden', async () => {
    const broken = async function* (error: Error): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<')
      throw error
    }
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
    expect(await readStream(broken(denied))).toMatchObject({ code: 'file/unreadable' })
    await expect(readStream(broken(new Error('ours')))).rejects.toThrow('ours')
  })
})
