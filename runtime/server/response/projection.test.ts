import { expect, it } from 'vitest'
import { parseQueryOptions } from '../../query/query-string.js'
import type { TypeTable } from '../../query/type-table.js'
import { shopTable } from '../testing/shop-table.js'
import { JsonText } from '../value/primitive-values.js'
import { projectionOf } from './projection.js'
import type { ProjectionRules } from './returned-properties.js'

const row = {
  isbn: '1',
  title: 'Dune',
  hidden: 'never sent',
  cover: 'AQ',
  secret: null,
  size: { width: Number.POSITIVE_INFINITY, unit: 'cm', inner: { width: 1 } },
  boxes: [{ width: 1, unit: 'm' }],
  weight: Number.NaN,
  author: { '@odata.type': '#shop.writer', id: 'a', name: 'Frank', penName: 'F', hidden: 1 },
  reviews: [{ id: 'r', stars: 5, hidden: 1 }],
  'reviews@odata.count': 1,
}

const plainRules: ProjectionRules = { missing: 'null', unselected: 'absent', keysAlways: false, emptyRelation: 'null' }

const show = (
  query: string,
  value: unknown = row,
  type = 'book',
  types: TypeTable = shopTable.types,
  rules = plainRules,
): unknown => {
  const projection = projectionOf(parseQueryOptions(query).options, type, types, rules)
  const shown = projection.value(value)
  expect(projection.text(value)).toBe(JSON.stringify(shown))
  return shown
}

it.each([
  ['$select=isbn', { isbn: '1' }],
  ['$select=title,cover,secret', { title: 'Dune', cover: 'AQ', secret: null }],
  ['$select=size/unit,boxes/width', { size: { unit: 'cm' }, boxes: [{ width: 1 }] }],
  ['$select=size/width', { size: { width: 'INF' } }],
  ['$select=size/inner/width,size/unit', { size: { inner: { width: 1 }, unit: 'cm' } }],
  ['$select=size/unit,size', { size: row.size }],
  ['$select=weight', { weight: 'NaN' }],
  [
    '$select=isbn&$expand=author',
    { isbn: '1', author: { '@odata.type': '#shop.writer', id: 'a', name: 'Frank', penName: 'F' } },
  ],
  [
    '$select=isbn&$expand=author($select=name)',
    { isbn: '1', author: { '@odata.type': '#shop.writer', name: 'Frank' } },
  ],
  ['$select=isbn&$expand=reviews($select=stars)', { isbn: '1', reviews: [{ stars: 5 }], 'reviews@odata.count': 1 }],
])('the projection of %s has only the requested properties', (query, expected) => {
  expect(show(query)).toEqual(expected)
})

const tree: TypeTable = {
  part: {
    kind: 'entityType',
    key: ['id'],
    properties: { id: { type: 'Edm.String' } },
    navigation: { whole: { type: 'part' }, parts: { type: 'part', collection: true } },
  },
}
const leaf = { id: '3', parts: [{ id: '4', parts: [] }] }
const trunk = { id: '1', whole: null, parts: [{ id: '2', whole: null, parts: [leaf] }] }

it.each([
  ['$expand=parts', { id: '1', parts: [{ id: '2' }] }],
  ['$expand=parts($levels=1)', { id: '1', parts: [{ id: '2' }] }],
  ['$expand=parts($levels=2)', { id: '1', parts: [{ id: '2', parts: [{ id: '3' }] }] }],
  [
    '$expand=parts($levels=2;$expand=whole)',
    { id: '1', parts: [{ id: '2', whole: null, parts: [{ id: '3', whole: null }] }] },
  ],
  ['$expand=parts($levels=max)', { id: '1', parts: [{ id: '2', parts: [leaf] }] }],
])('the projection of %s has the requested levels', (query, expected) => {
  expect(show(query, trunk, 'part', tree)).toEqual(expected)
})

it('a projection has all declared properties except those that must be selected', () => {
  const shown = show('')
  expect(shown).not.toHaveProperty('hidden')
  expect(shown).not.toHaveProperty('cover')
  expect(shown).not.toHaveProperty('author')
  expect(shown).toMatchObject({ pages: null, tags: [], title: 'Dune' })
  expect(show('$select=*')).toHaveProperty('cover', 'AQ')
})

it('a projection has null or an empty array for navigation properties without related items', () => {
  expect(show('$select=isbn&$expand=author,reviews', { isbn: '1' })).toEqual({ isbn: '1', author: null, reviews: [] })
})

it('a projection reads no members of Object.prototype', () => {
  expect(show('', { isbn: '1', number: 1 }, 'copy')).toEqual({ isbn: '1', number: 1, constructor: null })
  expect(show('', { isbn: '1', number: 1, constructor: 'x' }, 'copy')).toEqual({
    isbn: '1',
    number: 1,
    constructor: 'x',
  })
})

it('a projection keeps dynamic properties of open types, but no navigation property that is not expanded', () => {
  const types = {
    ...shopTable.types,
    person: {
      kind: 'entityType',
      key: ['id'],
      open: true,
      properties: { id: { type: 'Edm.String' } },
      navigation: { boss: { type: 'person' } },
    },
  } as const
  const person = { id: '1', nick: 'x', boss: { id: '2' }, 'x@y.z': 1 }
  expect(show('', person, 'person', types)).toEqual({ id: '1', nick: 'x' })
  expect(show('$select=nick', person, 'person', types)).toEqual({ nick: 'x' })
  const proto = show('', JSON.parse('{"id":"1","__proto__":{"evil":1}}'), 'person', types)
  expect(Object.getPrototypeOf(proto)).toBe(Object.prototype)
  expect(JSON.stringify(proto)).toBe('{"id":"1","__proto__":{"evil":1}}')
})

it('a projection always has a property that is declared so', () => {
  const types = {
    note: {
      kind: 'entityType',
      key: ['id'],
      properties: { id: { type: 'Edm.String', always: true }, text: { type: 'Edm.String' } },
      navigation: {},
    },
  } as const
  expect(show('$select=text', { id: '1', text: 'x' }, 'note', types)).toEqual({ id: '1', text: 'x' })
})

it.each([
  [
    { ...plainRules, unselected: 'null' },
    '$select=tags',
    {
      tags: [],
      pages: null,
      price: null,
      published: null,
      size: null,
      weight: null,
      cover: null,
      sold: null,
      secret: null,
    },
  ],
  [{ ...plainRules, keysAlways: true }, '$select=tags', { isbn: '1', tags: [] }],
  [{ ...plainRules, missing: 'absent' }, '$select=isbn,tags,pages', { isbn: '1' }],
  [{ ...plainRules, emptyRelation: 'absent' }, '$select=isbn&$expand=author', { isbn: '1' }],
] as const)('follows what the service chose: %o', (rules, query, expected) => {
  expect(show(query, { isbn: '1' }, 'book', shopTable.types, rules)).toEqual(expected)
})

it.each([
  ['', '"\\'],
  ['line\nfeed', 'nul\0', '\u2028'],
  ['é', '😀', '\ud800', '\udc00x', '\x7f', '\x1f', '</script>'],
])('a projection writes %j and %j like JSON.stringify', (...titles) => {
  for (const title of titles) show('$select=title', { ...row, title })
})

it.each([
  ['$select=size', '{"size":{"width":1,"unit":"cm"}}'],
  ['$select=size/unit', '{"size":{"unit":"cm"}}'],
  ['$select=isbn,size', '{"isbn":"1","size":{"width":1,"unit":"cm"}}'],
])('the projection of %s keeps JSON text unchanged unless it must select from it', (query, expected) => {
  const given = { isbn: '1', size: new JsonText('{"width":1,"unit":"cm"}') }
  const { text, value } = projectionOf(parseQueryOptions(query).options, 'book', shopTable.types, plainRules)
  expect(text(given)).toBe(expected)
  expect(JSON.stringify(value(given))).toBe(expected)
  expect(text(new JsonText('{"isbn":"1","size":null}'))).toBe(
    query.includes('isbn') ? '{"isbn":"1","size":null}' : '{"size":null}',
  )
})
