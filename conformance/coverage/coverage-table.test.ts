import { describe, expect, it } from 'vitest'
import type { AspectGroup, Endpoint } from '../../spec/language/index.js'
import { coverageSentence, coverageText, isCovered } from '../report/coverage-text.js'
import type { RuleMetadata } from '../rule/rule.js'
import { rules } from '../rules/index.js'
import { shelf } from '../testing/services.js'
import type { CellRecord } from './coverage-record.js'
import { type Coverage, type CoverageContext, coverageOf } from './coverage-table.js'
import type { Reach } from './reach.js'

type Known = Readonly<Record<string, Partial<CellRecord>>>

const reach: Reach = { applies: () => true, isForeign: () => false, reasonFor: () => 'no rows' }

const coverage = (known: Known, given: Partial<CoverageContext> = {}): Coverage =>
  coverageOf({
    service: shelf,
    constraints: { coverage: () => [] },
    record: {
      at: ({ endpoint, aspect }) => {
        const found = known[`${endpoint.name} ${aspect}`]
        return found && { checked: 0, refused: 0, inconclusive: 0, sites: new Set([endpoint.name]), ...found }
      },
    },
    rules,
    allowWrites: false,
    isSelection: false,
    reach,
    ...given,
  })

const everywhere = (fact: Partial<CellRecord>, except: readonly string[] = []): Known =>
  Object.fromEntries(
    coverage({})
      .endpoints.flatMap(({ endpoint, cells }) => cells.map(({ aspect }) => `${endpoint} ${aspect}`))
      .filter(place => !except.includes(place))
      .map(place => [place, fact]),
  )

const stateAt = ({ endpoints }: Coverage, endpoint: string, aspect: AspectGroup): string | undefined =>
  endpoints.find(each => each.endpoint === endpoint)?.cells.find(each => each.aspect === aspect)?.state

describe('the state of a place', () => {
  it.each<[string, Partial<CellRecord> | undefined, string]>([
    ['checked if one check was conclusive', { checked: 1, refused: 2, inconclusive: 3 }, 'checked'],
    ['refused if the service only rejected it', { refused: 2, inconclusive: 1 }, 'refused'],
    ['inconclusive if no check proved anything', { inconclusive: 1, why: 'no rows' }, 'inconclusive'],
    ['not reached if nothing was checked', undefined, 'not-reached'],
  ])('is %s', (_, fact, state) => {
    const known = fact === undefined ? {} : { 'things.list filter': fact }
    expect(stateAt(coverage(known), 'things.list', 'filter')).toBe(state)
  })

  it('is not allowed if checking it would write', () => {
    expect(stateAt(coverage({}), 'things.create', 'create')).toBe('not-allowed')
    expect(stateAt(coverage({}, { allowWrites: true }), 'things.create', 'create')).toBe('not-reached')
  })

  it('is not allowed if checking it would change what the suite did not create', () => {
    const foreign = { allowWrites: true, reach: { ...reach, isForeign: ({ kind }: Endpoint) => kind === 'update' } }
    expect(stateAt(coverage({}, foreign), 'things.update', 'update')).toBe('not-allowed')
    expect(coverageSentence(coverage({}, foreign), true)).toContain('1 endpoint that writes was not checked')
  })

  it('is not selected if no selected rule checks it', () => {
    const filters = rules.filter(({ aspects }) => aspects.every(aspect => aspect.startsWith('filter')))
    const selected: Partial<CoverageContext> = { rules: filters, isSelection: true }
    expect(stateAt(coverage({}, selected), 'things.list', 'filter')).toBe('not-reached')
    expect(stateAt(coverage({}, selected), 'things.list', 'order')).toBe('not-selected')
    expect(
      stateAt(coverage({}, { ...selected, reach: { ...reach, applies: () => false } }), 'things.list', 'filter'),
    ).toBe('not-selected')
  })

  it('is absent if the spec does not declare the aspect', () => {
    expect(stateAt(coverage({}), 'things.get', 'filter')).toBeUndefined()
  })
})

describe('a service', () => {
  it('is covered if each endpoint and each aspect was checked somewhere', () => {
    const found = coverage(everywhere({ checked: 1 }))
    expect(isCovered(found)).toBe(true)
    expect(found.percent).toBe(100)
    expect(coverageSentence(found, false)).toMatch(
      /^All 6 endpoints and all \d+ aspects were checked, at .* \(100 %\)\./,
    )
    expect(coverageSentence(found, false)).not.toContain('of 3')
  })

  it('is covered if an aspect was checked at one of several endpoints', () => {
    expect(isCovered(coverage(everywhere({ checked: 1 }, ['labels.list filter'])))).toBe(true)
  })

  it.each([
    ['an aspect was checked nowhere', ['labels.list filter', 'things.list filter']],
    ['an endpoint was not read, although its other aspects were checked', ['labels.list read']],
  ])('is not covered if %s', (_, except) => {
    expect(isCovered(coverage(everywhere({ checked: 1 }, except)))).toBe(false)
  })

  it('is covered if the service refused an aspect everywhere', () => {
    const except = ['labels.list filter', 'things.list filter']
    const refused = Object.fromEntries(except.map(place => [place, { refused: 1 }]))
    expect(isCovered(coverage({ ...everywhere({ checked: 1 }, except), ...refused }))).toBe(true)
  })

  it('can be covered without writes, and the sentence says so', () => {
    const writes = ['things.create', 'things.update', 'things.delete']
    const except = writes.flatMap(name =>
      ['create', 'update', 'delete', 'errors', 'preconditions'].map(aspect => `${name} ${aspect}`),
    )
    const found = coverage(everywhere({ checked: 1 }, except))
    expect(isCovered(found)).toBe(true)
    expect(coverageSentence(found, false)).toContain('Writes were not allowed, so they were not checked.')
    expect(isCovered(coverage(everywhere({ checked: 1 }, except), { allowWrites: true }))).toBe(false)
  })
})

describe('the text of the table', () => {
  it('counts endpoints by aspect and state, and names endpoints by reason', () => {
    const reasonFor = ({ name }: Endpoint): string => (name.startsWith('labels') ? 'it answered 503' : 'no rows')
    const lines = coverageText(coverage({ 'things.list read': { checked: 4 } }, { reach: { ...reach, reasonFor } }))
    expect(lines[0]).toMatch(/^Endpoints by aspect +checked +not reached +not allowed$/)
    expect(lines.find(line => line.startsWith('read'))).toMatch(/^read +1 +2 +0$/)
    expect(lines).toContain('  labels.list: it answered 503')
    expect(lines).toContain('  things.get: no rows')
  })

  it('is empty if nothing is declared', () => {
    const none: readonly RuleMetadata[] = []
    expect(coverageText({ ...coverage({}, { rules: none }), aspects: [] })).toEqual([])
  })
})
