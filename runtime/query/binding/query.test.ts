import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Expression } from '../ast.js'
import { parseQueryOptions } from '../query-string.js'
import { libraryScope, libraryTypes } from '../testing/library-types.js'
import { queryOptionsArbitrary } from '../testing/query-options-arbitrary.js'
import { describeType } from './context.js'
import { bindExpression, bindQuery } from './query.js'

function bind(query: string, typeName = 'book') {
  return bindQuery(parseQueryOptions(query).options, libraryTypes, typeName, libraryScope)
}

describe('bindQuery with a valid query', () => {
  it.each([
    '',
    '$select=title,publisher/city,addresses/zip,copies,*',
    '$select=library.audioBook/narrator,library.*,library.bestOf,@library.note',
    '$select=publisher($select=city),keywords($filter=length($this) gt 2;$top=1)',
    "$expand=prequel,copies($filter=shelf eq 'A' and $it/title eq $this/isbn;$orderby=number desc;$top=1;$count=true)",
    '$expand=*',
    '$expand=publisher/nearest',
    '$expand=prequel($levels=3;$expand=copies($select=shelf))',
    '$expand=copies/$count',
    '$expand=library.audioBook/copies',
    '$orderby=title,publisher/city desc,prequel/pages,genre,inPrint,copies/$count,length(title)',
    '$compute=price mul 2 as double&$filter=double gt 1&$orderby=double&$select=double',
    '$search=anything OR "any thing"',
    '$top=0&$skip=1&$count=true',
    '$filter=@p&@p=inPrint&@unused=nonsense',
  ])('accepts %s', query => {
    expect(bind(query)).toEqual([])
  })

  it('accepts a collection of primitive values', () => {
    expect(bind("$filter=endswith($this,'.com') and $it ne 'x'&$orderby=$this desc", 'Edm.String')).toEqual([])
    expect(bind('$filter=$this gt 1', 'Edm.String').map(error => error.code)).toEqual(['incompatibleTypes'])
    expect(bind('$select=name', 'Edm.String').map(error => error.code)).toEqual(['notAStructure'])
  })

  it('accepts any name in an open type', () => {
    expect(
      bind("$select=colour,colour/hue&$expand=anything($top=1)&$orderby=colour&$filter=colour/hue eq 'x'", 'copy'),
    ).toEqual([])
  })
})

const misfits: readonly (readonly [query: string, option: string, code: string, message: string, path?: string])[] = [
  [
    '$select=titel',
    '$select',
    'unknownProperty',
    "Could not find a property named 'titel' on type 'book'. Did you mean 'title'?",
    'titel',
  ],
  ['$select=title,pages,title', '$select', 'duplicate', "'title' appears twice in '$select'. Write it once.", 'title'],
  [
    '$select=publisher/town',
    '$select',
    'unknownProperty',
    "Could not find a property named 'town' on type 'address'.",
    'publisher/town',
  ],
  [
    '$select=title/length',
    '$select',
    'notAStructure',
    "'title/length' leads into a value that has no properties.",
    'title/length',
  ],
  [
    '$select=prequel/title',
    '$select',
    'notAStructure',
    "'$select' ends at the relation 'prequel'. Use '$expand=prequel($select=title)'.",
    'prequel/title',
  ],
  [
    '$select=library.copy/shelf',
    '$select',
    'invalidCast',
    "A value of type book is never a 'library.copy': neither type derives from the other.",
  ],
  [
    '$select=publisher($filter=true)',
    '$filter',
    'notApplicable',
    "'$filter' selects among the items of a collection, but 'publisher' is a single item. Remove it.",
    'publisher',
  ],
  [
    '$expand=titel',
    '$expand',
    'unknownProperty',
    "Could not find a property named 'titel' on type 'book'. Did you mean 'title'?",
    'titel',
  ],
  [
    '$expand=title',
    '$expand',
    'notARelation',
    "'title' is not a relation: only relations can be expanded. Use '$select'.",
    'title',
  ],
  [
    '$expand=publisher',
    '$expand',
    'notARelation',
    "'publisher' is not a relation: only relations can be expanded. Use '$select'.",
    'publisher',
  ],
  [
    '$expand=prequel/copies',
    '$expand',
    'notARelation',
    "'prequel/copies' does not end at a relation. Nest another '$expand' instead.",
    'prequel/copies',
  ],
  [
    '$expand=prequel,prequel',
    '$expand',
    'duplicate',
    "'prequel' appears twice in '$expand'. Write it once.",
    'prequel',
  ],
  [
    '$expand=prequel($top=1)',
    '$top',
    'notApplicable',
    "'$top' selects among the items of a collection, but 'prequel' is a single item. Remove it.",
    'prequel',
  ],
  [
    '$expand=prequel/$count',
    '$expand',
    'notACollection',
    "'$count' may only follow a collection, but 'prequel' is a single item.",
    'prequel',
  ],
  [
    '$expand=copies($levels=2)',
    '$levels',
    'notApplicable',
    "'$levels' needs a relation that leads back to the type it starts from, but 'copies' does not.",
    'copies',
  ],
  [
    "$expand=prequel($expand=copies($filter=number eq 'x'))",
    '$filter',
    'incompatibleTypes',
    "'eq' cannot compare Edm.Int32 with Edm.String. Write the value without quotes.",
    'number',
  ],
  [
    '$orderby=publisher',
    '$orderby',
    'notAValue',
    "'$orderby' needs a value that has an order, but found address.",
    'publisher',
  ],
  [
    '$orderby=copies',
    '$orderby',
    'notAValue',
    "'$orderby' needs a value that has an order, but found collection of copy.",
    'copies',
  ],
  [
    '$orderby=keywords',
    '$orderby',
    'notAValue',
    "'$orderby' needs a value that has an order, but found collection of Edm.String.",
    'keywords',
  ],
  [
    '$orderby=origin',
    '$orderby',
    'notAValue',
    "'$orderby' needs a value that has an order, but found Edm.GeographyPoint.",
    'origin',
  ],
  [
    '$orderby=titel desc',
    '$orderby',
    'unknownProperty',
    "Could not find a property named 'titel' on type 'book'. Did you mean 'title'?",
    'titel',
  ],
  [
    '$compute=title add 1 as x',
    '$compute',
    'incompatibleTypes',
    "'add' takes numbers, dates or durations, but found Edm.String and Edm.Int32.",
  ],
  [
    '$compute=price mul 2 as title',
    '$compute',
    'duplicate',
    "The name 'title' of a computed property is taken. Choose another.",
    'title',
  ],
]

describe('bindQuery with an invalid query', () => {
  for (const [query, option, code, message, path] of misfits) {
    it(query, () => {
      expect(bind(query)).toEqual([{ code, option, message, ...(path === undefined ? {} : { path }) }])
    })
  }

  it('reports at most fifty errors', () => {
    expect(bind(`$select=${Array.from({ length: 80 }, (_, index) => `q${index}`).join(',')}`)).toHaveLength(50)
  })
})

describe('the type of an expression', () => {
  it.each([
    ['pages add 1', 'Edm.Int32'],
    ['pages add 1.5', 'Edm.Decimal'],
    ['pages divby 2', 'Edm.Decimal'],
    ['rating mul 2', 'Edm.Double'],
    ['sold sub 1', 'Edm.Int64'],
    ['changed sub changed', 'Edm.Duration'],
    ['concat(keywords,keywords)', 'collection of Edm.String'],
    ['copies/$count', 'Edm.Int64'],
    ['prequel', 'book'],
    ['language', 'Edm.String'],
    ['case(inPrint:1,true:0.5)', 'Edm.Decimal'],
    ['pages add null', 'null'],
    ['round(price)', 'Edm.Decimal'],
  ])('of %s is %s', (text, type) => {
    const { options } = parseQueryOptions(`$orderby=${encodeURIComponent(text)}`)
    const expression = options.orderby?.[0]?.expression
    expect(expression && describeType(bindExpression(expression, libraryTypes, 'book').type)).toBe(type)
  })
})

describe('bindQuery never throws', () => {
  it('or overflows the stack, however deep a hand-built tree is', () => {
    let deep: Expression = { kind: 'literal', type: 'Boolean', value: true }
    for (let level = 0; level < 100_000; level++) deep = { kind: 'unary', operator: 'not', operand: deep }
    expect(bindQuery({ filter: deep }, libraryTypes, 'book').map(error => error.code)).toEqual(['tooComplex'])
  })

  it('for long chains, which it visits in a loop', () => {
    const chain = Array.from({ length: 3_000 }, () => 'inPrint').join(' or ')
    expect(bind(`$filter=${chain}`)).toEqual([])
  })

  it('for any query', () => {
    fc.assert(
      fc.property(queryOptionsArbitrary, options => {
        for (const typeName of ['book', 'copy', 'Edm.String', 'nowhere']) {
          const errors = bindQuery(options, libraryTypes, typeName, libraryScope)
          expect(errors.every(error => error.option.startsWith('$') && error.message.length > 0)).toBe(true)
        }
      }),
    )
  })

  it('for any names', () => {
    const name = fc.constantFrom(
      'title',
      'copies',
      '__proto__',
      'constructor',
      'x',
      'toString',
      'Edm.String',
      'Edm',
      '',
    )
    fc.assert(
      fc.property(name, name, (left, right) => {
        const filter: Expression = {
          kind: 'binary',
          operator: 'eq',
          left: { kind: 'path', segments: [{ kind: 'property', name: left }] },
          right: {
            kind: 'path',
            segments: [
              { kind: 'cast', type: right },
              { kind: 'property', name: right },
            ],
          },
        }
        const select = [{ path: [left, right] }]
        for (const typeName of [left, 'book', 'copy']) {
          const errors = bindQuery({ filter, select, expand: select }, libraryTypes, typeName, libraryScope)
          expect(errors.every(error => error.message.length > 0)).toBe(true)
        }
      }),
    )
  })
})
