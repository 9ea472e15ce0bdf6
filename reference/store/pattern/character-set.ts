/** Characters, as ranges of code points in ascending order that neither overlap nor touch. */
export type CharacterSet = readonly CharacterRange[]

/** From the first code point to the last, both included. */
export type CharacterRange = readonly [first: number, last: number]

const lastCodePoint = 0x10_ff_ff

/** The set of all that is in one of the ranges. */
export function characterSet(ranges: readonly CharacterRange[]): CharacterSet {
  const found: [number, number][] = []
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = found.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else found.push([first, last])
  }
  return found
}

/** All other code points. */
export function complementOf(set: CharacterSet): CharacterSet {
  const found: CharacterRange[] = []
  let next = 0
  for (const [first, last] of set) {
    if (first > next) found.push([next, first - 1])
    next = last + 1
  }
  return next > lastCodePoint ? found : [...found, [next, lastCodePoint]]
}
