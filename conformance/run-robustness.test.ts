import { describe, expect, it } from 'vitest'
import { createMutantService, generateData } from '../tests/mutants/index.js'
import type { Report } from './report/report.js'
import { runConformance } from './run-conformance.js'
import { reportOf } from './testing/mutant-run.js'
import { type SpecName, specOf, specWithSmallPages } from './testing/rule-tests.js'
import { changed, correct, run, type Target } from './testing/things.js'

/** Shows each name as something else. */
const naming = (value: string): Target =>
  changed(correct(), async response => {
    if (response.status !== 200) return response
    const text = await response.text()
    return new Response(text.replaceAll(/"name":(?:null|"(?:[^"\\]|\\.)*")/g, `"name":${value}`), response)
  })

it.each([
  ['an object whose members shadow methods', '{"toString":1,"valueOf":1}'],
  ['a list of such objects', '[{"toString":1,"valueOf":1}]'],
  ['a number beyond the range of doubles', '1e400'],
  ['deeply nested objects', `${'{"name":'.repeat(900)}1${'}'.repeat(900)}`],
])('a service that returns a text as %s violates a rule, and the run continues', async (_, value) => {
  const { violations } = await run(naming(value), { requests: 60 })
  expect(violations.length).toBeGreaterThan(0)
})

it('a service whose responses exceed the nesting limit counts as unreachable, and the run ends normally', async () => {
  const { verdict } = await run(naming(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))
  expect(verdict).toBe('unreachable')
})

const service = specOf('directory')

/** A service where there is nothing at some paths for whoever asks: no mailbox, no drive, no right. */
function lacking(roots: readonly string[], status: number): (request: Request) => Promise<Response> {
  const whole = createMutantService({ service, data: generateData(service, { rows: 12 }) })
  const isLacked = (path: string): boolean => roots.some(root => path === root || path.startsWith(`${root}/`))
  return async request => {
    const isKnown = request.headers.get('authorization') === 'Bearer mutant-token'
    const path = new URL(request.url).pathname.replace('/v1.0', '')
    if (!isKnown || !isLacked(path)) return whole(request)
    return Response.json({ error: { code: 'ErrorItemNotFound', message: 'It is not there.' } }, { status })
  }
}

it.each([
  [404, ['/me/messages']],
  [404, ['/me/drive', '/drive']],
  [404, ['/me/messages', '/me/drive', '/me/calendar', '/me/manager']],
  [403, ['/users', '/groups']],
])('status %s at %j causes no violations of other rules', async (status, roots) => {
  const target = lacking(roots, status)
  const { verdict, violations } = await runConformance({
    ...{ spec: service, target, token: 'mutant-token', seed: 1, requests: 300 },
    only: ['protocol', 'errors', 'authentication', 'advanced-queries', 'items', 'preferences', 'top-skip-count'],
  })
  expect(violations.map(({ rule, site }) => `${rule} ${site}`)).toEqual([])
  expect(verdict).toMatch(/^(?:conforms|partial)$/)
})

it('the pages of changes may have addresses that look like those of items', async () => {
  const small = specWithSmallPages('directory', 5)
  const whole = createMutantService({ service: small, data: generateData(small, { rows: 12 }) })
  const target: Target = async request => {
    const response = await whole(new Request(request.url.replace('/users/delta()', '/users/delta'), request))
    const text = await response.text()
    return new Response(text === '' ? null : text.replaceAll('/users/delta?', '/users/delta()?'), response)
  }
  const given = { spec: small, target, token: 'mutant-token', seed: 1, requests: 300 }
  const { violations, rules } = await runConformance({ ...given, only: ['delta', 'items', 'select', 'errors'] })
  expect(violations).toEqual([])
  expect(rules.find(({ rule }) => rule === 'delta-initial')?.state).toBe('passed')
})

interface Size {
  readonly rows: number
  readonly size: number
  readonly maxRows: number
  readonly requests: number
}

function checked(name: SpecName, { rows, size, maxRows, requests }: Size): Promise<Report> {
  const service = specWithSmallPages(name, size)
  const target = createMutantService({ service, data: generateData(service, { rows }) })
  return runConformance({ spec: service, target, token: 'mutant-token', seed: 1, requests, maxRows, allowWrites: true })
}

describe('a conforming service', () => {
  it.each<[string, SpecName, Omit<Size, 'requests'>]>([
    ['whose $top limits pages, with more pages than a rule reads', 'directory', { rows: 140, size: 2, maxRows: 400 }],
    ['whose $top limits lists, with more items than the maximum', 'library', { rows: 140, size: 2, maxRows: 400 }],
    ['whose $top limits lists, with more items than are read', 'library', { rows: 140, size: 6, maxRows: 100 }],
  ])('%s, has no violations', async (_, name, size) => {
    const { violations } = await checked(name, { ...size, requests: 400 })
    expect(violations.map(({ rule, site, message }) => `${rule} ${site} ${message}`)).toEqual([])
  })
})

it('a run that used up its budget by reading has insufficient coverage', async () => {
  expect(await checked('library', { rows: 140, size: 2, maxRows: 400, requests: 30 })).toMatchObject({
    verdict: 'insufficient-coverage',
    summary: expect.stringContaining('the budget was used up by reading'),
  })
})

describe('one bug', () => {
  const ordering = ['order-sorted', 'top-first', 'skip-leaves-out', 'paging-order', 'select-independent']

  it.each<[string, string, readonly string[]]>([
    ['desc-ignored', 'order-sorted', ordering],
    ['desc-lost-with-top', 'order-sorted', ['order-sorted', 'top-first', 'skip-leaves-out']],
    ['gt-as-ge', 'filter-model', ['filter-model', 'filter-scope']],
    ['le-as-lt', 'filter-model', ['filter-model', 'filter-count-path', 'filter-scope']],
    ['ge-as-gt', 'filter-model', ['filter-model', 'filter-count-path', 'filter-split']],
  ])('%s is one violation, of %s, whichever rule finds it', async (mutant, rule, rules) => {
    const { violations } = await reportOf({ mutant, rules, requests: 500 })
    expect(violations.map(each => each.rule)).toEqual([rule])
    const seen = new Set([rule, ...(violations[0]?.also ?? []).map(each => each.rule)])
    expect([...seen].toSorted()).toEqual(rules.toSorted())
  })

  it('in the error format is one violation, whatever the request', async () => {
    const asking = ['delta-token', 'header-required', 'operation-parameters']
    const { violations } = await reportOf({
      mutant: 'error-code-is-number',
      rules: ['error-shape', ...asking],
      requests: 500,
    })
    expect(violations.map(each => each.rule)).toEqual(['error-shape'])
    const also = new Set((violations[0]?.also ?? []).map(each => each.rule))
    expect([...also].filter(rule => rule !== 'error-shape').toSorted()).toEqual(asking)
  })

  it.each([
    ['page-sorted-alone', ['order-sorted', 'top-first'], ['top-first']],
    ['desc-ignored', ['top-first', 'select-independent'], ['select-independent', 'top-first']],
  ])('%s stays with the rules that find it if the order is correct or unchecked', async (mutant, rules, expected) => {
    const { violations } = await reportOf({ mutant, rules, requests: 300 })
    expect(violations.map(({ rule }) => rule).toSorted()).toEqual(expected)
  })

  it('is shown with the options that its rule is about', async () => {
    const { violations } = await reportOf({ mutant: 'desc-ignored', rules: ordering.slice(1), requests: 500 })
    const asked = new Map(violations.map(({ rule, exchanges }) => [rule, exchanges[0]?.url ?? '']))
    expect(asked.get('select-independent')).toContain('$select=')
    expect(asked.get('top-first')).toContain('$top=')
    expect(asked.get('skip-leaves-out')).toContain('$skip=')
  })
})
