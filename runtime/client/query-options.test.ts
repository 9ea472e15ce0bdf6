import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../query/index.js'
import { dateTimeOffset } from './path.js'
import { type Query, queryText } from './query-options.js'

const formats = { received: dateTimeOffset, messages: { received: dateTimeOffset } }
const encoded = (query: Query): string => queryText(query, formats, '&', encodeURIComponent)

const cases: readonly (readonly [string, Query])[] = [
  ['', {}],
  ['$select=id,displayName', { select: ['id', 'displayName'] }],
  ["$filter=displayName eq 'A&B=#+ é'", { filter: f => f.eq('displayName', 'A&B=#+ é') }],
  ['', { filter: () => undefined }],
  ['$orderby=displayName desc,id', { orderby: ['displayName desc', 'id'] }],
  ['', { select: [], orderby: [] }],
  ['$top=0&$skip=20', { top: 0, skip: 20 }],
  ['$count=true', { count: true }],
  ['$expand=manager', { expand: { manager: true } }],
  ['$expand=manager,messages', { expand: { manager: {}, messages: undefined } }],
  ['', { expand: {} }],
  ['$select=*&$expand=*,manager($select=id)', { select: ['*'], expand: { '*': true, manager: { select: ['id'] } } }],
  [
    '$expand=manager($select=id),messages($top=5;$count=true)',
    {
      expand: { manager: { select: ['id'] }, messages: { top: 5, count: true } },
    },
  ],
  [
    "$expand=messages($filter=(received gt 2024-01-31T12:00Z and subject eq ');'))",
    {
      expand: { messages: { filter: f => f.and(f.gt('received', '2024-01-31T12:00Z'), f.eq('subject', ');')) } },
    },
  ],
  [
    '$expand=manager($expand=manager($expand=manager($select=id)))',
    {
      expand: { manager: { expand: { manager: { expand: { manager: { select: ['id'] } } } } } },
    },
  ],
  ['$expand=manager($levels=2;$select=id)', { expand: { manager: { levels: 2, select: ['id'] } } }],
  ['$expand=manager($levels=max)', { expand: { manager: { levels: 'max' } } }],
  ['$search="displayName:ada"', { search: { displayName: 'ada' } }],
  [
    '$search="displayName:ada" OR "displayName:bob" OR "mail:x"',
    { search: { displayName: ['ada', 'bob'], mail: 'x' } },
  ],
  ['$search="displayName:a  b   c"', { search: { displayName: 'a "b" \\c' } }],
  ['$search="red fox"', { search: 'red fox' }],
  ['', { search: { displayName: undefined } }],
]

describe('the text of a query', () => {
  it.each(cases)('is %s', (text, query) => {
    expect(decodeURIComponent(encoded(query))).toBe(text)
  })

  it('percent-encodes every value, so that no value can end an option', () => {
    expect(encoded({ filter: f => f.eq('p', '&$top=1#+%26 ') })).toBe("$filter=p%20eq%20'%26%24top%3D1%23%2B%2526%20'")
  })

  it('is parsed as the requested query, for any values', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, fc.nat(), fc.boolean(), (value, term, top, count) => {
        const query = encoded({
          select: ['a', 'b'],
          filter: f => f.eq('p', value),
          expand: { messages: { filter: f => f.contains('q', value), select: ['c'] } },
          search: { p: term },
          top,
          count,
        })
        const string = { kind: 'literal', type: 'String', value }
        const path = (name: string) => ({ kind: 'path', segments: [{ kind: 'property', name }] })
        expect(parseQueryOptions(query).options).toEqual({
          select: [{ path: ['a'] }, { path: ['b'] }],
          filter: { kind: 'binary', operator: 'eq', left: path('p'), right: string },
          expand: [
            {
              path: ['messages'],
              options: {
                filter: { kind: 'call', function: 'contains', arguments: [path('q'), string] },
                select: [{ path: ['c'] }],
              },
            },
          ],
          search: { kind: 'phrase', text: `p:${term.replace(/["\\]/g, ' ')}` },
          top,
          count,
        })
      }),
    )
  })
})
