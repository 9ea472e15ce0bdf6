import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('search')
const libraryMutant = mutantsIn('search', 'library')

/** Faults of `$search`. */
export const searchMutants: readonly Mutant[] = [
  mutant('search-ignored', '$search has no effect.', () => ({ search: () => true })),
  mutant('search-finds-nothing', '$search finds nothing.', () => ({ search: () => false })),
  mutant('search-or-as-and', 'OR is treated as AND.', correct => ({
    search: (search, row, at) => correct.search(search.kind === 'or' ? { ...search, kind: 'and' } : search, row, at),
  })),
  mutant('search-loses-second', 'Terms after the first OR are lost.', correct => ({
    search: (search, row, at) => correct.search(search.kind === 'or' ? search.left : search, row, at),
  })),
  mutant('search-loses-first', 'The term before an OR is lost.', correct => ({
    search: (search, row, at) => correct.search(search.kind === 'or' ? search.right : search, row, at),
  })),
  mutant('search-loses-third', 'Terms after the second OR are lost.', correct => ({
    search: (search, row, at) =>
      correct.search(search.kind === 'or' && search.left.kind === 'or' ? search.left : search, row, at),
  })),
  mutant('search-splits-at-letters', 'A term with letters beyond ASCII finds nothing.', correct => ({
    matchesTerm: (term, text, at) => !/[^\0-\x7F]/.test(term) && correct.matchesTerm(term, text, at),
  })),
  mutant('search-or-keeps-property', 'The term after an OR is searched in the property of the first.', correct => ({
    search: (search, row, at) => {
      if (search.kind !== 'or' || search.left.kind !== 'phrase' || search.right.kind !== 'phrase') {
        return correct.search(search, row, at)
      }
      const [named] = search.left.text.split(':')
      const text = `${named}:${search.right.text.slice(search.right.text.indexOf(':') + 1)}`
      return correct.search({ ...search, right: { ...search.right, text } }, row, at)
    },
  })),
  mutant('search-in-every-property', 'A property term is searched in every property.', correct => ({
    search: (search, row, at) => {
      if (search.kind !== 'phrase') return correct.search(search, row, at)
      const term = search.text.slice(search.text.indexOf(':') + 1)
      return row.type.properties.some(({ name }) => {
        const value = row.values[name]
        return typeof value === 'string' && correct.matchesTerm(term, value, at)
      })
    },
  })),
  mutant('search-in-another-property', 'A property term is searched in another property.', correct => ({
    search: (search, row, at) => {
      if (search.kind !== 'phrase') return correct.search(search, row, at)
      const named = search.text.slice(0, search.text.indexOf(':'))
      const other = row.type.properties.find(({ name, search: how }) => how !== 'none' && name !== named)
      if (other === undefined) return correct.search(search, row, at)
      const value = row.values[other.name]
      return typeof value === 'string' && correct.matchesTerm(search.text.slice(named.length + 1), value, at)
    },
  })),
  mutant('search-finds-first-words', 'A term matches only at the start of a text.', correct => ({
    matchesTerm: (term, text, at) => correct.matchesTerm(term, text.split(' ')[0] ?? '', at),
  })),
  mutant('search-ignored-with-filter', '$search has no effect together with $filter.', correct => ({
    search: (search, row, at) => at.options.filter !== undefined || correct.search(search, row, at),
  })),
  mutant('search-negated', '$search returns the rows that do not match.', correct => ({
    search: (search, row, at) =>
      search.kind === 'phrase' || search.kind === 'term'
        ? !correct.search(search, row, at)
        : correct.search(search, row, at),
  })),
  mutant('filter-ignored-with-search', '$filter has no effect together with $search.', correct => ({
    filter: (rows, test, at) => (at.options.search === undefined ? correct.filter(rows, test, at) : rows),
  })),
  libraryMutant('search-and-as-or', 'AND is treated as OR.', correct => ({
    search: (search, row, at) => correct.search(search.kind === 'and' ? { ...search, kind: 'or' } : search, row, at),
  })),
  libraryMutant('search-not-ignored', 'NOT has no effect.', correct => ({
    search: (search, row, at) => correct.search(search.kind === 'not' ? search.operand : search, row, at),
  })),
]
