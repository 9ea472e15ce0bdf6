import { printSearch } from '../../../runtime/query/index.js'
import type { Calibrator } from '../calibrator.js'
import { findsAny, wordProbes } from './search-words.js'

/** Searches for words in the other letter case. */
export const searchComparison: Calibrator = {
  choice: 'searchComparison',
  neededBy: ['search'],
  after: ['optionSupport', 'searchMatching'],
  learn: async session => {
    const witnesses: string[] = []
    const results = new Set<boolean>()
    for (const probe of wordProbes(session, otherCase, 2)) {
      const found = await findsAny(probe, session)
      if (found === undefined) continue
      witnesses.push(`${probe.site.path}?$search=${printSearch(probe.search)}: ${found ? 'found' : 'not found'}`)
      results.add(found)
    }
    if (results.size === 0) return { kind: 'undecided', why: 'no word of the data tells it', witnesses }
    if (results.size > 1) return { kind: 'undecided', why: 'it was seen doing both', witnesses }
    return { kind: 'learned', value: results.has(true) ? 'caseInsensitive' : 'ordinal', witnesses }
  },
}

function otherCase(word: string): string {
  return word.replace(/[A-Za-z]/g, letter =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
