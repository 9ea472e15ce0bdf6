import { editDistance } from '../edit-distance.js'
import { canonicalFunctions } from './canonical-functions.js'

const functionNames = [...canonicalFunctions.keys(), 'case', 'cast', 'isof']
const longestFunction = 24

/** A sentence that names the canonical function most like a misspelt one, if any is like it. */
export function suggestFunction(misspelt: string): string | undefined {
  if (misspelt.length > longestFunction) return undefined
  const word = misspelt.toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const name of functionNames) {
    const distance = name.includes(word) || word.includes(name) ? 1 : editDistance(word, name)
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best === undefined ? undefined : `Did you mean \`${best}\`?`
}
