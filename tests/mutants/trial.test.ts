import { describe, expect, it } from 'vitest'
import { mutants } from './catalogue/index.js'
import { probedSpecs } from './testing/specs.js'
import { falsePositiveTable, killTable, type MutantResult, runMutant, runVariant } from './trial.js'
import { variantsOf } from './variants/index.js'

// A taste of what `npm run mutants` does with all of them.

const [directory] = probedSpecs
if (directory === undefined) throw new Error('There is no spec to try.')
const { service } = directory

describe('the conformance suite', () => {
  it.each(['gt-as-ge', 'desc-ignored', 'error-is-text', 'patch-replaces'])('detects the mutant %s', async name => {
    const mutant = mutants.find(each => each.name === name)
    if (mutant === undefined) throw new Error(`There is no mutant ${name}.`)
    const kill = await runMutant(mutant, service, { seed: 1, requests: 600 })
    expect(kill).toMatchObject({ mutant: name, verdict: 'violations', ruleArea: mutant.area })
    expect(kill.requests).toBeLessThan(600)
  })

  it.each([
    ['nullOrder-last', 210],
    ['timestamps-with-offset', 210],
    ['throttled', 230],
    // Moments that calibration asks for are whole; those that one filter rests on are not.
    ['timestamps-finer-than-shown', 300],
  ])('reports nothing for the variant %s', async (name, requests) => {
    const variants = variantsOf(service).filter(each => each.name === name)
    expect(variants).toHaveLength(1)
    const { violations, verdict } = await runVariant(variants, service, { seed: 1, requests })
    expect(violations).toEqual([])
    expect(verdict).toMatch(/^(?:conforms|partial)$/)
  })
})

describe('the tables', () => {
  const kill = (mutant: string, seed: number, found: Partial<MutantResult>): MutantResult => ({
    mutant,
    area: 'filter',
    seed,
    verdict: 'conforms',
    seconds: 1,
    ...found,
  })

  it('show which rule detected each mutant, the number of requests and the rates', () => {
    const table = killTable([
      kill('a', 1, { requests: 100, rule: 'filter-exact', ruleArea: 'filter', size: 3 }),
      kill('a', 2, { requests: 400, rule: 'order-sorted', ruleArea: 'ordering', size: 5 }),
      kill('b', 1, {}),
      kill('b', 2, { requests: 1900, rule: 'filter-exact', ruleArea: 'filter' }),
    ])
    expect(table).toBe(
      [
        'mutant  area    found  requests  size  rules',
        'a       filter  2/2    100       3     filter-exact, order-sorted',
        'b       filter  1/2    1900      -     filter-exact',
        '',
        '2 mutants, 2 seeds, 4 runs',
        'found: 25.0 % within 150, 50.0 % within 500, 75.0 % within 2000 requests',
        "first rule of the mutant's area: 66.7 %",
        'median of requests: 400; median size of the example: 3',
      ].join('\n'),
    )
  })

  it('show the number of false positives', () => {
    const reported = {
      variants: ['x', 'y'],
      spec: 'library',
      seed: 3,
      verdict: 'conforms',
      summary: '',
      violations: [],
      requests: 9,
      seconds: 1,
    }
    expect(falsePositiveTable([reported])).toContain(
      '1 runs of conforming services: 0 with false positives, 1 found to conform',
    )
  })
})
