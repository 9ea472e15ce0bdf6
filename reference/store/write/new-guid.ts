import { randomBytes } from 'node:crypto'

/**
 * A new Guid that begins with the time: those made one after the other stand side by side in an index.
 *
 * @see RFC 9562, 5.7 (UUID version 7)
 */
export function newGuid(time: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(time.getTime(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const text = bytes.toString('hex')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}
