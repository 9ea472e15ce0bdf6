import { canonicalFunctions } from './canonical-functions.js'

const names = [...canonicalFunctions.keys(), 'case', 'cast', 'isof']
const longest = 24

/** A sentence that names the canonical function most like a misspelt one, if any is like it. */
export function suggestFunction(misspelt: string): string | undefined {
  if (misspelt.length > longest) return undefined
  const word = misspelt.toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const name of names) {
    const distance = name.includes(word) || word.includes(name) ? 1 : editDistance(word, name)
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best === undefined ? undefined : `Did you mean \`${best}\`?`
}

/** How many letters must be inserted, removed or replaced to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
