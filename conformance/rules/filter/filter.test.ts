import { describe, expect, it } from 'vitest'
import { correctBehaviour, createMutantService, generateData } from '../../../tests/mutants/index.js'
import { runConformance } from '../../run-conformance.js'
import { reportOf, specOf, violatedRules } from '../../testing/mutant-run.js'

describe('filter-model', () => {
  it.each([
    'gt-as-ge',
    'eq-null-finds-nothing',
    'and-as-or',
    'no-precedence',
    'not-takes-the-rest',
    'timestamps-as-text',
    'tolower-ignored',
    'plus-is-a-space',
    'has-any-flag',
    'eq-is-beginning',
    'ne-excludes-beginnings',
    'function-of-null-as-text',
  ])('finds %s', async mutant => {
    expect(await violatedRules({ mutant, rules: ['filter-model'], requests: 250 })).toContain('filter-model')
  })

  it.each([
    { stringComparison: 'caseInsensitive', functionComparison: 'caseInsensitive' },
    { nullEquality: 'threeValued', nullRelational: 'threeValued', nullFunction: 'twoValued' },
    { accents: 'folded', trailingSpaces: 'folded', normalization: 'folded', emptyString: 'null' },
    { topMeaning: 'total', enumOrder: 'name', defaultProjection: 'limited' },
  ])('accepts %j', async choices => {
    expect(await violatedRules({ choices, rules: ['filter-*'], requests: 260 })).toEqual([])
  })

  it.each(['cast-without-check', 'cast-never-keeps'])('filter-cast finds %s', async mutant => {
    expect(await violatedRules({ mutant, rules: ['filter-cast'], requests: 250 })).toEqual(['filter-cast'])
  })

  it('names the bug model that explains a response, and shrinks the filter', async () => {
    const { violations } = await reportOf({ mutant: 'ge-as-gt', rules: ['filter-model'], requests: 300 })
    expect(violations.map(({ features }) => features)).toContainEqual(['filter.ge-as-gt'])
    expect(violations[0]?.why[0]).toBe('it looks as if ge is evaluated as gt')
    expect(violations[0]?.reduced.to).toBeLessThanOrEqual(5)
  })
})

it.each([
  ['filter-count-path', 'and-as-or'],
  ['filter-scope', 'filter-ignored-on-later-pages'],
  ['filter-partition', 'not-ignored'],
  ['filter-complement', 'case-matters-for-ne-only'],
  ['filter-parentheses', 'parentheses-lost'],
  ['filter-split', 'ge-as-gt'],
  ['filter-de-morgan', 'not-of-and-distributes'],
  ['filter-monotone', 'and-as-or'],
  ['filter-counts-add-up', 'or-as-and'],
  ['filter-any-or', 'any-with-or-finds-all'],
  ['filter-absorb', 'no-precedence'],
])('%s detects %s without an oracle', async (rule, mutant) => {
  expect(await violatedRules({ mutant, rules: [rule], requests: 300 })).toContain(rule)
})

const oddlyRead: readonly (readonly [rule: string, readQuery: (text: string) => string])[] = [
  ['filter-literal-independence', text => (text.includes('%27%27') ? '$filter=(' : text)],
  ['filter-time-equivalent', text => text.replaceAll('.000Z', '.001Z')],
  ['filter-encoding', text => (text.startsWith('%24') ? '' : text)],
]

it.each(oddlyRead)('%s detects a service that parses queries incorrectly', async (rule, readQuery) => {
  const service = await specOf('directory')
  const behaviour = { ...correctBehaviour(service), readQuery }
  const target = createMutantService({ service, data: generateData(service, { rows: 30 }), behaviour })
  const report = await runConformance({
    spec: service,
    target,
    token: 'mutant-token',
    seed: 1,
    requests: 200,
    only: [rule],
  })
  expect(report.violations.map(each => each.rule)).toContain(rule)
})

it.each(['directory', 'library'] as const)('a conforming %s satisfies every filter rule', async spec => {
  const { violations, rules } = await reportOf({ spec, rules: ['filter-*'], requests: 400 })
  expect(violations).toEqual([])
  expect(rules.filter(({ state }) => state === 'inconclusive' || state === 'flaky')).toEqual([])
})
