// What the package uses of `node:buffer`.

const encoders = {
  utf8: bytes => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  latin1: bytes => Array.from(bytes, byte => String.fromCharCode(byte)).join(''),
  hex: bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(''),
  base64: bytes => btoa(encoders.latin1(bytes)),
  base64url: bytes => encoders.base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
}

const decoders = {
  utf8: text => new TextEncoder().encode(text),
  latin1: text => Uint8Array.from(text, character => character.charCodeAt(0)),
  hex: text => Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16)),
  base64: text => decoders.base64url(text),
  // Like that of Node.js, it ignores what is no base64.
  base64url: text => {
    const valid = text
      .replace(/[^\w+/-]/g, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/')
    return decoders.latin1(atob(valid.length % 4 === 1 ? valid.slice(0, -1) : valid))
  },
}

/** Bytes with the encodings of Node.js. */
export class Buffer extends Uint8Array {
  static from(value, encoding = 'utf8') {
    const bytes = typeof value === 'string' ? decoders[encoding](value) : new Uint8Array(value)
    return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  static alloc(length) {
    return new Buffer(length)
  }

  static byteLength(text) {
    return decoders.utf8(text).length
  }

  static concat(parts) {
    const whole = new Buffer(parts.reduce((length, part) => length + part.length, 0))
    let offset = 0
    for (const part of parts) {
      whole.set(part, offset)
      offset += part.length
    }
    return whole
  }

  readUInt8(offset) {
    return this[offset]
  }

  writeUInt8(value, offset) {
    this[offset] = value
  }

  writeUIntBE(value, offset, length) {
    for (let index = 0; index < length; index++)
      this[offset + index] = Math.floor(value / 256 ** (length - 1 - index)) % 256
  }

  toString(encoding = 'utf8') {
    return encoders[encoding](this)
  }
}

export function isUtf8(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
