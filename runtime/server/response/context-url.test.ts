import { expect, it } from 'vitest'
import { parseQueryOptions } from '../../query/query-string.js'
import { shopTable } from '../testing/shop-table.js'
import { contextFragmentOf, selectedNames } from './context-url.js'

const guid = '184efa21-98c3-4e5d-95ab-d07053a96e67'

it.each([
  ['books.list', {}, 'books'],
  ['books.create', {}, 'books/$entity'],
  ['books.get', { isbn: '1' }, 'books/$entity'],
  ['books.delta', {}, 'books'],
  ['books.author.get', { isbn: '1' }, 'people/$entity'],
  ['books.reviews.list', { isbn: "a'/b" }, "books('a''%2Fb')/reviews"],
  ['copies.get', { isbn: '1', number: 2 }, 'copies/$entity'],
  ['me.get', {}, 'me'],
  ['me.recommend', {}, 'Collection(shop.book)'],
  ['me.follow', {}, 'Collection(Edm.String)'],
])('the context of %s with the keys %o is %s', (name, keys, expected) => {
  const route = shopTable.routes.find(candidate => candidate.name === name)!
  expect(contextFragmentOf(route, shopTable)(keys, '')).toBe(expected)
})

it('the context names the type if several entity sets or none have it', () => {
  const route = shopTable.routes.find(candidate => candidate.name === 'books.author.get')!
  const { people: _people, ...container } = shopTable.container
  expect(contextFragmentOf(route, { ...shopTable, container })({ isbn: '1' }, '(name)')).toBe(
    'shop.person(name)/$entity',
  )
})

it('the context has composite keys and keys that are not strings as literals', () => {
  const route = shopTable.routes.find(candidate => candidate.name === 'books.reviews.list')!
  const [, , navigation] = route.resource
  const nested = {
    ...route,
    resource: [
      { kind: 'entitySet', name: 'copies', type: 'copy' },
      { kind: 'key', type: 'copy', variables: ['isbn', 'n'] },
      ...(navigation === undefined ? [] : [{ ...navigation, name: 'loans' }]),
    ],
  } as const
  const types = {
    ...shopTable.types,
    copy: {
      kind: 'entityType',
      key: ['isbn', 'number'],
      properties: { isbn: { type: 'Edm.Guid' }, number: { type: 'Edm.Int32' } },
      navigation: { loans: { type: 'review', collection: true, contained: true } },
    },
  } as const
  expect(contextFragmentOf(nested, { ...shopTable, types })({ isbn: guid, n: 2 }, '')).toBe(
    `copies(isbn=${guid},number=2)/loans`,
  )
})

it.each([
  ['', ''],
  ['$select=isbn,size/unit', '(isbn,size/unit)'],
  ['$expand=author', '(author())'],
  ['$select=isbn&$expand=author($select=name),reviews', '(isbn,author(name),reviews())'],
])('the select list of %s is %s', (query, expected) => {
  expect(selectedNames(parseQueryOptions(query).options)).toBe(expected)
})

it('the context of a cast item has no key', () => {
  const route = shopTable.routes.find(candidate => candidate.name === 'books.get')!
  const cast = { ...route, resource: [...route.resource, { kind: 'cast', type: 'writer' } as const] }
  expect(contextFragmentOf(cast, shopTable)({ isbn: '1' }, '')).toBe('books/shop.writer/$entity')
})
