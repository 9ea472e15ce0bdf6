import { describe, expect, it } from 'vitest'
import { parseQueryOptions, type QueryLimits } from '../../query/index.js'
import { RequestFault } from '../errors.js'
import type { AnyCall } from '../handler.js'
import { emma, responseTo, shop, shopHandlers, shopRequest } from '../testing/shop.js'
import { shopTable } from '../testing/shop-table.js'
import { createPlanner } from './planner.js'
import type { QueryPlan, QueryTemplate } from './related-scopes.js'

const service = shop(shopHandlers)

const route = shopTable.routes.find(({ name }) => name === 'books.list')
const plannerOf = () => (route === undefined ? () => ({}) : createPlanner(route, shopTable))
const optionsOf = (plan: Partial<QueryPlan>) => plan.options
const templateOf = (plan: Partial<QueryPlan>) => plan.template

/** The options of a template with the literals of the query. */
function filledIn({ options, replacements }: QueryTemplate): unknown {
  return JSON.parse(JSON.stringify(options), (_name, value: unknown) => {
    const replaced = [...replacements.keys()].find(literal => JSON.stringify(literal) === JSON.stringify(value))
    return replaced === undefined ? value : replacements.get(replaced)
  })
}

const since = (timestamp: string): string => `$filter=updatedAt ge ${timestamp}&$orderby=updatedAt desc`

describe('queries that differ only in their parameters', () => {
  it.each([
    [since('2026-01-01T00:00:00Z'), since('2026-02-28T23:59:59Z')],
    [since('2026-01-01T00:00:00Z'), since('2026-02-03t04:05z')],
    [since('2026-01-01T00%3A00%3A00Z'), since('2025-12-31T23:59:59.123456Z')],
    [
      '$filter=updatedAt ge 2026-01-01T00:00:00Z and updatedAt lt 2026-02-01T00:00:00Z',
      '$filter=updatedAt ge 2026-02-01T00:00:00Z and updatedAt lt 2026-01-01T00:00:00Z',
    ],
    [
      '@b=2026-01-01T00:00:00Z&$filter=updatedAt ge 2026-01-02T00:00:00Z and not (updatedAt in (2026-01-03T00:00:00Z)) and updatedAt ne @b',
      '@b=2026-04-01T00:00:00Z&$filter=updatedAt ge 2026-03-02T00:00:00Z and not (updatedAt in (2026-03-03T00:00:00Z)) and updatedAt ne @b',
    ],
    ["$filter=title eq 'a'&$skiptoken=one", "$filter=title eq 'a'&$skiptoken=two.2-_~"],
    [`${since('2026-01-01T00:00:00Z')}&$skiptoken=one`, `${since('2026-01-01T00:00:01Z')}&$skiptoken=two`],
  ])('share a template and keep their own values: %s, then %s', (first, second) => {
    const planned = plannerOf()
    const before = templateOf(planned(first))
    const plan = planned(second)
    expect(optionsOf(plan)).toEqual(parseQueryOptions(second).options)
    expect(templateOf(plan)?.options).toBe(before?.options)
    const { skiptoken: _, ...expected } = parseQueryOptions(second).options
    expect(filledIn(templateOf(plan) ?? { options: {}, replacements: new Map() })).toMatchObject(
      JSON.parse(JSON.stringify(expected)),
    )
  })

  it.each([
    ["$filter=title eq '2026-01-01T00:00:00Z'", "$filter=title eq '2026-01-01T00:00:01Z'"],
    [
      "$filter=title eq '2026-01-01T00:00:00Z' or updatedAt ge 2026-01-01T00:00:00Z",
      "$filter=title eq '2026-01-01T00:00:01Z' or updatedAt ge 2026-01-01T00:00:02Z",
    ],
    [
      '$filter=updatedAt ge 2026-01-01T00:00:00Z and updatedAt le 2026-01-01T00:00:00Z',
      '$filter=updatedAt ge 2026-01-01T00:00:00Z and updatedAt le 2026-01-02T00:00:00Z',
    ],
    [since('12026-01-01T00:00:00Z'), since('12026-01-01T00:00:01Z')],
    ['$skiptoken=one', '$skiptoken=2026-01-01T00:00:00Z'],
    ['$skiptoken=2026-01-01T00:00:00Z', '$skiptoken=one'],
    ['x=2026-01-01T00:00:00Z', 'x=2026-01-01T00:00:01Z'],
  ])('are parsed separately if the parameters are ambiguous: %s, then %s', (first, second) => {
    const planned = plannerOf()
    const before = templateOf(planned(first))
    const plan = planned(second)
    expect(optionsOf(plan)).toEqual(parseQueryOptions(second).options)
    expect(templateOf(plan)?.options).not.toBe(before?.options)
  })

  it.each(['2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-13-01T00:00:00Z'])(
    'are rejected for %s',
    timestamp => {
      const planned = plannerOf()
      planned(since('2026-01-01T00:00:00Z'))
      expect(() => planned(since(timestamp))).toThrow()
    },
  )
})

describe('queries', () => {
  const eventual = { ConsistencyLevel: 'eventual' }
  const cases: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ["/books?$filter=title eq 'x'", {}, 200, ''],
    ['/books?$filter=title eq', {}, 400, 'malformedQueryOption'],
    ["/books?$filter=titel eq 'x'", {}, 400, 'malformedQueryOption'],
    ['/books?$filter=pages eq true', {}, 400, 'malformedQueryOption'],
    ["/books?$filter=tolower(title) eq 'x'", {}, 400, 'unsupportedQueryOption'],
    ['/books?$filter=secret eq null', {}, 400, 'unsupportedQueryOption'],
    ["/books?$filter=contains(title,'x')", {}, 400, 'advanced'],
    ["/books?$filter=contains(title,'x')", eventual, 200, ''],
    ["/books?$filter=contains(title,'x')", { ConsistencyLevel: 'EVENTUAL ' }, 200, ''],
    ["/books?$filter=contains(title,'x')", { ConsistencyLevel: 'session' }, 400, 'advanced'],
    ['/books?$search=x', {}, 400, 'advanced'],
    ['/books?$search=x', eventual, 200, ''],
    ['/books?$apply=x', {}, 400, 'unsupportedQueryOption'],
    ['/books?$compute=pages add 1 as p', {}, 400, 'unsupportedQueryOption'],
    ['/books?$deltatoken=x', {}, 400, 'unsupportedQueryOption'],
    ['/books?$top=1&$top=2', {}, 400, 'malformedQueryOption'],
    ['/books?$top=-1', {}, 400, 'malformedQueryOption'],
    ['/books?$expand=author($select=name)', {}, 200, ''],
    ['/books?$expand=author($expand=x)', {}, 400, 'malformedQueryOption'],
    ['/books?$expand=title', {}, 400, 'malformedQueryOption'],
    ['/books?custom=1&also', {}, 200, ''],
    ['/books?$filter=%zz', {}, 400, 'malformedQueryOption'],
    ["/books/1?$filter=title eq 'x'", {}, 400, 'unsupportedQueryOption'],
    ['/books/1?$top=1', {}, 400, 'unsupportedQueryOption'],
    ['/books/1?$select=title', {}, 200, ''],
    ['/books/$count?$top=1', eventual, 400, 'unsupportedQueryOption'],
    ["/books/$count?$filter=title eq 'x'", eventual, 200, ''],
    ["/books/$count?$filter=title eq 'x'", {}, 400, 'advanced'],
    ['/me?$select=name', {}, 400, 'unsupportedQueryOption'],
  ]
  it.each(cases)('GET %s with %o return %i %s', async (path, headers, status, code) => {
    const response = await responseTo(service, shopRequest('GET', path, headers))
    expect(response.status).toBe(status)
    if (code !== '') expect(response.body).toMatchObject({ error: { code } })
  })

  it.each([
    [['author'], 1, 0],
    [['author', 'reviews'], 1, 1],
    [['author', 'reviews'], 2, 0],
  ])('of `*` count the relations that the endpoint allows: %o, at most %i', (allowed, most, faults) => {
    const relations = Object.fromEntries(allowed.map(name => [name, 'optional' as const]))
    const query = route?.query && { ...route.query, expand: { ...route.query.expand, relations } }
    const limits = { ...shopTable.limits, expandedRelations: most }
    const plan = route && createPlanner({ ...route, ...(query && { query }) }, { ...shopTable, limits })
    if (faults === 0) expect(plan?.('$expand=*').options.expand).toHaveLength(1)
    else expect(() => plan?.('$expand=*')).toThrow(RequestFault)
  })

  it('are rejected on writes', async () => {
    expect(await responseTo(service, shopRequest('POST', '/books?$select=isbn', {}, emma))).toMatchObject({
      body: { error: { code: 'unsupportedQueryOption', target: '$select' } },
    })
  })

  it('with errors get all of them with their locations', async () => {
    expect(
      (await responseTo(service, shopRequest('GET', "/books?$filter=titel eq 'x' or pags eq 1"))).body,
    ).toMatchObject({
      error: {
        message: expect.stringContaining("$filter: Could not find a property named 'titel'"),
        target: '$filter',
        details: [{ target: '$filter' }, { message: expect.stringContaining("'pags'") }],
      },
    })
  })

  it.each([
    ['', undefined, 2, undefined],
    ['?$top=1', undefined, 1, 1],
    ['?$top=9', undefined, 5, 5],
    ['?$top=9', 'odata.maxpagesize=3', 3, 5],
    ['', 'maxpagesize=1', 1, undefined],
    ['', 'maxpagesize=0', 2, undefined],
  ])('%s with Prefer %s request pages of %i', async (query, prefer, pageSize, top) => {
    let seen: AnyCall | undefined
    const spy = shop({
      books: {
        list: (call: AnyCall) => {
          seen = call
          return { value: [] }
        },
      },
    })
    await spy(shopRequest('GET', `/books${query}`, prefer === undefined ? {} : { prefer }))
    expect([seen?.pageSize, seen?.query.top]).toEqual([pageSize, top])
  })

  it.each(['/books', '/books/delta'])(
    'with a preferred page size learn from %s that the service applies it',
    async path => {
      const { headers } = await responseTo(service, shopRequest('GET', path, { prefer: 'odata.maxpagesize=1' }))
      expect(headers.get('preference-applied')).toBe('odata.maxpagesize=1')
      const plain = await responseTo(service, shopRequest('GET', path))
      expect([headers.get('vary'), plain.headers.get('vary')], 'Vary').toEqual(['Prefer', 'Prefer'])
    },
  )

  it.each([
    [{ topMeaning: 'pageSize' }, 1, undefined],
    [{ topMeaning: 'total' }, 2, 1],
    [{}, 2, 1],
  ])('with $top request, if the choice is %j, pages of %i and at most %s items', async (choices, size, limit) => {
    let seen: AnyCall | undefined
    const list = (call: AnyCall) => {
      seen = call
      return { value: [] }
    }
    await responseTo(shop({ books: { list } }, {}, { ...shopTable, choices }), shopRequest('GET', '/books?$top=1'))
    expect([seen?.pageSize, seen?.limit]).toEqual([size, limit])
  })

  it.each([
    ['error', 400],
    ['clamp', 200],
    ['ignore', 200],
  ])('with $top above the maximum get the behaviour that the service chose: %s', async (choice, status) => {
    const table = { ...shopTable, choices: { ...shopTable.choices, topAboveMaximum: choice } }
    expect((await shop(shopHandlers, {}, table)(shopRequest('GET', '/books?$top=99'))).status).toBe(status)
  })

  it('get the preferences that the endpoint honours', async () => {
    const spy = shop({ books: { list: ({ prefer }: AnyCall) => ({ value: [{ isbn: prefer['cover-size'] }] }) } })
    const large = await responseTo(
      spy,
      shopRequest('GET', '/books?$select=isbn', { prefer: 'Vendor.Cover-Size=LARGE' }),
    )
    expect(large.body).toMatchObject({ value: [{ isbn: 'large' }] })
    expect(large.headers.get('preference-applied')).toBe('Vendor.Cover-Size="large"')
    const unknown = await responseTo(spy, shopRequest('GET', '/books?$select=isbn', { prefer: 'cover-size=huge' }))
    expect(unknown.body).toMatchObject({ value: [{ isbn: 'small' }] })
    expect(unknown.headers.get('preference-applied')).toBe(null)
    for (const { headers } of [large, unknown]) expect(headers.get('vary'), 'Vary').toBe('Prefer')
    expect((await responseTo(spy, shopRequest('GET', '/me'))).headers.get('vary')).toBe(null)
  })
})

describe('the limits of a query', () => {
  const books = shopTable.routes.find(({ name }) => name === 'books.list')
  const refusals = (limits: Partial<QueryLimits>, own: { maxNodes?: number }, query: string): unknown => {
    if (books?.query === undefined) return 'no endpoint'
    const filter = { ...books.query.filter, ...own }
    const route = { ...books, query: { ...books.query, filter } }
    const plan = createPlanner(route, { ...shopTable, limits: { ...shopTable.limits, ...limits } })
    try {
      plan(query)
      return 'accepted'
    } catch (error) {
      return error instanceof RequestFault ? [error.fault, error.given.target, error.given.values?.['reason']] : error
    }
  }
  const terms = (count: number): string => `$filter=${Array(count).fill("title eq 'a'").join(' or ')}`
  const refused = (reason: string): unknown => ['unsupportedQueryOption', '$filter', reason]

  it.each<[string, Partial<QueryLimits>, { maxNodes?: number }, number, unknown]>([
    ['by default', {}, {}, 100, 'accepted'],
    ['by default', {}, {}, 101, refused('The filter has 403 nodes, but the limit filterNodes is 400.')],
    ['of the service', { filterNodes: 7 }, {}, 2, 'accepted'],
    ['of the service', { filterNodes: 6 }, {}, 2, refused('The filter has 7 nodes, but the limit filterNodes is 6.')],
    [
      'of the service, beside that of the endpoint',
      { filterNodes: 6 },
      { maxNodes: 900 },
      2,
      refused('The filter has 7 nodes, but the limit filterNodes is 6.'),
    ],
    ['of the endpoint, instead of the default', {}, { maxNodes: 900 }, 101, 'accepted'],
    [
      'of the endpoint, instead of the default',
      {},
      { maxNodes: 5 },
      2,
      refused('The filter has more than 5 terms, which is the most supported here.'),
    ],
  ])('apply %s: %o, %o, %i conditions', (_which, limits, own, count, expected) => {
    expect(refusals(limits, own, terms(count))).toEqual(expected)
  })

  it('are checked before names and types', () => {
    const expected = ['unsupportedQueryOption', '$filter', 'The filter has 3 nodes, but the limit filterNodes is 2.']
    expect(refusals({ filterNodes: 2 }, {}, "$filter=nothing eq 'a'")).toEqual(expected)
  })
})
