import fc from 'fast-check'
import { printSearch, type QueryOptions, type SearchExpression } from '../../runtime/query/index.js'
import type { SearchCapabilities } from '../../spec/language/index.js'
import { keyOf, type Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { truthOn } from '../oracle/evaluate.js'
import { evaluationContextOf } from '../oracle/predict.js'
import { searchTruth } from '../oracle/search.js'
import { both, isTrue } from '../oracle/truth-set.js'
import { type QueryKeys, queryKeys } from '../probes/query-keys.js'
import { type SearchTerm, searchCapabilitiesOf, searchSites, searchTerms } from '../probes/search.js'
import { versionedCache } from '../session/data-versions.js'
import type { Session } from '../session/session.js'
import type { ActiveRule, RuleMetadata, TestCase } from './rule.js'
import { failure, type Verdict } from './verdict.js'

/** What distinguishes one search rule from another. */
interface SearchRule extends Omit<RuleMetadata, 'area' | 'severity'>, Pick<ActiveRule, 'requiredOptions'> {
  readonly weight: number
  /** Whether the list supports what the rule needs. */
  readonly allows?: (search: SearchCapabilities) => boolean
  /** The case for some distinct words in the data; absent if there is none. */
  readonly caseOf: (terms: readonly SearchTerm[], site: Site, session: Session) => TestCase | undefined
  /** More cases, which a service may refuse without being asked less afterwards. */
  readonly optionalCases?: (terms: readonly SearchTerm[], site: Site, session: Session) => readonly TestCase[]
}

/** The variant of cases that a service may refuse. */
const optional = 'optional'

const plannedCases = 4
const termsPerCase = 3

/** A rule that searches for words in the data. */
export function searchRule({
  requiredOptions = ['search'],
  weight,
  allows,
  caseOf,
  optionalCases = () => [],
  ...facts
}: SearchRule): ActiveRule {
  return {
    kind: 'active',
    ...facts,
    area: 'search',
    severity: 'must',
    writes: false,
    requiredOptions: requiredOptions,
    cost: 1,
    weight,
    sites: session => searchSites(session, allows),
    cases: (site, session) => {
      const snapshot = session.snapshot(site)
      const capabilities = searchCapabilitiesOf(site)
      const terms = snapshot === undefined || capabilities === undefined ? [] : searchTerms(snapshot, capabilities)
      if (terms.length < 2) return { skipReason: 'two words of four letters or more in properties that are searched' }
      const cases = Array.from({ length: plannedCases }, (_, index) => {
        const start = (index * termsPerCase) % terms.length
        return caseOf([...terms.slice(start), ...terms.slice(0, start)], site, session) ?? []
      })
      const some = fc.shuffledSubarray([...terms], { minLength: 2, maxLength: Math.min(terms.length, termsPerCase) })
      const random = some.map(each => caseOf(each, site, session) ?? { options: {} })
      const more = optionalCases(terms, site, session).map(each => ({ ...each, variant: optional }))
      const [first, ...others] = cases.flat()
      return { planned: [...(first === undefined ? [] : [first]), ...more, ...others], random }
    },
    check: async ({ options = {}, variant }, site, session) => {
      const verdict = await checkSearch(options, site, session)
      if (verdict.kind !== 'unsupported' || variant !== optional) return verdict
      return { kind: 'inconclusive', why: 'the service does not search these properties' }
    },
  }
}

/** Joins searches, left-associative. */
export function joinSearches(kind: 'and' | 'or', terms: readonly SearchTerm[]): SearchExpression | undefined {
  const [first, ...others] = terms.map(({ search }) => search)
  return others.reduce<SearchExpression | undefined>((left, right) => left && { kind, left, right }, first)
}

/** Compares the result of a search, with or without a filter, with the rows that it must and may find. */
async function checkSearch(options: QueryOptions, site: Site, session: Session): Promise<Verdict> {
  const { search, filter } = options
  const { type } = site
  const snapshot = session.snapshot(site)
  const capabilities = searchCapabilitiesOf(site)
  if (search === undefined || type === undefined) return { kind: 'pass', vacuous: true }
  if (snapshot === undefined || capabilities === undefined) {
    return { kind: 'inconclusive', why: 'the collection could not be read' }
  }
  const answer = await queryKeys(site, session, options)
  if (answer.kind === 'ended') return answer.verdict
  if (filter === undefined && options.top === undefined) cacheSearchKeys(search, answer, site, session)
  const meets = filter === undefined ? () => isTrue : truthOn(filter, evaluationContextOf(snapshot, session))
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
      const relation = await checkSearchParts(search, answer, site, session)
      if (relation !== undefined) return relation
    }
    return { kind: 'pass', vacuous: must.size === 0 && may.size === snapshot.rows.length }
  }
  return failure({
    message:
      missing.length === 0
        ? `A search found ${surplus.length} rows that do not match it.`
        : `A search missed ${missing.length} rows that match it.`,
    expected: `${must.size} to ${may.size} of ${snapshot.rows.length} rows for ${printSearch(search)}`,
    received: `${answer.keys.size} rows${answer.isWhole ? '' : ' and more'}`,
    missing,
    surplus,
    why: [...missing, ...surplus].slice(0, 3).map(key => {
      const row = snapshot.byKey.get(key)
      const shown = capabilities.properties.map(name => `${name}: ${JSON.stringify(row?.[name])}`).join(', ')
      return `${key} is ${surplus.includes(key) ? 'present' : 'missing'} (${shown})`
    }),
    answers: answer.answers,
    features: [
      'search',
      ...(search.kind === 'term' || search.kind === 'phrase' ? [] : [search.kind]),
      ...(filter === undefined ? [] : ['filter']),
    ],
  })
}

/**
 * Compares a search of several terms with the results of its parts, if the rows do not show enough to predict it.
 * Absent for a single term, or if a part was not answered completely.
 */
async function checkSearchParts(
  search: SearchExpression,
  whole: { readonly keys: ReadonlySet<string>; readonly answers: readonly TestResponse[] },
  site: Site,
  session: Session,
): Promise<Verdict | undefined> {
  const parts = partsOf(search)
  const sets: ReadonlySet<string>[] = []
  const responses = [...whole.answers]
  for (const part of parts) {
    const answer = await searchKeys(part, site, session)
    if (answer.kind === 'ended' || !answer.isWhole) return undefined
    sets.push(answer.keys)
    responses.push(...answer.answers)
  }
  const expected = combine(search, sets, session.snapshot(site)?.complete ? session.snapshot(site)?.byKey : undefined)
  if (expected === undefined) return undefined
  const missing = [...expected].filter(key => !whole.keys.has(key))
  const surplus = [...whole.keys].filter(key => !expected.has(key))
  if (missing.length === 0 && surplus.length === 0) return { kind: 'pass' }
  return failure({
    message: `A search with ${search.kind.toUpperCase()} contradicts the results of its terms.`,
    expected: `${expected.size} rows for ${printSearch(search)}, from the results of its terms`,
    received: `${whole.keys.size} rows`,
    missing,
    surplus,
    answers: responses,
    features: ['search', search.kind],
  })
}

function partsOf(search: SearchExpression): readonly SearchExpression[] {
  switch (search.kind) {
    case 'and':
    case 'or':
      return [search.left, search.right]
    case 'not':
      return [search.operand]
    default:
      return []
  }
}

function combine(
  search: SearchExpression,
  [first, second]: readonly ReadonlySet<string>[],
  all: ReadonlyMap<string, unknown> | undefined,
): ReadonlySet<string> | undefined {
  if (first === undefined) return undefined
  switch (search.kind) {
    case 'and':
      return new Set([...first].filter(key => second?.has(key)))
    case 'or':
      return new Set([...first, ...(second ?? [])])
    case 'not':
      return all === undefined ? undefined : new Set([...all.keys()].filter(key => !first.has(key)))
    default:
      return undefined
  }
}

const { getOrRead, set } = versionedCache<QueryKeys>(({ kind }) => kind === 'keys')

/** The result of a search on its own, cached while the data are unchanged. */
function searchKeys(search: SearchExpression, site: Site, session: Session): Promise<QueryKeys> {
  return getOrRead(session.dataVersion(site.type), nameOf(search, site), () => {
    return queryKeys(site, session.forCache, { search })
  })
}

function cacheSearchKeys(search: SearchExpression, found: QueryKeys, site: Site, session: Session): void {
  set(session.dataVersion(site.type), nameOf(search, site), found)
}

function nameOf(search: SearchExpression, { id }: Site): string {
  return `${id} ${printSearch(search)}`
}
