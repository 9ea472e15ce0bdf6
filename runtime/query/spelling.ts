/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = next
  }
  return last[to.length] ?? 0
}

/** Names longer than this are not compared: nobody mistypes them by a letter, and an attacker pays for none. */
const maxSuggestionLength = 64

/** ` Did you mean 'x'?` with the candidate nearest to what was written; empty when none is near. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  if (written.length > maxSuggestionLength) return ''
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const candidate of candidates) {
    if (candidate.length > maxSuggestionLength || Math.abs(candidate.length - written.length) >= least) continue
    const distance = editDistance(written.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`
}
