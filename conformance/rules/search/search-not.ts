import { searchRule } from '../../rule/search-rule.js'

/** A word with NOT in front. */
export const searchNot = searchRule({
  id: 'search-not',
  statement: 'A term with NOT finds what the term does not find.',
  advice: 'Look at whether NOT is read as an operator, and at rows whose searched properties are null.',
  clauses: ['search.form'],
  covers: ['search', 'search.not'],
  weight: 3,
  allows: ({ join }) => join.includes('NOT'),
  caseOf: ([term]) => (term === undefined ? undefined : { options: { search: { kind: 'not', operand: term.search } } }),
})
