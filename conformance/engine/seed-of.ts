/** A seed for one part of a run, from the run's seed and the part's name: parts that are left out change no others. */
export function seedOf(seed: number, part: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (const letter of part) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}
