import { searchRule } from '../../rule/search-rule.js'

/** @see OData URL Conventions 4.01, 5.1.8 */
export const searchNot = searchRule({
  id: 'search-not',
  statement: 'A term with NOT returns the rows that the term alone does not return.',
  advice: 'Check that NOT is parsed as an operator, and check rows whose searched properties are null.',
  aspects: ['search.terms'],
  covers: ['search', 'search.not'],
  weight: 3,
  allows: ({ join }) => join.includes('NOT'),
  caseOf: ([term]) => (term === undefined ? undefined : { options: { search: { kind: 'not', operand: term.search } } }),
})
