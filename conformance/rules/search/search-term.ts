import { searchRule } from '../../rule/search-rule.js'

/** One word. */
export const searchTerm = searchRule({
  id: 'search-term',
  statement: 'A search finds the rows that have the term where it is looked for, and no others.',
  advice: 'Look at which properties are searched, at how texts are taken apart into words, and at letter case.',
  clauses: ['search.fullText', 'search.form'],
  covers: ['search'],
  weight: 4,
  caseOf: ([term]) => (term === undefined ? undefined : { options: { search: term.search } }),
})
