import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

const unpack = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/**
 * The bytes of a body without the packing that its Content-Encoding names; absent when they are more than allowed. Packings
 * that are not known stay.
 *
 * @throws {Error} when the bytes are not packed so
 * @see RFC 9110, 8.4
 */
export async function unpacked(body: Buffer, encoding: string | undefined, limit: number): Promise<Buffer | undefined> {
  const names = (encoding ?? '').toLowerCase().split(',')
  let plain = body
  for (const name of names.reverse()) {
    const open = unpack.get(name.trim())
    if (open === undefined || plain.length === 0) continue
    try {
      plain = await open(plain, { maxOutputLength: limit })
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
  return plain
}
