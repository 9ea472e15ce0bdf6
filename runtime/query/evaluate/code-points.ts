const firstSurrogate = 0xd800
const firstBehindSurrogates = 0xe000

/**
 * Compares two texts by their code points, which is not the order of UTF-16 code units: a character outside the first
 * plane comes after all within it.
 */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Moves surrogates behind the rest of the first plane. */
function rank(unit: number): number {
  if (unit < firstSurrogate) return unit
  return unit < firstBehindSurrogates ? unit + 0x2000 : unit - 0x800
}
