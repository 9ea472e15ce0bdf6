import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyQuery } from '../query/apply-query.js'
import { parseQueryOptions } from '../query/query-string.js'
import { RequestFault } from './errors.js'
import type { AnyCall } from './handler.js'
import { listRows } from './list-rows.js'
import { responseTo, shop, shopRequest } from './testing/shop.js'

const rows = [
  { id: 'a', title: 'One big fish', n: 3 },
  { id: 'b', title: 'Two fish', n: 1 },
  { id: 'c', title: 'Red', n: null },
  { id: 'd', title: 'Blue fish', n: 2 },
]
const list = (query: string, pageSize?: number, limit?: number): unknown => {
  const { value, count, skipToken } = listRows(rows, { query: parseQueryOptions(query).options, pageSize, limit })
  return [value.map(row => row.id).join(''), count, skipToken]
}

describe('a page of an array', () => {
  it.each([
    ['', undefined, undefined, ['abcd', 4, undefined]],
    ['$filter=n gt 1', undefined, undefined, ['ad', 2, undefined]],
    ['$filter=n gt @x&@x=1', undefined, undefined, ['ad', 2, undefined]],
    ['$search=fish NOT two', undefined, undefined, ['ad', 2, undefined]],
    ['$orderby=n desc', undefined, undefined, ['adbc', 4, undefined]],
    ['$orderby=n&$skip=1', 2, undefined, ['bd', 4, '3-4']],
    ['$orderby=n&$skiptoken=3-4', 2, undefined, ['a', 4, undefined]],
    ['$skip=9', 2, undefined, ['', 4, undefined]],
    ['$top=2', 2, undefined, ['ab', 4, '2-4']],
    ['', 2, 3, ['ab', 4, '2-3']],
    ['$skiptoken=2-3', 2, 3, ['c', 4, undefined]],
    ['$top=0', 0, undefined, ['', 4, undefined]],
  ])('for %s with page size %s and limit %s', (query, pageSize, limit, expected) => {
    expect(list(query, pageSize, limit)).toEqual(expected)
  })

  it('rejects a filter that cannot be evaluated on an array', () => {
    expect(() => list('$filter=geo.length(title) gt 1')).toThrow(RequestFault)
  })

  it('rejects an unknown skip token', () => {
    expect(() => list('$skiptoken=x')).toThrow(RequestFault)
  })

  it('is followed by all other pages, with each row once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 5 }), fc.nat(5), (numbers, pageSize, skip) => {
        const seen: number[] = []
        let query = parseQueryOptions(`$skip=${skip}`).options
        for (;;) {
          const page = listRows(numbers, { query, pageSize })
          expect(page.value.length).toBeLessThanOrEqual(pageSize)
          seen.push(...page.value)
          if (page.skipToken === undefined) break
          query = { skiptoken: page.skipToken }
        }
        expect(seen).toEqual(numbers.slice(skip))
      }),
    )
  })
})

describe('an expanded relation of a page of an array', () => {
  const shelves = [
    {
      id: 1,
      best: { id: 'x', tags: [{ n: 2 }, { n: 1 }] },
      books: [
        { id: 'a', pages: 3, parts: [{ n: 1 }, { n: 2 }] },
        { id: 'b', pages: 1, parts: [] },
        { id: 'c', pages: 2, parts: [{ n: 3 }] },
      ],
    },
    { id: 2, best: null, books: [] },
  ]

  it.each([
    '$expand=books',
    '$expand=books($filter=pages gt 1;$orderby=pages)',
    '$expand=books($top=1;$skip=1;$count=true)',
    '$expand=books($orderby=pages desc;$expand=parts($filter=n lt 3;$count=true;$top=1))',
    '$expand=best($expand=tags($orderby=n))',
    '$expand=books($search=c),best',
    '$expand=books($filter=pages gt $it/id)',
    '$expand=books($filter=pages gt @p)&@p=2',
  ])('has the items that %s selects, as applyQuery returns them', text => {
    const query = parseQueryOptions(text).options
    expect(listRows(shelves, { query }).value).toEqual(applyQuery(shelves, query).value)
  })

  it('leaves the rows as they are', () => {
    const before = structuredClone(shelves)
    const query = parseQueryOptions('$expand=books($top=1;$count=true)').options
    listRows(shelves, { query })
    expect(shelves).toEqual(before)
  })
})

it.each([
  '$compute=pages mul 2 as twice',
  '$compute=pages mul 2 as twice&$filter=twice gt 2&$orderby=twice desc',
  '$compute=pages mul 2 as twice&$expand=parts($compute=n add 1 as next;$filter=next gt 2)',
])('a page of an array has what %s computes, as applyQuery returns it', text => {
  const books = [
    { id: 'a', pages: 1, parts: [{ n: 1 }, { n: 2 }] },
    { id: 'b', pages: 2, parts: [] },
    { id: 'c', pages: 3, parts: [{ n: 3 }] },
  ]
  const query = parseQueryOptions(text).options
  expect(listRows(books, { query }).value).toEqual(applyQuery(books, query).value)
})

it('the properties that the spec declares are searched', async () => {
  const books = [
    { isbn: '1', title: 'Dune', cover: 'red' },
    { isbn: '2', title: 'Red', cover: 'blue' },
  ]
  const service = shop({ books: { list: (call: AnyCall) => listRows(books, { query: call.query }) } })
  const path = '/books?$search=red&$select=isbn,title'
  const { body } = await responseTo(service, shopRequest('GET', path, { consistencylevel: 'eventual' }))
  expect(body).toMatchObject({ value: [{ isbn: '2', title: 'Red' }] })
})
