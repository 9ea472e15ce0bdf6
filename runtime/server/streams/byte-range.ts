/** A part of a stream: the first byte, and the one after the last. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The part of a stream that a request wants. `whole`: all of it, because the header is malformed or asks for several parts,
 * which a server may ignore. `unsatisfiable`: the stream has no such byte.
 *
 * @param length bytes of the stream
 * @see RFC 9110, 14.1.2 and 14.2
 */
export function byteRangeOf(header: string | null, length: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const count = Math.min(Number(last), length)
    return count === 0 ? 'unsatisfiable' : { start: length - count, end: length }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= length) return 'unsatisfiable'
  return { start, end: last === '' ? length : Math.min(Number(last) + 1, length) }
}
