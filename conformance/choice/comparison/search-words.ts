import type { SearchExpression } from '../../../runtime/query/index.js'
import { filtered } from '../../query/filtered.js'
import { searchOf, searchSites } from '../../search/search-sites.js'
import { searchFor, searchTerms } from '../../search/search-terms.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'
import type { Snapshot } from '../../site/snapshot.js'

/** A search for something like a word that rows have, and which rows have the word. */
export interface WordProbe {
  readonly site: Site
  readonly search: SearchExpression
  readonly rows: ReadonlySet<string>
}

/**
 * Searches for altered words: with a part of a word that is no word and begins none, with its other letter case.
 *
 * @param alter the altered word; `words` are all words of the property, in lower case
 */
export function wordProbes(
  session: Session,
  alter: (word: string, words: readonly string[]) => string | undefined,
  count: number,
): readonly WordProbe[] {
  for (const site of searchSites(session)) {
    const snapshot = session.snapshot(site)
    const capabilities = searchOf(site)
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
export async function findsAny({ site, search, rows }: WordProbe, session: Session): Promise<boolean | undefined> {
  const answer = await filtered(site, session, { search })
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
