import { describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../../query/index.js'
import { shopTable } from '../testing/shop-table.js'
import { createPlanner } from './planner.js'
import type { QueryPlan, QueryTemplate } from './query-plan.js'

const route = shopTable.routes.find(({ name }) => name === 'books.list')
const plannerOf = () => (route === undefined ? () => ({}) : createPlanner(route, shopTable))
const optionsOf = (plan: Partial<QueryPlan>) => plan.options
const templateOf = (plan: Partial<QueryPlan>) => plan.template

/** The options of a template with the literals of the query that it was asked about. */
function told({ options, replacements: literals }: QueryTemplate): unknown {
  return JSON.parse(JSON.stringify(options), (_name, value: unknown) => {
    const own = [...literals.keys()].find(literal => JSON.stringify(literal) === JSON.stringify(value))
    return own === undefined ? value : literals.get(own)
  })
}

const since = (moment: string): string => `$filter=updatedAt ge ${moment}&$orderby=updatedAt desc`

describe('queries of one form', () => {
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
  ])('are parsed once and keep their own values: %s, then %s', (first, second) => {
    const planned = plannerOf()
    const before = templateOf(planned(first))
    const plan = planned(second)
    expect(optionsOf(plan)).toEqual(parseQueryOptions(second).options)
    expect(templateOf(plan)?.options).toBe(before?.options)
    const { skiptoken: _, ...asked } = parseQueryOptions(second).options
    expect(told(templateOf(plan) ?? { options: {}, replacements: new Map() })).toMatchObject(
      JSON.parse(JSON.stringify(asked)),
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
  ])('are parsed each by itself where their form does not tell what moves: %s, then %s', (first, second) => {
    const planned = plannerOf()
    const before = templateOf(planned(first))
    const plan = planned(second)
    expect(optionsOf(plan)).toEqual(parseQueryOptions(second).options)
    expect(templateOf(plan)?.options).not.toBe(before?.options)
  })

  it.each(['2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-13-01T00:00:00Z'])('are refused for %s', moment => {
    const planned = plannerOf()
    planned(since('2026-01-01T00:00:00Z'))
    expect(() => planned(since(moment))).toThrow()
  })
})
