import { describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../query-string.js'
import { sampleCapabilities } from '../testing/sample-capabilities.js'
import { constructsOf, unmetConditions } from './check-filter.js'

function constructs(query: string): readonly string[] {
  return constructsOf(parseQueryOptions(query).options)
}

describe('the constructs of a query', () => {
  const cases: readonly (readonly [query: string, constructs: readonly string[]])[] = [
    ['', []],
    ["$filter=contains(title,'x')", ['filter', 'filter.contains']],
    ['$filter=pages gt 1 and not inPrint', ['filter', 'filter.and', 'filter.gt', 'filter.not']],
    ["$filter=copies/any(c:startswith(c/shelf,'x'))", ['filter', 'filter.any', 'filter.startswith']],
    ['$filter=copies/$count gt 1', ['filter', 'filter.$count', 'filter.gt']],
    ['$filter=@p&@p=contains(title,@q)&@q=tolower(@p)', ['filter', 'filter.contains', 'filter.tolower']],
    ['$top=1&$skip=1&$select=title&$orderby=title&$expand=copies', ['orderby', 'expand', 'skip', 'top', 'select']],
    ['$count=true', ['count']],
    ['$count=false', []],
    ['$search=x', ['search']],
    ["$expand=copies($filter=contains(shelf,'x');$orderby=number;$top=1)", ['expand', 'filter.contains']],
    ['$expand=copies($expand=book($search=x))', ['expand', 'search']],
  ]
  it.each(cases)('are found in %s', (query, expected) => {
    expect([...constructs(query)].sort()).toEqual([...expected].sort())
  })
})

describe('the conditions that a request does not meet', () => {
  const cases: readonly (readonly [query: string, header: string | null, otherwise: readonly string[]])[] = [
    ["$filter=title eq 'x'", null, []],
    ["$filter=contains(title,'x')", null, ['advancedQueryUnavailable']],
    ["$filter=contains(title,'x')", 'eventual', []],
    ["$filter=contains(title,'x')", ' Eventual ', []],
    ["$filter=contains(title,'x')", 'session', ['advancedQueryUnavailable']],
    ['$orderby=title', null, []],
    ['$filter=inPrint&$orderby=title', null, ['advancedQueryUnavailable']],
  ]
  it.each(cases)('are found for %s with the header %s', (query, value, otherwise) => {
    const header = (name: string) => (name.toLowerCase() === 'consistencylevel' ? value : null)
    const unmet = unmetConditions(constructs(query), sampleCapabilities, header)
    expect(unmet.map(condition => condition.otherwise)).toEqual(otherwise)
  })

  it('also apply to the path', () => {
    const unmet = unmetConditions([...constructs(''), 'countPath'], sampleCapabilities, () => null)
    expect(unmet.map(condition => condition.otherwise)).toEqual(['countUnavailable'])
  })
})
