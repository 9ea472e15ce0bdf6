import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { guardOutput } from './guard-output.js'

/** Two guarded streams that fail with these codes, and what came of it. */
async function fail({ out, err }: { readonly out?: string; readonly err?: string }) {
  const told: string[] = []
  const codes: number[] = []
  const failing = (code: string | undefined): Writable =>
    new Writable({
      autoDestroy: false,
      write(chunk, _, done) {
        if (code === undefined) told.push(String(chunk))
        done(code === undefined ? null : Object.assign(new Error(code), { code }))
      },
    })
  const streams = [failing(out), failing(err)] as const
  guardOutput(...streams, code => void codes.push(code))
  if (out !== undefined) streams[0].write('x')
  if (err !== undefined) streams[1].write('x')
  await new Promise(setImmediate)
  return { told, codes }
}

describe('output that cannot be written', () => {
  it.each([{ out: 'EPIPE' }, { err: 'EPIPE' }, { out: 'EPIPE', err: 'EPIPE' }])(
    'for want of a reader changes nothing: %j',
    async streams => {
      expect(await fail(streams)).toEqual({ told: [], codes: [] })
    },
  )

  it('for any other reason ends the process, and is told where that is possible', async () => {
    expect(await fail({ out: 'ENOSPC' })).toEqual({
      told: ['error: standard output cannot be written: ENOSPC\n'],
      codes: [2],
    })
    expect(await fail({ err: 'ENOSPC' })).toEqual({ told: [], codes: [2] })
  })
})
