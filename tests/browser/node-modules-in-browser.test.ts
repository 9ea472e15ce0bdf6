import { Buffer } from 'node:buffer'
import { createHash, createHmac } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { root } from '../root.js'

const load = (name: string) => import(pathToFileURL(join(root, 'scripts', 'browser', `${name}.mjs`)).href)
const browserBuffer: Pick<typeof import('node:buffer'), 'Buffer'> = await load('buffer')
const browserCrypto: Pick<typeof import('node:crypto'), 'createHash' | 'createHmac'> = await load('crypto')

describe('the modules that replace those of Node.js in a browser', () => {
  const bytes = fc.uint8Array({ maxLength: 200 })

  it('hash as Node.js does', () => {
    fc.assert(
      fc.property(bytes, bytes, (key, data) => {
        expect(browserCrypto.createHash('sha256').update(data).digest('hex')).toBe(
          createHash('sha256').update(data).digest('hex'),
        )
        expect(browserCrypto.createHmac('sha256', key).update(data).update('é').digest('base64url')).toBe(
          createHmac('sha256', key).update(data).update('é').digest('base64url'),
        )
      }),
    )
  })

  it.each(['hex', 'base64', 'base64url', 'latin1', 'utf8'] as const)(
    'encode and decode %s as Node.js does',
    encoding => {
      fc.assert(
        fc.property(bytes, data => {
          const text = Buffer.from(data).toString(encoding)
          expect(browserBuffer.Buffer.from(data).toString(encoding)).toBe(text)
          expect([...browserBuffer.Buffer.from(text, encoding)]).toEqual([...Buffer.from(text, encoding)])
        }),
      )
    },
  )

  it('write numbers as Node.js does', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 }), fc.nat({ max: 255 }), (time, small) => {
        const written = [Buffer.alloc(8), browserBuffer.Buffer.alloc(8)].map(buffer => {
          buffer.writeUIntBE(time * 60_000, 0, 6)
          buffer.writeUInt8(small, 7)
          return [...buffer, buffer.readUInt8(7)]
        })
        expect(written[1]).toEqual(written[0])
      }),
    )
  })
})
