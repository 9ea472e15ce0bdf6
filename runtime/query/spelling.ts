/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
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

/** Longer names get no suggestion, so that hostile input costs little. */
const maxSuggestionLength = 64

/** ` Did you mean 'x'?` with the closest candidate. Empty if none is close. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  if (written.length > maxSuggestionLength) return ''
  let closest: string | undefined
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const candidate of candidates) {
    if (candidate.length > maxSuggestionLength || Math.abs(candidate.length - written.length) >= least) continue
    const distance = editDistance(written.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      closest = candidate
    }
  }
  return closest === undefined ? '' : ` Did you mean '${closest}'?`
}

/** A sentence that suggests the function most similar to a misspelt one, which may also be a part of its name. */
export function suggestFunction(misspelt: string, functions: readonly string[]): string | undefined {
  if (misspelt.length > maxSuggestionLength) return undefined
  const word = misspelt.toLowerCase()
  let closest: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const name of functions) {
    const distance = name.includes(word) || word.includes(name) ? 1 : editDistance(word, name)
    if (distance < least) {
      least = distance
      closest = name
    }
  }
  return closest === undefined ? undefined : `Did you mean \`${closest}\`?`
}
