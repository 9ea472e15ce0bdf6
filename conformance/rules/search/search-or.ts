import { prefixTerms, searchCapabilitiesOf } from '../../probes/search.js'
import { joinSearches, searchRule } from '../../rule/search-rule.js'

/** @see OData URL Conventions 4.01, 5.1.8 */
export const searchOr = searchRule({
  id: 'search-or',
  statement: 'Terms combined with OR return the rows that either term returns.',
  advice: 'Look at how OR is parsed: no term may be lost, and the terms must not be combined with AND.',
  aspects: ['search.terms'],
  covers: ['search', 'search.or'],
  weight: 4,
  allows: ({ join }) => join.includes('OR'),
  caseOf: terms => {
    const search = joinSearches('or', terms.slice(0, 2))
    return search && { options: { search } }
  },
  optionalCases: ([term], site, session) => {
    const snapshot = session.snapshot(site)
    const capabilities = searchCapabilitiesOf(site)
    if (term === undefined || snapshot === undefined || capabilities === undefined) return []
    return prefixTerms(snapshot, capabilities)
      .slice(0, 3)
      .flatMap(other => [joinSearches('or', [term, other]), joinSearches('or', [other, term])])
      .flatMap(search => (search === undefined ? [] : [{ options: { search } }]))
  },
})
