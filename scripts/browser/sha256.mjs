// SHA-256 and HMAC: browsers have them in the Web Crypto API only, which is asynchronous.

/** The first 32 bits of the fractional part of a root. */
const fraction = root => Math.floor((root - Math.floor(root)) * 2 ** 32)

const primes = Array.from({ length: 312 }, (_, index) => index).filter(
  number => number > 1 && ![2, 3, 5, 7, 11, 13, 17].some(prime => number > prime && number % prime === 0),
)

const initial = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)))
const constants = primes.map(prime => fraction(Math.cbrt(prime)))

const rotate = (word, count) => (word >>> count) | (word << (32 - count))

/**
 * The hash of some bytes, as 32 bytes.
 *
 * @see FIPS 180-4, 6.2
 */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n)
  const state = Uint32Array.from(initial)
  const schedule = new Uint32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let index = 0; index < 16; index++) schedule[index] = view.getUint32(block + index * 4)
    for (let index = 16; index < 64; index++) {
      const early = schedule[index - 15]
      const late = schedule[index - 2]
      schedule[index] =
        schedule[index - 16] +
        (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) +
        schedule[index - 7] +
        (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10))
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let index = 0; index < 64; index++) {
      const first =
        (h +
          (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
          ((e & f) ^ (~e & g)) +
          constants[index] +
          schedule[index]) |
        0
      const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] += word
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word)
  return new Uint8Array(digest.buffer)
}

/** @see RFC 2104 */
export function hmacSha256(key, bytes) {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const keyed = (mask, rest) => sha256(Uint8Array.from([...block.map(byte => byte ^ mask), ...rest]))
  return keyed(0x5c, keyed(0x36, bytes))
}
