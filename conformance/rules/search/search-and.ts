import { joinSearches, searchRule } from '../../rule/search-rule.js'

/** @see OData URL Conventions 4.01, 5.1.8 */
export const searchAnd = searchRule({
  id: 'search-and',
  statement: 'Terms combined with AND return the rows that both terms return.',
  advice: 'Look at how AND is parsed, including the implicit AND between two adjacent terms.',
  aspects: ['search.terms'],
  covers: ['search', 'search.and'],
  weight: 3.6,
  allows: ({ join }) => join.includes('AND'),
  caseOf: terms => {
    const search = joinSearches('and', terms.slice(0, 2))
    return search && { options: { search } }
  },
})
