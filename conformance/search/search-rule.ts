import fc from 'fast-check'
import type { SearchExpression } from '../../runtime/query/index.js'
import type { SearchCapabilities } from '../../spec/language/index.js'
import type { Case } from '../rule/case.js'
import type { Rule, RuleFacts } from '../rule/rule.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import { checkSearch } from './check-search.js'
import { searchOf, searchSites } from './search-sites.js'
import { type SearchTerm, searchTerms } from './search-terms.js'

/** What makes one rule of searches unlike the others. */
export interface SearchRule extends Omit<RuleFacts, 'area' | 'severity'>, Pick<Rule, 'about'> {
  readonly weight: number
  /** Whether a list allows what it asks. */
  readonly allows?: (search: SearchCapabilities) => boolean
  /** The case about a few different words that rows have; absent when there is none. */
  readonly caseOf: (terms: readonly SearchTerm[], site: Site, session: Session) => Case | undefined
}

/** How many cases are planned, from different words. */
const planned = 4
const drawn = 3

/** A rule that asks for words which rows have. */
export function searchRule({ about = ['search'], weight, allows, caseOf, ...facts }: SearchRule): Rule {
  return {
    kind: 'asking',
    ...facts,
    area: 'search',
    severity: 'must',
    writes: false,
    about,
    cost: 1,
    weight,
    sites: session => searchSites(session, allows),
    cases: (site, session) => {
      const snapshot = session.snapshot(site)
      const capabilities = searchOf(site)
      const terms = snapshot === undefined || capabilities === undefined ? [] : searchTerms(snapshot, capabilities)
      if (terms.length < 2) return { thin: 'two words of four letters or more in properties that are searched' }
      const cases = Array.from({ length: planned }, (_, index) => {
        const start = (index * drawn) % terms.length
        return caseOf([...terms.slice(start), ...terms.slice(0, start)], site, session) ?? []
      })
      const some = fc.shuffledSubarray([...terms], { minLength: 2, maxLength: Math.min(terms.length, drawn) })
      const random = some.map(each => caseOf(each, site, session) ?? { options: {} })
      return { planned: cases.flat(), random }
    },
    check: (test, site, session) => checkSearch(test.options ?? {}, site, session),
  }
}

/** Searches joined from the left. */
export function joinedSearch(kind: 'and' | 'or', terms: readonly SearchTerm[]): SearchExpression | undefined {
  const [first, ...others] = terms.map(({ search }) => search)
  return others.reduce<SearchExpression | undefined>((left, right) => left && { kind, left, right }, first)
}
