import { joinSearches, searchRule } from '../../rule/search-rule.js'

/** Words joined by AND. */
export const searchAnd = searchRule({
  id: 'search-and',
  statement: 'Terms joined with AND find what both of them find.',
  advice: 'Look at how AND is read, also where it is not written out between two terms.',
  clauses: ['search.form'],
  covers: ['search', 'search.and'],
  weight: 3.6,
  allows: ({ join }) => join.includes('AND'),
  caseOf: terms => {
    const search = joinSearches('and', terms.slice(0, 2))
    return search && { options: { search } }
  },
})
