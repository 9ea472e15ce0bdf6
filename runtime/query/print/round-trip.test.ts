import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../parse/filter.js'
import { parseQueryOptions } from '../parse/query-options.js'
import { parseSearch } from '../parse/search.js'
import { expressionArbitrary } from '../testing/expression-arbitrary.js'
import { queryOptionsArbitrary } from '../testing/query-options-arbitrary.js'
import { searchArbitrary } from '../testing/search-arbitrary.js'
import { printFilter } from './filter.js'
import { printQueryOptions } from './query-options.js'
import { printSearch } from './search.js'

describe('printing and parsing', () => {
  it('gives back every expression', () => {
    fc.assert(
      fc.property(expressionArbitrary(), tree => {
        const text = printFilter(tree)
        const parsed = parseFilter(text)
        expect(parsed).toEqual(tree)
        expect(printFilter(parsed)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it('gives back every search', () => {
    fc.assert(
      fc.property(searchArbitrary, tree => {
        expect(parseSearch(printSearch(tree))).toEqual(tree)
      }),
      { numRuns: 500 },
    )
  })

  it('gives back every set of query options, percent-encoded', () => {
    fc.assert(
      fc.property(queryOptionsArbitrary, options => {
        const query = printQueryOptions(options)
        expect(query).toMatch(/^[A-Za-z0-9\-._~!$'()*,:@/?%=&]*$/)
        expect(parseQueryOptions(query)).toEqual({ options, custom: [] })
      }),
      { numRuns: 500 },
    )
  })
})
