import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpecText } from '../../../spec/language/index.js'
import { member } from '../testing/probe.js'
import type { Json } from './json.js'
import { createMutantService } from './service.js'
import type { Data, DataItem } from './store.js'

const text = readFileSync(new URL('../../../spec/library.yaml', import.meta.url), 'utf8')
const { service } = loadSpecText(text, 'library.yaml')
if (service === undefined) throw new Error('The spec has errors.')
const spec = service

const item = (ref: string, type: string, values: Record<string, Json>, others: Partial<DataItem> = {}): DataItem => ({
  ref,
  type,
  values,
  contained: {},
  links: {},
  ...others,
})

const [a, b, c] = ['9780000000019', '9780000000026', '9780000000033']

const data: Data = {
  sets: {
    branches: [
      item('main', 'branch', { code: 'MAIN', name: 'Main', parentCode: null, opening: [] }),
      item('north', 'branch', { code: 'NORTH', name: 'North', parentCode: 'MAIN', opening: [] }),
      item('kids', 'branch', { code: 'KIDS', name: 'Kids', parentCode: 'NORTH', opening: [] }),
    ],
    authors: [
      item('ann', 'author', {
        id: '0b6a1d1e-7c55-4f0e-9d0a-000000000001',
        name: { given: null, family: 'Ann' },
        active: true,
      }),
    ],
    books: [
      item(
        'a',
        'book',
        {
          isbn: a,
          title: 'Winter Apples',
          language: 'sv',
          genres: 'fiction',
          pages: 10,
          edition: { number: 3, publisher: { name: 'P', seat: null } },
          price: 9.5,
          published: '2003-09-15',
          keywords: ['x', 'y'],
          readingTime: 'PT1H',
        },
        {
          links: { authors: ['ann'] },
          contained: {
            reviews: [item('r1', 'review', { number: 1, stars: 2 }), item('r2', 'review', { number: 2, stars: 5 })],
          },
        },
      ),
      item('b', 'audiobook', {
        isbn: b,
        title: 'Summer Pears',
        language: 'en',
        genres: 'fiction,history',
        pages: 9,
        price: 15,
        published: '2006-04-01',
        prequelIsbn: a,
        narrator: 'Eleni',
      }),
      item('c', 'book', {
        isbn: c,
        title: 'Chemistry',
        language: 'en',
        genres: 'science',
        pages: null,
        price: null,
        published: null,
        prequelIsbn: b,
      }),
    ],
    copies: [
      item('c1', 'copy', { isbn: a, number: 1, branchCode: 'MAIN', condition: 'good', acquired: '2020-01-01' }),
      item('c2', 'copy', { isbn: a, number: 2, branchCode: 'NORTH', condition: 'worn', acquired: '2021-01-01' }),
    ],
  },
  singletons: {
    rules: item('rules', 'lendingRules', { id: 'rules', loanPeriod: 'P21D', maximumRenewals: 2, finePerDay: 0.2 }),
  },
}

async function send(method: string, path: string, headers: Record<string, string> = {}, body?: Json) {
  const answer = createMutantService({ service: spec, data })
  const response = await answer(
    new Request(`http://service.example/v1${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const answered = await response.text()
  const json: Json = answered === '' ? null : JSON.parse(answered)
  return { status: response.status, headers: response.headers, json }
}

describe('a filter', () => {
  it.each([
    ["title eq 'Chemistry'", [c]],
    ["language in ('sv','de')", [a]],
    ["genres has library.genre'fiction'", [a, b]],
    ["genres has library.genre'fiction,history'", [b]],
    ['pages add 1 eq 11', [a]],
    ['pages div 2 eq 4', [b]],
    ['edition/number div 2 eq 1', [a]],
    ['pages mod 3 eq 0', [b]],
    ['price mul 2 gt 19', [b]],
    ['price sub 0.5 eq 9', [a]],
    ['year(published) eq 2003', [a]],
    ['month(published) eq 4 and day(published) eq 1', [b]],
    ['length(title) eq 9', [c]],
    ["indexof(title,'Pears') eq 7", [b]],
    ["substring(title,0,4) eq 'Chem'", [c]],
    ["concat(language,'!') eq 'sv!'", [a]],
    ["toupper(title) eq 'CHEMISTRY'", [c]],
    ['round(price) eq 10', [a]],
    ['floor(price) eq 9', [a]],
    ['totalseconds(readingTime) eq 3600', [a]],
    ["keywords/any(k:k eq 'x')", [a]],
    ["keywords/all(k:k eq 'x')", [b, c]],
    ['not (pages gt 9)', [b, c]],
  ])('%s', async (filter, expected) => {
    const { json } = await send('GET', `/books?$select=isbn&$filter=${encodeURIComponent(filter)}`)
    const value = member(json, 'value')
    expect(Array.isArray(value) ? value.map(row => member(row, 'isbn')) : json).toEqual(expected)
  })
})

describe('a read', () => {
  it.each([
    ['words', '/books?$search=apples&$select=isbn', { value: [{ isbn: a }] }],
    ['words that are not there', '/books?$search=NOT apples AND chemistry&$select=isbn', { value: [{ isbn: c }] }],
    ['a derived type', '/books/library.audiobook?$select=narrator', { value: [{ narrator: 'Eleni' }] }],
    ['a key of two parts', `/copies(isbn='${a}',number=2)?$select=branchCode`, { branchCode: 'NORTH' }],
    [
      'a collection below an item',
      `/books/${a}/copies?$select=number&$orderby=number desc`,
      { value: [{ number: 2 }, { number: 1 }] },
    ],
    ['a relation at every depth', '/branches/MAIN/allSubBranches()', { value: [{ code: 'KIDS' }, { code: 'NORTH' }] }],
    ['the whole in two slices', '/books?$top=1&$skip=1&$select=isbn', { value: [{ isbn: b }] }],
    [
      'options inside $expand',
      `/books?$top=1&$select=isbn&$expand=reviews($orderby=stars desc;$top=1;$select=stars;$count=true)`,
      { value: [{ isbn: a, 'reviews@odata.count': 2, reviews: [{ stars: 5 }] }] },
    ],
    [
      '$expand in $expand',
      `/books/${c}?$select=isbn&$expand=prequel($expand=prequel($select=isbn);$select=isbn)`,
      { prequel: { isbn: b, prequel: { isbn: a } } },
    ],
    [
      '$levels',
      `/books/${c}?$select=isbn&$expand=prequel($levels=2;$select=isbn)`,
      { prequel: { isbn: b, prequel: { isbn: a } } },
    ],
    ['a part of a complex value', `/authors?$select=name/family`, { value: [{ name: { family: 'Ann' } }] }],
    [
      'an operation without a meaning',
      `/books/${a}/availability(on=2026-01-01)`,
      { copies: 1, free: 1, nextFree: null },
    ],
  ])('of %s', async (_what, path, expected) => {
    expect((await send('GET', encodeURI(path))).json).toMatchObject(expected)
  })

  it('of an empty single-valued relation has no content', async () => {
    expect((await send('GET', `/books/${a}/prequel`)).status).toBe(204)
  })
})

describe('a change', () => {
  const strong = { 'If-Match': '"1"' }
  it.each([
    ['without a condition', 'PATCH', `/books/${a}`, {}, { title: 'x' }, 428],
    ['with its tag', 'PATCH', `/books/${a}`, strong, { title: 'x' }, 200],
    ['with another tag', 'PATCH', `/books/${a}`, { 'If-Match': '"2"' }, { title: 'x' }, 412],
    ['of all properties', 'PUT', `/books/${a}`, strong, { title: 'x' }, 200],
    ['of all without one that must be there', 'PUT', `/books/${a}`, strong, { pages: 1 }, 400],
    ['of a key', 'PATCH', `/books/${a}`, strong, { isbn: b }, 400],
    ['beyond a bound', 'PATCH', `/books/${a}`, strong, { pages: 0 }, 400],
    ['that makes what is there', 'POST', '/books', {}, { isbn: a, title: 'x' }, 409],
    [
      'that makes a copy of no book',
      'POST',
      '/copies',
      {},
      { isbn: '9780000000040', number: 1, branchCode: 'MAIN', acquired: '2020-01-01' },
      400,
    ],
    ['that deletes what others need', 'DELETE', `/books/${a}`, strong, undefined, 409],
    ['that deletes', 'DELETE', `/books/${c}`, strong, undefined, 204],
  ])('%s', async (_what, method, path, headers, body, status) => {
    expect((await send(method, path, headers, body)).status).toBe(status)
  })

  it('that replaces an item clears omitted properties', async () => {
    const { json } = await send('PUT', `/books/${a}`, strong, { title: 'x' })
    expect(json).toMatchObject({ isbn: a, title: 'x', pages: null, language: 'en', keywords: [] })
  })
})
