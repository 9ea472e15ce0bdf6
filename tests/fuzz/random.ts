/** A pseudo-random generator: the same seed gives the same values. */
export interface Random {
  /** An integer from 0 to `limit` - 1. */
  readonly below: (limit: number) => number
  readonly pick: <const Values extends readonly [unknown, ...unknown[]]>(values: Values) => Values[number]
  /** A string of so many characters from all planes, without lone surrogates. */
  readonly text: (length: number) => string
  readonly bytes: (length: number) => Buffer
}

/** The generator mulberry32, with 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number): number => next() % limit
  const planes = [0x20, 0x80, 0x800, 0x3000, 0xe000, 0x1f300, 0x10ffff] as const
  const character = (): string => {
    const top = planes[below(planes.length)] ?? 0x80
    const code = below(top) + 1
    return String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? 0xfffd : code)
  }
  return {
    below,
    pick: values => values[below(values.length)],
    text: length => Array.from({ length }, character).join(''),
    bytes: length => Buffer.from(Array.from({ length }, () => below(256))),
  }
}
