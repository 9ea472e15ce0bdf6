import type { QueryOptions } from '../../runtime/query/index.js'
import { printSearch } from '../../runtime/query/index.js'
import { filtered } from '../query/filtered.js'
import type { Finding, Verdict } from '../rule/verdict.js'
import { truthOn } from '../semantics/evaluate.js'
import { subjectOf } from '../semantics/predict.js'
import { searchTruth } from '../semantics/search-truth.js'
import { both, isTrue } from '../semantics/truth.js'
import type { Session } from '../session/session.js'
import { keyOf } from '../site/key-of.js'
import type { Site } from '../site/site.js'
import { checkParts } from './check-parts.js'
import { keepFound } from './found-by.js'
import { searchOf } from './search-sites.js'

/** Holds the answer to a search, with a filter or without, to the rows that it must and that it may find. */
export async function checkSearch(options: QueryOptions, site: Site, session: Session): Promise<Verdict> {
  const { search, filter } = options
  const { type } = site
  const snapshot = session.snapshot(site)
  const capabilities = searchOf(site)
  if (search === undefined || type === undefined) return { kind: 'pass', trivial: true }
  if (snapshot === undefined || capabilities === undefined) {
    return { kind: 'inconclusive', why: 'the collection could not be read' }
  }
  const answer = await filtered(site, session, options)
  if (answer.kind === 'ended') return answer.verdict
  if (filter === undefined) keepFound(search, answer, site, session)
  const meets = filter === undefined ? () => isTrue : truthOn(filter, subjectOf(snapshot, session))
  const must = new Set<string>()
  const may = new Set<string>()
  for (const row of snapshot.rows) {
    const key = keyOf(row, type)
    const truth = both(searchTruth(search, row, snapshot, capabilities, session), meets(row))
    if (key !== undefined && truth & isTrue) may.add(key)
    if (key !== undefined && truth === isTrue) must.add(key)
  }
  const missing = answer.isWhole ? [...must].filter(key => !answer.keys.has(key)) : []
  const isWrong = (key: string): boolean => !may.has(key) && (snapshot.complete || snapshot.byKey.has(key))
  const surplus = [...answer.keys].filter(isWrong)
  if (missing.length === 0 && surplus.length === 0) {
    if (must.size < may.size && filter === undefined && answer.isWhole) {
      const relation = await checkParts(search, answer, site, session)
      if (relation !== undefined) return relation
    }
    return { kind: 'pass', trivial: must.size === 0 && may.size === snapshot.rows.length }
  }
  const finding: Finding = {
    message:
      missing.length === 0
        ? `A search found ${surplus.length} rows that do not match it.`
        : `A search did not find ${missing.length} rows that match it.`,
    expected: `${must.size} to ${may.size} of ${snapshot.rows.length} rows for ${printSearch(search)}`,
    received: `${answer.keys.size} rows${answer.isWhole ? '' : ' and more'}`,
    missing,
    surplus,
    why: [...missing, ...surplus].slice(0, 3).map(key => {
      const row = snapshot.byKey.get(key)
      const shown = capabilities.properties.map(name => `${name}: ${JSON.stringify(row?.[name])}`).join(', ')
      return `${key} is ${surplus.includes(key) ? 'there' : 'missing'} (${shown})`
    }),
    answers: answer.answers,
    features: [
      'search',
      ...(search.kind === 'term' || search.kind === 'phrase' ? [] : [search.kind]),
      ...(filter === undefined ? [] : ['filter']),
    ],
  }
  return { kind: 'fail', finding }
}
