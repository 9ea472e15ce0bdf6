import { describe, expect, it } from 'vitest'
import { correctBehaviour, createMutantService, generateData } from '../../tests/mutants/index.js'
import { runConformance } from '../run-conformance.js'
import { specOf } from '../testing/rule-tests.js'
import { createChoiceRecord } from './choices.js'

const service = specOf('directory')

/** What is learned of a service that makes some choices otherwise. */
async function learned(choices: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  const correct = correctBehaviour(service)
  const behaviour = { ...correct, choices: { ...correct.choices, ...choices } }
  const target = createMutantService({ service, data: generateData(service, { rows: 36 }), behaviour })
  const report = await runConformance({
    spec: service,
    target,
    token: 'mutant-token',
    seed: 1,
    requests: 400,
    runs: 5,
    only: ['filter-double-negation'],
  })
  expect(report.violations).toEqual([])
  return Object.fromEntries(report.choices.map(({ name, value }) => [name, value]))
}

describe('learns how a service compares values', () => {
  it.each([
    { stringComparison: 'caseInsensitive', nullEquality: 'threeValued', searchMatching: 'prefix' },
    { functionComparison: 'caseInsensitive', nullRelational: 'threeValued', searchMatching: 'substring' },
    { accents: 'folded', nullFunction: 'twoValued', searchComparison: 'ordinal' },
    { trailingSpaces: 'folded', normalization: 'folded', enumOrder: 'name', emptyString: 'distinct' },
    { stringComparison: 'ordinal', functionComparison: 'ordinal', nullEquality: 'twoValued', searchMatching: 'word' },
  ])('%j', async choices => {
    expect(await learned(choices)).toMatchObject(choices)
  })
})

it('leaves a choice open if no row reveals it', async () => {
  const { absentProperty } = await learned({})
  expect(absentProperty).toBeUndefined()
  expect(createChoiceRecord(service).get('stringComparison')).toBeUndefined()
})
