// What the package uses of `node:crypto`.

import { Buffer } from './buffer.mjs'
import { hmacSha256, sha256 } from './sha256.mjs'

const bytesOf = data => (typeof data === 'string' ? new TextEncoder().encode(data) : data)

function requireSha256(algorithm) {
  if (algorithm !== 'sha256') throw new TypeError(`In a browser, the only hash is sha256, but found ${algorithm}.`)
}

/** A hash that collects its input until the digest is requested. */
function collector(digestOf) {
  const parts = []
  const collected = {
    update: data => {
      parts.push(bytesOf(data))
      return collected
    },
    digest: encoding => {
      const digest = Buffer.from(digestOf(Buffer.concat(parts)))
      return encoding === undefined ? digest : digest.toString(encoding)
    },
  }
  return collected
}

export function createHash(algorithm) {
  requireSha256(algorithm)
  return collector(sha256)
}

export function createHmac(algorithm, key) {
  requireSha256(algorithm)
  return collector(bytes => hmacSha256(bytesOf(key), bytes))
}

export const hash = (algorithm, data, encoding = 'hex') => createHash(algorithm).update(data).digest(encoding)

/** The key itself: a browser has no key objects that work synchronously. */
export const createSecretKey = key => bytesOf(key)

export function timingSafeEqual(a, b) {
  if (a.length !== b.length) throw new RangeError('The two values must have the same length.')
  return a.reduce((difference, byte, index) => difference | (byte ^ b[index]), 0) === 0
}

export const randomBytes = count => Buffer.from(crypto.getRandomValues(new Uint8Array(count)))

export const randomUUID = () => crypto.randomUUID()
