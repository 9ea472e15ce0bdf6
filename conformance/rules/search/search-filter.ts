import { binary, nullLiteral, pathTo, stringLiteral } from '../../probes/expressions.js'
import { grammarOf } from '../../probes/grammar.js'
import { observedValues } from '../../probes/observed-values.js'
import { searchRule } from '../../rule/search-rule.js'

/** @see OData URL Conventions 4.01, 5.1.8 */
export const searchFilter = searchRule({
  id: 'search-filter',
  statement: 'A search with a filter returns the rows that match both.',
  advice: 'Check that the two conditions are combined, and that neither replaces the other.',
  aspects: ['search.matching'],
  covers: ['search', 'filter'],
  requiredOptions: ['search', 'filter'],
  weight: 3,
  caseOf: ([term], site, session) => {
    const grammar = grammarOf(site, session)
    const snapshot = session.snapshot(site)
    if (term === undefined || grammar === undefined || snapshot === undefined) return undefined
    const rows = snapshot.rows.filter(row => String(row[term.property]).split(' ').includes(term.word))
    const filters = grammar.terms
      .filter(({ path: [name], type, allows }) => type === 'Edm.String' && name !== term.property && allows('eq'))
      .map(({ path }) => {
        const [value] = observedValues(rows, path)
        return binary('eq', pathTo(path), typeof value === 'string' ? stringLiteral(value) : nullLiteral)
      })
    const filter = filters[(term.word.length + rows.length) % Math.max(1, filters.length)]
    return filter && { options: { search: term.search, filter } }
  },
})
