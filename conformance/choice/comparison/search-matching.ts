import { printSearch } from '../../../runtime/query/index.js'
import type { Session } from '../../session/session.js'
import type { Calibrator } from '../calibrator.js'
import { findsAny, type WordProbe, wordProbes } from './search-words.js'

/** Searches for the beginnings of words, then for their inside. */
export const searchMatching: Calibrator = {
  choice: 'searchMatching',
  neededBy: ['search'],
  after: ['optionSupport'],
  learn: async session => {
    const witnesses: string[] = []
    const front = await ask(
      wordProbes(session, (word, words) => beginning(word, words), 2),
      session,
      witnesses,
    )
    if (front === 'both') return { kind: 'undecided', why: 'it was seen doing both', witnesses }
    // What finds no words by their beginnings finds none by what is inside.
    if (front === 'not') return { kind: 'learned', value: 'word', witnesses }
    const inside = await ask(
      wordProbes(session, (word, words) => part(word.slice(1, -1), words), 2),
      session,
      witnesses,
    )
    if (inside === 'both') return { kind: 'undecided', why: 'it was seen doing both', witnesses }
    if (inside === 'found') return { kind: 'learned', value: 'substring', witnesses }
    if (front === undefined || inside === undefined)
      return { kind: 'undecided', why: 'no word of the data tells it', witnesses }
    return { kind: 'learned', value: 'prefix', witnesses }
  },
}

async function ask(
  probes: readonly WordProbe[],
  session: Session,
  witnesses: string[],
): Promise<'found' | 'not' | 'both' | undefined> {
  const results = new Set<boolean>()
  for (const probe of probes) {
    const found = await findsAny(probe, session)
    if (found === undefined) continue
    witnesses.push(`${probe.site.path}?$search=${printSearch(probe.search)}: ${found ? 'found' : 'not found'}`)
    results.add(found)
  }
  if (results.size === 0) return undefined
  return results.size > 1 ? 'both' : results.has(true) ? 'found' : 'not'
}

/** Something that no word is and with which none begins. */
function part(text: string, words: readonly string[]): string | undefined {
  const lower = text.toLowerCase()
  return text.length >= 3 && !words.some(word => word.startsWith(lower)) ? text : undefined
}

/** Something with which words begin, and which is none. */
function beginning(word: string, words: readonly string[]): string | undefined {
  const text = word.slice(0, -1)
  return text.length >= 3 && !words.includes(text.toLowerCase()) ? text : undefined
}
