import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpecText, type Service } from '../../../spec/language/index.js'
import {
  correctBehaviour,
  createMutantService,
  filterRareMutants,
  generateData,
  type Value,
} from '../../../tests/mutants/index.js'
import { runConformance } from '../../run-conformance.js'
import { reportOf, violatedRules } from '../../testing/mutant-run.js'

const rules = ['filter-rare-functions']
const open = openLibrary()

/** The Library, which leaves nothing open, with what the Directory leaves open about comparisons, and with patterns. */
function openLibrary(): Service {
  const text = readFileSync(new URL('../../../spec/library.yaml', import.meta.url), 'utf8')
  const choice = (name: string, ...legal: readonly string[]): string =>
    `  ${name}: { legal: [${legal.join(', ')}], reference: ${legal[0]} }`
  const open = [
    'open:',
    choice('stringComparison', 'ordinal', 'caseInsensitive'),
    choice('functionComparison', 'ordinal', 'caseInsensitive'),
    ...['accents', 'trailingSpaces', 'normalization'].map(name => choice(name, 'distinct', 'folded')),
    choice('emptyString', 'distinct', '"null"'),
    ...['nullEquality', 'nullRelational', 'nullFunction'].map(name => choice(name, 'twoValued', 'threeValued')),
    '',
  ]
  const more = text.replace('        - isof\n', '        - isof\n        - matchesPattern\n')
  const { service } = loadSpecText(more.replace(/^open:[\s\S]*?(?=^[a-z])/m, `${open.join('\n')}\n`), 'library.yaml')
  if (service === undefined) throw new Error('The opened spec has errors.')
  return service
}

const withoutAnchors = (value: Value): Value => (typeof value === 'string' ? value.replace(/^\^|\$$/g, '') : value)

describe('filter-rare-functions', () => {
  it.each(filterRareMutants.map(({ name }) => name))('finds %s', async mutant => {
    expect(await violatedRules({ mutant, rules, requests: 300 })).toEqual(rules)
  })

  it.each([
    {},
    { stringComparison: 'caseInsensitive', functionComparison: 'caseInsensitive' },
    { nullEquality: 'threeValued', nullRelational: 'threeValued', nullFunction: 'twoValued' },
    { accents: 'folded', trailingSpaces: 'folded', normalization: 'folded' },
    { emptyString: 'null' },
  ])('accepts a conforming service that chooses %j', async choices => {
    const plain = correctBehaviour(open)
    const behaviour = { ...plain, choices: { ...plain.choices, ...choices } }
    for (const seed of [1, 2]) {
      const target = createMutantService({ service: open, data: generateData(open, { rows: 30 }), behaviour })
      const run = { spec: open, target, token: 'mutant-token', seed, requests: 400, only: rules }
      const { violations, rules: results } = await runConformance(run)
      expect(violations).toEqual([])
      expect(results.filter(({ state }) => state === 'inconclusive' || state === 'flaky')).toEqual([])
    }
  })

  it('detects ignored anchors of patterns', async () => {
    const correct = correctBehaviour(open)
    const behaviour = {
      ...correct,
      call: (name, values, nodes, env) =>
        name === 'matchespattern'
          ? correct.call('contains', values.map(withoutAnchors), nodes, env)
          : correct.call(name, values, nodes, env),
    } satisfies typeof correct
    const target = createMutantService({ service: open, data: generateData(open, { rows: 30 }), behaviour })
    const run = { spec: open, target, token: 'mutant-token', seed: 1, requests: 400, only: rules }
    const { violations } = await runConformance(run)
    expect([...new Set(violations.map(({ rule }) => rule))]).toEqual(rules)
  })

  it('names the bug model that explains a response', async () => {
    const { violations } = await reportOf({ mutant: 'subset-of-any', rules, requests: 300 })
    expect(violations.map(({ features }) => features)).toContainEqual(['filter.subset-of-any'])
    expect(violations[0]?.why[0]).toBe('it looks as if hassubset matches any of the items')
  })
})
