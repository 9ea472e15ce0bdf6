/** Longer names are not compared: the distance costs the product of the lengths. */
const maxWordLength = 64
/** The number of names to compare. */
const maxCandidates = 1000

/** A word of at least this length may be a prefix. */
const minPrefixLength = 3

/** Edits (insert, delete, replace, swap neighbours) between two words; a number from `most` on if there are that many. */
function distance(a: string, b: string, most: number): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? cost) + 1)
      current.push(cost)
    }
    // Later rows never have less than two rows have.
    if (Math.min(...current) >= most && Math.min(...previous) >= most) return most
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

/**
 * The known word that is most similar, if one is similar enough.
 *
 * @param word what was written
 * @param known what would have been right
 */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > maxWordLength) return undefined
  const wanted = word.toLowerCase()
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  let compared = 0
  for (const candidate of known) {
    if (candidate === word || candidate.length > maxWordLength) continue
    if (++compared > maxCandidates) break
    if (best === undefined && wanted.length >= minPrefixLength && candidate.toLowerCase().startsWith(wanted)) {
      best = candidate
      continue
    }
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const d = distance(wanted, candidate.toLowerCase(), bestDistance)
    if (d < bestDistance) {
      best = candidate
      bestDistance = d
    }
  }
  return best
}
