import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../query-string.js'
import { libraryTypes } from '../testing/library-types.js'
import { queryOptionsArbitrary } from '../testing/query-options-arbitrary.js'
import { noCapabilities, sampleCapabilities } from '../testing/sample-capabilities.js'
import type { Capabilities } from './capabilities.js'
import { checkCapabilities, namedRelations } from './check-capabilities.js'

function check(query: string, capabilities: Capabilities = sampleCapabilities) {
  return checkCapabilities(parseQueryOptions(query).options, capabilities, libraryTypes, 'book')
}

describe('checkCapabilities with a supported query', () => {
  it.each([
    '',
    "$filter=title eq 'x' and not (pages gt 1 or tolower(title) in ('a','b'))",
    "$filter=keywords/any(k:k ne 'x') and keywords/$count gt 2",
    "$filter=copies/any(c:c/branch/name eq 'x' and c/shelf eq 'y')",
    "$filter=copies/$count($filter=shelf eq 'x') gt 1",
    '$filter=@p&@p=pages eq 1',
    '$orderby=title desc,prequel/title',
    '$orderby=$it/pages,copies/$count desc',
    '$orderby=publisher/city',
    '$select=title,publisher/city,*',
    '$expand=prequel($select=title;$expand=copies($filter=number gt 1;$orderby=number;$top=5))',
    '$expand=prequel($levels=3),copies',
    '$expand=prequel($levels=max)',
    '$expand=*',
    '$top=1&$skip=5&$count=true',
    '$top=100',
    '$search="title:x" OR "subtitle:y z"',
    '$format=json&$skiptoken=abc',
  ])('accepts %s', query => {
    expect(check(query)).toEqual([])
  })
})

it.each([
  ['*', '*'],
  ['prequel($expand=copies($expand=*))', 'prequel($expand=copies($expand=branch))'],
  ['*($levels=2),copies', 'prequel($levels=2),copies'],
  ['prequel($select=isbn),*', 'prequel($select=isbn),copies'],
  ['prequel($expand=*)', 'prequel($expand=*)'],
  ['prequel($expand=copies,*)', 'prequel($expand=copies,prequel)'],
])('$expand=%s expands the relations that are allowed: %s', (given, expected) => {
  const { expand = [] } = parseQueryOptions(`$expand=${given}`).options
  expect(namedRelations(expand, sampleCapabilities, libraryTypes, 'book')).toEqual(
    parseQueryOptions(`$expand=${expected}`).options.expand,
  )
})

it('$expand=* needs a relation that is allowed', () => {
  const expand = { ...sampleCapabilities.expand, relations: { prequel: 'none' } } as const
  const [problem] = check('$expand=*', { ...sampleCapabilities, expand })
  expect(problem?.message).toBe("Expanding '*' is not supported here.")
})

describe('checkCapabilities in an expanded relation of an item', () => {
  const { filter, orderby } = noCapabilities
  const item = { ...sampleCapabilities, filter, orderby }

  it.each([
    "$expand=copies($filter=number gt 1 and endswith(shelf,'x');$orderby=number desc)",
    '$expand=prequel($expand=copies($orderby=number))',
  ])('does not restrict an option that the item itself does not support: %s', query => {
    expect(check(query, item)).toEqual([])
  })

  it('accepts only the declared nested options, and not at the item itself', () => {
    expect(check('$filter=pages gt 1', item)).toHaveLength(1)
    const nested = { ...item, expand: { ...item.expand, nested: ['select'] } }
    expect(check('$expand=copies($orderby=number)', nested)).toHaveLength(1)
  })
})

const refused: readonly (readonly [
  query: string,
  option: string,
  construct: string,
  message: string,
  property?: string,
])[] = [
  [
    '$filter=pages lt 1',
    '$filter',
    'filter.lt',
    "The filter operator 'lt' is not supported here. Supported: eq, ne, gt, in, and, or, not.",
  ],
  [
    '$filter=pages add 1 eq 2',
    '$filter',
    'filter.add',
    "The filter operator 'add' is not supported here. Supported: eq, ne, gt, in, and, or, not.",
  ],
  [
    "$filter=endswith(isbn,'x')",
    '$filter',
    'filter.endswith',
    "The filter function 'endswith' is not supported here. Supported: contains, startswith, tolower, $count, isdue.",
  ],
  [
    "$filter=keywords/all(k:k eq 'x')",
    '$filter',
    'filter.all',
    "The filter lambda operator 'all' is not supported here. Supported: any.",
  ],
  // property by property
  ["$filter=subtitle eq 'x'", '$filter', 'filter', "Filtering by 'subtitle' is not supported here.", 'subtitle'],
  [
    "$filter=publisher/city eq 'x'",
    '$filter',
    'filter',
    "Filtering by 'publisher/city' is not supported here.",
    'publisher/city',
  ],
  [
    "$filter=title ne 'x'",
    '$filter',
    'filter.ne',
    "The filter operator 'ne' is not supported on 'title' here.",
    'title',
  ],
  [
    "$filter=contains(title,'x')",
    '$filter',
    'filter.contains',
    "The filter function 'contains' is not supported on 'title' here.",
    'title',
  ],
  [
    "$filter=tolower(title) ne 'x'",
    '$filter',
    'filter.ne',
    "The filter operator 'ne' is not supported on 'title' here.",
    'title',
  ],
  [
    '$filter=keywords/any(k:k eq subtitle)',
    '$filter',
    'filter',
    "Filtering by 'subtitle' is not supported here.",
    'subtitle',
  ],
  [
    '$filter=keywords/any(k:k eq $it/subtitle)',
    '$filter',
    'filter',
    "Filtering by 'subtitle' is not supported here.",
    'subtitle',
  ],
  [
    '$filter=copies/any(c:c/number eq 1)',
    '$filter',
    'filter',
    "Filtering by 'copies/number' is not supported here.",
    'copies/number',
  ],
  [
    '$filter=copies/$count($filter=number eq 1) gt 1',
    '$filter',
    'filter',
    "Filtering by 'copies/number' is not supported here.",
    'copies/number',
  ],
  ["$filter=@p&@p=subtitle eq 'x'", '$filter', 'filter', "Filtering by 'subtitle' is not supported here.", 'subtitle'],
  // relations are not structural properties
  ['$filter=prequel eq null', '$filter', 'filter', "Filtering by 'prequel' is not supported here.", 'prequel'],
  [
    "$filter=prequel/isbn eq 'x'",
    '$filter',
    'filter',
    "Filtering by 'prequel/isbn' is not supported here.",
    'prequel/isbn',
  ],
  [
    "$filter=addresses/any(a:a/nearest/name eq 'x')",
    '$filter',
    'filter',
    "Filtering by 'addresses/nearest/name' is not supported here.",
    'addresses/nearest/name',
  ],
  // what the capabilities have no word for
  [
    "$filter=isbn eq $root/books('1')/isbn",
    '$filter',
    'filter.$root',
    "Paths from '$root' are not supported in a filter here.",
  ],
  [
    "$filter=copies(isbn='1',number=2)/shelf eq 'x'",
    '$filter',
    'filter.key',
    'Keys in a path are not supported in a filter here.',
  ],
  ["$filter=@library.note eq 'x'", '$filter', 'filter.annotation', 'Annotations are not supported in a filter here.'],
  [
    "$filter=library.audioBook/narrator eq 'x'",
    '$filter',
    'filter.cast',
    "The filter function 'cast' is not supported here. Supported: contains, startswith, tolower, $count, isdue.",
  ],
  [
    "$filter=copies/$filter(shelf eq 'x')/any()",
    '$filter',
    'filter.$filter',
    "The filter segment '$filter' is not supported here.",
  ],
  [
    '$filter=copies/$count($search=x) gt 1',
    '$filter',
    'filter.$search',
    "'$search' is not supported inside a filter here.",
  ],
  [
    `$filter=${Array.from({ length: 20 }, () => 'inPrint').join(' or ')} or inPrint`,
    '$filter',
    'filter.maxNodes',
    'The filter has more than 40 terms, which is the most supported here.',
  ],
  // $orderby
  ['$orderby=price', '$orderby', 'orderby', "Sorting by 'price' is not supported here.", 'price'],
  [
    '$orderby=prequel/pages',
    '$orderby',
    'orderby',
    "Sorting by 'prequel/pages' is not supported here.",
    'prequel/pages',
  ],
  [
    '$orderby=keywords/$count',
    '$orderby',
    'orderby',
    "Sorting by 'keywords/$count' is not supported here.",
    'keywords/$count',
  ],
  [
    '$orderby=length(title)',
    '$orderby',
    'orderby.expression',
    "'$orderby' supports the names of properties only here.",
  ],
  [
    '$orderby=title,pages,isbn',
    '$orderby',
    'orderby.maxKeys',
    "'$orderby' has 3 keys, but no more than 2 are supported here.",
  ],
  // $expand
  [
    '$expand=publisher/nearest',
    '$expand',
    'expand',
    "Expanding 'publisher/nearest' is not supported here. Supported: prequel, copies.",
    'publisher/nearest',
  ],
  ['$expand=copies/$count', '$expand', 'expand.$count', "'/$count' is not supported in '$expand' here.", 'copies'],
  [
    '$expand=copies($count=true)',
    '$count',
    'expand.count',
    "'$count' is not supported inside '$expand=copies' here. Supported: select, expand, filter, orderby, top, levels.",
    'copies',
  ],
  [
    '$expand=prequel($expand=copies($expand=book))',
    '$expand',
    'expand',
    "Expanding 'prequel/copies/book' is not supported here. Supported: prequel, copies.",
    'prequel/copies/book',
  ],
  [
    '$expand=prequel($expand=prequel($expand=prequel($expand=prequel)))',
    '$expand',
    'expand.maxDepth',
    "'$expand' is 4 levels deep, but 3 are supported here.",
  ],
  [
    '$expand=prequel($levels=4)',
    '$levels',
    'expand.maxDepth',
    "'$levels=4' leads 4 levels deep, but 3 are supported here.",
    'prequel',
  ],
  [
    '$expand=copies($filter=number lt 1)',
    '$filter',
    'filter.lt',
    "The filter operator 'lt' is not supported here. Supported: eq, ne, gt, in, and, or, not.",
  ],
  [
    "$expand=copies($filter=branch/name eq 'x')",
    '$filter',
    'filter',
    "Filtering by 'copies/branch/name' is not supported here.",
    'copies/branch/name',
  ],
  [
    '$expand=copies($orderby=branch/name)',
    '$orderby',
    'orderby',
    "Sorting by 'copies/branch/name' is not supported here.",
    'copies/branch/name',
  ],
  ['$expand=copies($top=500)', '$top', 'top.max', "'$top=500' is not supported here: the most is 100."],
  // the others
  [
    '$select=publisher($select=city)',
    '$select',
    'select.nested',
    "Options inside '$select=publisher' are not supported here.",
    'publisher',
  ],
  ['$select=library.*', '$select', 'select.operations', "Selecting 'library.*' is not supported here.", 'library.*'],
  ['$top=101', '$top', 'top.max', "'$top=101' is not supported here: the most is 100."],
  ['$top=0', '$top', 'top.min', "'$top=0' is not supported here: the least is 1."],
  [
    '$search=x',
    '$search',
    'search.words',
    `'x' is not supported in '$search' here: write "property:term" in double quotes. Supported: title, subtitle.`,
  ],
  [
    '$search="title:"',
    '$search',
    'search.words',
    `'title:' is not supported in '$search' here: write "property:term" in double quotes. Supported: title, subtitle.`,
  ],
  [
    '$search="isbn:x"',
    '$search',
    'search',
    "Searching in 'isbn' is not supported here. Supported: title, subtitle.",
    'isbn',
  ],
  [
    '$search="title:x" AND "title:y"',
    '$search',
    'search.AND',
    "AND is not supported in '$search' here. Supported: OR.",
  ],
  ['$search=NOT "title:x"', '$search', 'search.NOT', "NOT is not supported in '$search' here. Supported: OR."],
  ['$compute=price mul 2 as double', '$compute', 'compute', "The query option '$compute' is not supported here."],
]

describe('checkCapabilities with an unsupported query', () => {
  for (const [query, option, construct, message, property] of refused) {
    it(query, () => {
      expect(check(query)[0]).toEqual({ option, construct, message, ...(property === undefined ? {} : { property }) })
    })
  }

  it.each([
    'filter=inPrint',
    'orderby=title',
    'select=title',
    'expand=copies',
    'top=1',
    'skip=1',
    'count=false',
    'search=x',
  ])('rejects $%s if nothing is supported', text => {
    const option = `$${text.split('=')[0]}`
    const message = `The query option '${option}' is not supported here.`
    expect(check(`$${text}`, noCapabilities)).toEqual([{ option, construct: option.slice(1), message }])
  })

  it('reports each construct once', () => {
    expect(check('$filter=pages lt 1 or pages lt 2 or keywords/all(k:k lt 1)').map(each => each.construct)).toEqual([
      'filter.lt',
      'filter.all',
    ])
  })
})

describe('checkCapabilities', () => {
  const capabilities = (change: Partial<Capabilities>): Capabilities => ({ ...sampleCapabilities, ...change })

  it.each(['clamp', 'open'] as const)('$top above the most is not refused when the endpoint says %s', above => {
    const top = { ...sampleCapabilities.top, above }
    expect(check('$top=1000000', capabilities({ top }))).toEqual([])
  })

  it('accepts only the sort keys that the endpoint names', () => {
    const orderby = { support: 'optional', only: ['title', 'prequel/pages'], properties: {} } as const
    expect(check('$orderby=title,prequel/pages', capabilities({ orderby }))).toEqual([])
    expect(check('$orderby=isbn', capabilities({ orderby }))[0]?.message).toBe(
      "Sorting by 'isbn' is not supported here. Supported: title, prequel/pages.",
    )
  })

  it('accepts a search without a property if the syntax is words', () => {
    const search = { support: 'optional', syntax: 'words', join: ['AND', 'NOT'], properties: ['title'] } as const
    expect(check('$search=a "b c" NOT isbn:x', capabilities({ search }))).toEqual([])
  })
})

describe('checkCapabilities with any query', () => {
  it('never throws', () => {
    fc.assert(
      fc.property(queryOptionsArbitrary, options => {
        for (const capabilities of [sampleCapabilities, noCapabilities]) {
          const found = checkCapabilities(options, capabilities, libraryTypes, 'book')
          expect(found.every(each => each.message.endsWith('.') || each.message.includes(' '))).toBe(true)
        }
      }),
    )
  })

  it('rejects every option if nothing is supported', () => {
    const names = ['filter', 'orderby', 'select', 'expand', 'search', 'compute', 'top', 'skip', 'count'] as const
    fc.assert(
      fc.property(queryOptionsArbitrary, options => {
        const given = names.filter(name => options[name] !== undefined)
        const found = checkCapabilities(options, noCapabilities, libraryTypes, 'book')
        expect(new Set(found.map(each => each.option))).toEqual(new Set(given.map(name => `$${name}`)))
      }),
    )
  })
})
