import { editDistance } from '../edit-distance.js'

/** Names longer than this are not compared: nobody mistypes them by a letter, and an attacker pays for none. */
const longestMeant = 64

/** ` Did you mean 'x'?` with the candidate nearest to what was written; empty when none is near. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  if (written.length > longestMeant) return ''
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const candidate of candidates) {
    if (candidate.length > longestMeant || Math.abs(candidate.length - written.length) >= least) continue
    const distance = editDistance(written.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`
}
