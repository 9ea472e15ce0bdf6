import { joinSearches, searchRule } from '../../rule/search-rule.js'

/** Words joined by OR. */
export const searchOr = searchRule({
  id: 'search-or',
  statement: 'Terms joined with OR find what either of them finds.',
  advice: 'Look at how OR is read: no term may be lost, and none may be asked for as well.',
  clauses: ['search.form'],
  covers: ['search', 'search.or'],
  weight: 4,
  allows: ({ join }) => join.includes('OR'),
  caseOf: terms => {
    const search = joinSearches('or', terms.slice(0, 2))
    return search && { options: { search } }
  },
})
