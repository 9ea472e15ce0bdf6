import { describe, expect, it } from 'vitest'
import { readStream } from './source.js'

async function* streamOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

describe('a stream', () => {
  it('is read to its end, even if a character is split between two chunks', async () => {
    const bytes = Buffer.from('<é>')
    expect(await readStream(streamOf(bytes.subarray(0, 2), bytes.subarray(2)))).toBe('<é>')
    expect(await readStream(streamOf())).toBe('')
  })

  it('is rejected if it is too long or not UTF-8', async () => {
    expect(await readStream(streamOf(Buffer.from([0x61, 0xff])))).toMatchObject({ code: 'file/not-utf-8' })
    const chunk = Buffer.alloc(1024 * 1024, 0x20)
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      while (true) yield chunk
    }
    expect(await readStream(endless())).toMatchObject({ code: 'file/too-long' })
  })

  it('is reported if a system error ends it, while any other error is thrown', async () => {
    const broken = async function* (error: Error): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<')
      throw error
    }
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
    expect(await readStream(broken(denied))).toMatchObject({ code: 'file/unreadable' })
    await expect(readStream(broken(new Error('ours')))).rejects.toThrow('ours')
  })
})
