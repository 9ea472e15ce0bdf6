/** Numbers that look like chance and follow from a seed. */
export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  readonly below: (limit: number) => number
  /** True in so many of a hundred cases. */
  readonly percent: (cases: number) => boolean
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item
}

/** Numbers for one purpose: another text gives other numbers, the same text the same ones on every machine. */
export function randomOf(text: string): Random {
  let state = hashOf(text)
  /** mulberry32: 32 bits of state, one multiplication or two a number. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    percent: cases => below(100) < cases,
    pick: items => items[below(items.length)] ?? items[0],
  }
}

/** 32 bits that depend on every character (FNV-1a, then mixed). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) | 0
}
