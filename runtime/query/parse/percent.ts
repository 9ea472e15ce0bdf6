import { isHexDigit } from '../lexical/characters.js'

/** A part of a query string, decoded, or the offset at which it cannot be. */
export type Decoded =
  | { readonly kind: 'decoded'; readonly text: string }
  | { readonly kind: 'malformed'; readonly position: number }

/** Percent-decodes a part of a URL as UTF-8. A plus sign is a plus sign. @see RFC 3986, 2.1 */
export function decodePercent(encoded: string): Decoded {
  if (!encoded.includes('%')) return { kind: 'decoded', text: encoded }
  try {
    return { kind: 'decoded', text: decodeURIComponent(encoded) }
  } catch {
    return { kind: 'malformed', position: malformedAt(encoded) }
  }
}

/** The offset in `encoded` of the character that became the one at `position` of the decoded text. */
export function encodedOffset(encoded: string, position: number): number {
  let offset = 0
  let decoded = 0
  while (decoded < position && offset < encoded.length) {
    if (encoded[offset] !== '%') {
      offset += 1
      decoded += 1
    } else {
      const length = sequenceLength(encoded, offset)
      offset += 3 * length
      decoded += length === 4 ? 2 : 1
    }
  }
  return offset
}

function malformedAt(encoded: string): number {
  let offset = encoded.indexOf('%')
  while (offset !== -1) {
    const end = offset + 3 * sequenceLength(encoded, offset)
    if (!isDecodable(encoded.slice(offset, end))) return offset
    offset = encoded.indexOf('%', end)
  }
  return encoded.length
}

function isDecodable(sequence: string): boolean {
  try {
    decodeURIComponent(sequence)
    return true
  } catch {
    return false
  }
}

/** How many bytes the UTF-8 sequence has that begins with the percent-encoded byte at `offset`. */
function sequenceLength(encoded: string, offset: number): number {
  const isByte = isHexDigit(encoded.charCodeAt(offset + 1)) && isHexDigit(encoded.charCodeAt(offset + 2))
  const byte = isByte ? Number.parseInt(encoded.slice(offset + 1, offset + 3), 16) : 0
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
}
