import { describe, expect, it } from 'vitest'
import { defaultQueryLimits, exceededLimits, type QueryLimits } from './limits.js'
import { parseQueryOptions } from './query-string.js'
import { libraryTypes } from './testing/library-types.js'

const loose: QueryLimits = {
  filterNodes: 1e6,
  lambdaDepth: 1e6,
  listItems: 1e6,
  orderbyItems: 1e6,
  expandDepth: 1e6,
  expandedRelations: 1e6,
  searchWords: 1e6,
  patternLength: 1e6,
}

/** The messages for a query with one limit lowered. */
function messages(query: string, limits: Partial<QueryLimits>): readonly string[] {
  const { options } = parseQueryOptions(query)
  return exceededLimits(options, { ...loose, ...limits }, libraryTypes, 'book', 3).map(({ message }) => message)
}

/** The smallest limit that a query keeps to. */
function measured(query: string, name: keyof QueryLimits): number {
  for (let limit = 0; ; limit++) if (messages(query, { [name]: limit }).length === 0) return limit
}

const lambda = "copies/any(c:c/shelf eq 'a')"
const nested = "copies/any(c:c/branch/rooms/any(r:r/name eq 'a'))"

describe('the size of a query', () => {
  it.each<[query: string, limit: keyof QueryLimits, size: number]>([
    ["$filter=title eq 'a'", 'filterNodes', 3],
    ["$filter=title eq 'a' or title eq 'b'", 'filterNodes', 7],
    ["$filter=title in ('a','b','c')", 'filterNodes', 3],
    ['$filter=hassubset(keywords,["a","b"])', 'filterNodes', 3],
    ["$expand=copies($filter=shelf eq 'a')&$filter=title eq 'a'", 'filterNodes', 6],
    ['$filter=@p or @p&@p=inPrint', 'filterNodes', 5],
    ['$filter=@a and @a&@a=@b and @b&@b=@c and @c&@c=inPrint', 'filterNodes', 29],
    ["$filter=title eq 'a'", 'lambdaDepth', 0],
    [`$filter=${lambda}`, 'lambdaDepth', 1],
    [`$filter=${lambda} and ${lambda}`, 'lambdaDepth', 1],
    [`$filter=${nested}`, 'lambdaDepth', 2],
    ['$filter=copies/any()', 'lambdaDepth', 1],
    ['$filter=copies/any(c:@p)&@p=keywords/any(k:true)', 'lambdaDepth', 2],
    ["$filter=copies/$count($filter=shelf eq 'a') gt 1", 'lambdaDepth', 1],
    ["$filter=copies/$filter($this/shelf eq 'a')/$count gt 1", 'lambdaDepth', 1],
    ["$filter=title in ('a','b') or title in ('c','d','e')", 'listItems', 5],
    ['$filter=title in @l or title in @l&@l=["a","b","c"]', 'listItems', 6],
    ["$filter=matchesPattern(title,'a.*b')", 'patternLength', 4],
    ["$filter=matchesPattern(title,@p)&@p=@q&@q='abcdef'", 'patternLength', 6],
    ["$filter=contains(title,'abcdef')", 'patternLength', 0],
    ['$orderby=title,pages desc', 'orderbyItems', 2],
    ['$expand=copies($orderby=number,shelf,isbn)&$orderby=title', 'orderbyItems', 3],
    ['$expand=copies', 'expandDepth', 1],
    ['$expand=copies($expand=branch),prequel', 'expandDepth', 2],
    ['$expand=prequel($levels=4)', 'expandDepth', 4],
    ['$expand=prequel($levels=max)', 'expandDepth', 3],
    ['$expand=copies($expand=branch),prequel', 'expandedRelations', 3],
    ['$expand=prequel($levels=4)', 'expandedRelations', 4],
    ['$expand=*', 'expandedRelations', 2],
    ['$expand=copies($expand=*)', 'expandedRelations', 3],
    ['$search=a b "c d"', 'searchWords', 4],
    ['$search=a OR NOT "--"', 'searchWords', 2],
    ['$expand=copies($search=a b)&$search=c', 'searchWords', 3],
    ['$filter=copies/$count($search=a b) gt 1', 'searchWords', 2],
  ])('of %s is %s %i', (query, limit, size) => {
    expect(measured(query, limit)).toBe(size)
  })
})

describe('a query that exceeds a limit', () => {
  it.each<[query: string, limits: Partial<QueryLimits>, message: string]>([
    ["$filter=title eq 'a'", { filterNodes: 2 }, 'The filter has 3 nodes, but the limit filterNodes is 2.'],
    [
      `$filter=${nested}`,
      { lambdaDepth: 1 },
      'The filter has any and all 2 levels deep, but the limit lambdaDepth is 1.',
    ],
    ['$search=a b', { searchWords: 1 }, "'$search' has 2 words, but the limit searchWords is 1."],
    ['$expand=prequel($levels=9)', { expandDepth: 3 }, "'$expand' is 9 levels deep, but the limit expandDepth is 3."],
  ])('%s gets the name of the limit', (query, limits, message) => {
    expect(messages(query, limits)).toEqual([message])
  })

  it('is found without visiting what its aliases expand to', () => {
    const chain = Array.from({ length: 90 }, (_, index) => `@a${index}=@a${index + 1} or @a${index + 1}`)
    const query = `$filter=@a0&${chain.join('&')}&@a90=inPrint`
    expect(messages(query, { filterNodes: 400 })).toHaveLength(1)
    const long = Array.from({ length: 900 }, (_, index) => `@a${index}=@a${index + 1}`)
    expect(messages(`$filter=@a0&${long.join('&')}&@a900=inPrint`, { filterNodes: 400 })).toEqual([
      'The filter has too many nodes, but the limit filterNodes is 400.',
    ])
    expect(messages('$filter=@a&@a=@b or @b&@b=@a', { filterNodes: 400 })).toEqual([])
  })

  it('of any length is measured without recursion', () => {
    const filter = Array.from({ length: 20_000 }, () => 'inPrint').join(' or ')
    expect(messages(`$filter=${filter}`, { filterNodes: defaultQueryLimits.filterNodes })).toHaveLength(1)
  })
})
