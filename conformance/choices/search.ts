import { printSearch, type SearchExpression } from '../../runtime/query/index.js'
import { keyOf, type Site, type Snapshot } from '../discover/site.js'
import { queryKeys } from '../probes/query-keys.js'
import { searchCapabilitiesOf, searchFor, searchSites, searchTerms } from '../probes/search.js'
import type { Session } from '../session/session.js'
import type { Calibrator } from './calibrator.js'

/** Searches for the beginnings of words, then for their inside. */
export const searchMatching: Calibrator = {
  choice: 'searchMatching',
  neededBy: ['search'],
  after: ['optionSupport'],
  learn: async session => {
    const witnesses: string[] = []
    const front = await sendWordProbes(
      wordProbes(session, (word, words) => wordPrefix(word, words), 2),
      session,
      witnesses,
    )
    if (front === 'both') return { kind: 'undecided', why: 'it was seen doing both', witnesses }
    // What finds no words by their beginnings finds none by what is inside.
    if (front === 'not') return { kind: 'learned', value: 'word', witnesses }
    const inside = await sendWordProbes(
      wordProbes(session, (word, words) => innerPart(word.slice(1, -1), words), 2),
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

async function sendWordProbes(
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
function innerPart(text: string, words: readonly string[]): string | undefined {
  const lower = text.toLowerCase()
  return text.length >= 3 && !words.some(word => word.startsWith(lower)) ? text : undefined
}

/** Something with which words begin, and which is none. */
function wordPrefix(word: string, words: readonly string[]): string | undefined {
  const text = word.slice(0, -1)
  return text.length >= 3 && !words.includes(text.toLowerCase()) ? text : undefined
}

/** Searches for words in the other letter case. */
export const searchComparison: Calibrator = {
  choice: 'searchComparison',
  neededBy: ['search'],
  after: ['optionSupport', 'searchMatching'],
  learn: async session => {
    const witnesses: string[] = []
    const results = new Set<boolean>()
    for (const probe of wordProbes(session, swapCase, 2)) {
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

function swapCase(word: string): string {
  return word.replace(/[A-Za-z]/g, letter =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/** A search for something like a word that rows have, and which rows have the word. */
interface WordProbe {
  readonly site: Site
  readonly search: SearchExpression
  readonly rows: ReadonlySet<string>
}

/**
 * Searches for altered words: with a part of a word that is no word and begins none, with its other letter case.
 *
 * @param alter the altered word; `words` are all words of the property, in lower case
 */
function wordProbes(
  session: Session,
  alter: (word: string, words: readonly string[]) => string | undefined,
  count: number,
): readonly WordProbe[] {
  for (const site of searchSites(session)) {
    const snapshot = session.snapshot(site)
    const capabilities = searchCapabilitiesOf(site)
    if (snapshot === undefined || capabilities === undefined) continue
    const found: WordProbe[] = []
    for (const { word, property } of searchTerms(snapshot, capabilities)) {
      const altered = alter(word, wordsOf(snapshot, property))
      if (altered === undefined) continue
      found.push({
        site,
        search: searchFor(altered, property, capabilities),
        rows: rowsWith(word, property, snapshot),
      })
      if (found.length === count) break
    }
    if (found.length > 0) return found
  }
  return []
}

/** Whether a search finds any of the rows; absent when it was not answered. */
async function findsAny({ site, search, rows }: WordProbe, session: Session): Promise<boolean | undefined> {
  const answer = await queryKeys(site, session, { search })
  if (answer.kind !== 'keys') return undefined
  return [...answer.keys].some(key => rows.has(key))
}

function wordsOf({ rows }: Snapshot, property: string): readonly string[] {
  return rows.flatMap(
    row =>
      String(row[property] ?? '')
        .toLowerCase()
        .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [],
  )
}

function rowsWith(word: string, property: string, { rows, site }: Snapshot): ReadonlySet<string> {
  const { type } = site
  const found = rows.filter(row =>
    String(row[property] ?? '')
      .split(' ')
      .includes(word),
  )
  return new Set(type === undefined ? [] : found.flatMap(row => keyOf(row, type) ?? []))
}
