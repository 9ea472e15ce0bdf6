import { printSearch, type SearchExpression } from '../../runtime/query/index.js'
import { keyOf, type Site, type Snapshot } from '../discover/site.js'
import { swapCase } from '../probes/observed-values.js'
import { queryKeys } from '../probes/query-keys.js'
import { searchCapabilitiesOf, searchFor, searchSites, searchTerms } from '../probes/search.js'
import type { Session } from '../session/session.js'
import { type CalibrationResult, type Calibrator, conclude, type Observation } from './calibrator.js'
import { scopeOf } from './scope.js'

/** Searches for word prefixes, then for infixes. */
export const searchMatching: Calibrator = {
  choice: 'searchMatching',
  neededBy: ['search'],
  after: ['optionSupport'],
  learn: async session => {
    const evidence: string[] = []
    for (const site of searchSites(session)) {
      const chosen = [{ scope: scopeOf(site) }]
      const learnedHere = (value: string): CalibrationResult => {
        return { kind: 'learned', chosen: chosen.map(place => ({ ...place, value })), evidence }
      }
      const front = await sendWordProbes(wordProbes(site, session, wordPrefix, 2), session, evidence)
      if (front === 'both') return { kind: 'undecided', why: 'the observations differ', evidence }
      // A service that does not match prefixes does not match infixes.
      if (front === 'not') return learnedHere('word')
      const infix = (word: string, words: readonly string[]): string | undefined => innerPart(word.slice(1, -1), words)
      const inside = await sendWordProbes(wordProbes(site, session, infix, 2), session, evidence)
      if (inside === 'both') return { kind: 'undecided', why: 'the observations differ', evidence }
      if (inside === 'found') return learnedHere('substring')
      if (front !== undefined && inside !== undefined) return learnedHere('prefix')
    }
    return { kind: 'undecided', why: 'no word in the data reveals it', evidence }
  },
}

async function sendWordProbes(
  probes: readonly WordProbe[],
  session: Session,
  evidence: string[],
): Promise<'found' | 'not' | 'both' | undefined> {
  const results = new Set<boolean>()
  for (const probe of probes) {
    const found = await findsAny(probe, session)
    if (found === undefined) continue
    evidence.push(`${probe.site.path}?$search=${printSearch(probe.search)}: ${found ? 'found' : 'not found'}`)
    results.add(found)
  }
  if (results.size === 0) return undefined
  return results.size > 1 ? 'both' : results.has(true) ? 'found' : 'not'
}

/** An infix that is not a word and with which no word begins. */
function innerPart(text: string, words: readonly string[]): string | undefined {
  const lower = text.toLowerCase()
  return text.length >= 3 && !words.some(word => word.startsWith(lower)) ? text : undefined
}

/** A prefix of words that is not a word itself. */
function wordPrefix(word: string, words: readonly string[]): string | undefined {
  const text = word.slice(0, -1)
  return text.length >= 3 && !words.includes(text.toLowerCase()) ? text : undefined
}

/** Searches for words with swapped letter case. */
export const searchComparison: Calibrator = {
  choice: 'searchComparison',
  neededBy: ['search'],
  after: ['optionSupport', 'searchMatching'],
  learn: async session => {
    const observations: Observation[] = []
    const probes = searchSites(session).map(site => wordProbes(site, session, swapCase, 2))
    for (const probe of probes.find(({ length }) => length > 0) ?? []) {
      const { site, search } = probe
      const found = await findsAny(probe, session)
      if (found === undefined) continue
      const evidence = `${site.path}?$search=${printSearch(search)}: ${found ? 'found' : 'not found'}`
      observations.push({ value: found ? 'caseInsensitive' : 'ordinal', evidence, site })
    }
    return conclude(observations, 'no word in the data reveals it')
  },
}

/** A search for an altered word, and the rows that have the original. */
interface WordProbe {
  readonly site: Site
  readonly search: SearchExpression
  readonly rows: ReadonlySet<string>
}

/**
 * Searches for altered words, such as an infix or a word with swapped case.
 *
 * @param alter the altered word; `words` are all words of the property in lower case
 */
function wordProbes(
  site: Site,
  session: Session,
  alter: (word: string, words: readonly string[]) => string | undefined,
  count: number,
): readonly WordProbe[] {
  const snapshot = session.snapshot(site)
  const capabilities = searchCapabilitiesOf(site)
  if (snapshot === undefined || capabilities === undefined) return []
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
  return found
}

/** Whether a search finds any of the rows; absent if it was not answered. */
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
