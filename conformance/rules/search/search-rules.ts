import type { Site } from '../../discover/site.js'
import type { Row } from '../../json.js'
import { querySite } from '../../lists/related-items.js'
import { binary, nullLiteral, pathTo, stringLiteral } from '../../probes/expressions.js'
import { grammarOf } from '../../probes/grammar.js'
import { observedValues } from '../../probes/observed-values.js'
import {
  frequentTerms,
  letterTerms,
  otherTerms,
  prefixTerms,
  type SearchTerm,
  searchCapabilitiesOf,
  strayTerms,
} from '../../probes/search.js'
import { joinSearches, searchRule } from '../../rule/search-rule.js'
import type { Session } from '../../session/session.js'

/** @see OData URL Conventions 4.01, 5.1.8 */
export const searchTerm = searchRule({
  id: 'search-term',
  statement: 'A search returns all rows that contain the term in a searched property, and no others.',
  advice: 'Look at which properties are searched, how texts are split into words, and letter case.',
  aspects: ['search.matching', 'search.terms'],
  covers: ['search'],
  weight: 6,
  caseOf: ([term]) => (term === undefined ? undefined : { options: { search: term.search } }),
  optionalCases: (_terms, site, session) => {
    const snapshot = session.snapshot(site)
    const capabilities = searchCapabilitiesOf(site)
    if (snapshot === undefined || capabilities === undefined) return []
    const kinds = [otherTerms, letterTerms, strayTerms].map(termsOf => termsOf(snapshot, capabilities))
    // The first term of each kind comes before the second ones.
    const more = [...kinds.flatMap(terms => terms.slice(0, 1)), ...kinds.flatMap(terms => terms.slice(1))]
    const [frequent] = frequentTerms(snapshot, capabilities)
    const canLimit = querySite(site)?.endpoint.query.top.support !== 'none'
    return [
      ...more.map(({ search }) => ({ options: { search } })),
      ...(canLimit && frequent !== undefined && frequent.rows > 1
        ? [{ options: { search: frequent.search, top: 1 } }]
        : []),
    ]
  },
})

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
  optionalCases: (terms, site, session) => {
    const [term] = terms
    const snapshot = session.snapshot(site)
    const capabilities = searchCapabilitiesOf(site)
    if (term === undefined || snapshot === undefined || capabilities === undefined) return []
    const withPrefixes = [...prefixTerms(snapshot, capabilities).slice(0, 2), ...otherTerms(snapshot, capabilities)]
      .slice(0, 4)
      .flatMap(other => [joinSearches('or', [term, other]), joinSearches('or', [other, term])])
    // Rows that only the third term finds show whether it is lost.
    const ofThree = terms.length < 3 ? [] : [joinSearches('or', terms.slice(0, 3)), joinSearches('or', terms.slice(-3))]
    return [...ofThree, ...withPrefixes].flatMap(search => (search === undefined ? [] : [{ options: { search } }]))
  },
})

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
    const snapshot = session.snapshot(site)
    if (term === undefined || snapshot === undefined) return undefined
    const rows = snapshot.rows.filter(row => isFoundBy(row, term))
    const filters = filterableTexts(term, site, session).map(path => {
      const [value] = observedValues(rows, path)
      return binary('eq', pathTo(path), typeof value === 'string' ? stringLiteral(value) : nullLiteral)
    })
    const filter = filters[(term.word.length + rows.length) % Math.max(1, filters.length)]
    return filter && { options: { search: term.search, filter } }
  },
  // A filter by a value that no found row has: a row shows that the search or the filter is lost.
  optionalCases: (terms, site, session) => {
    const snapshot = session.snapshot(site)
    return terms.slice(0, 2).flatMap(term => {
      const rows = snapshot?.rows ?? []
      const found = rows.filter(row => isFoundBy(row, term))
      for (const path of filterableTexts(term, site, session)) {
        const taken = new Set(observedValues(found, path))
        const value = observedValues(rows, path).find(each => !taken.has(each))
        if (typeof value !== 'string') continue
        return [{ options: { search: term.search, filter: binary('eq', pathTo(path), stringLiteral(value)) } }]
      }
      return []
    })
  },
})

function isFoundBy(row: Row, { property, word }: SearchTerm): boolean {
  return String(row[property]).split(' ').includes(word)
}

/** The paths of other texts, of which some row has a value: a service may lack what no row shows. */
function filterableTexts({ property }: SearchTerm, site: Site, session: Session): readonly (readonly string[])[] {
  const rows = session.snapshot(site)?.rows ?? []
  const terms = grammarOf(site, session)?.terms ?? []
  return terms
    .filter(({ path: [name], type, allows }) => type === 'Edm.String' && name !== property && allows('eq'))
    .map(({ path }) => path)
    .filter(path => observedValues(rows, path).some(value => typeof value === 'string'))
}
