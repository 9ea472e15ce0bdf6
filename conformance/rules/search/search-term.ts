import { searchRule } from '../../rule/search-rule.js'

/** @see OData URL Conventions 4.01, 5.1.8 */
export const searchTerm = searchRule({
  id: 'search-term',
  statement: 'A search returns all rows that contain the term in a searched property, and no others.',
  advice: 'Look at which properties are searched, how texts are split into words, and letter case.',
  aspects: ['search.matching', 'search.terms'],
  covers: ['search'],
  weight: 4,
  caseOf: ([term]) => (term === undefined ? undefined : { options: { search: term.search } }),
})
