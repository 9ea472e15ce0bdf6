import { hash } from 'node:crypto'

/** Bytes that SHA-256 takes in at once, and that it gives. */
const blockLength = 64
const hashLength = 32

const shortAscii = /^[\0-\x7f]{1,64}$/

/**
 * HMAC with SHA-256 under one key, in base64url: two hashes of one call each. `createHmac` makes an object for each text,
 * which costs a busy service several times as much.
 *
 * @param secret the key: at most 64 characters of ASCII
 * @throws {TypeError} for a key that is none of these
 * @see RFC 2104, 2
 */
export function keyedHash(secret: string): (text: string) => string {
  if (!shortAscii.test(secret)) throw new TypeError('The key of a hash must have 1 to 64 characters of ASCII.')
  const key = Buffer.alloc(blockLength, secret.padEnd(blockLength, '\0'))
  // Of ASCII, so that text may follow without being copied.
  const inner = Buffer.from(key.map(byte => byte ^ 0x36)).toString('latin1')
  const outer = Buffer.concat([key.map(byte => byte ^ 0x5c), Buffer.alloc(hashLength)])
  return text => {
    outer.write(hash('sha256', inner + text, 'binary'), blockLength, 'latin1')
    return hash('sha256', outer, 'base64url')
  }
}
