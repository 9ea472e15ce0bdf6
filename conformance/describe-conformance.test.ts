import { beforeAll, describe, expect, it } from 'vitest'
import { correctBehaviour, createMutantService, generateData, mutants } from '../tests/mutants/index.js'
import { describeConformance, type TestRunner } from './describe-conformance.js'
import { OptionsError } from './options.js'
import { specOf } from './testing/mutant-run.js'

const service = specOf('directory')
const options = { token: 'mutant-token', seed: 1, requests: 150, only: ['select', 'top-skip-count'] }

function target(mutant?: string) {
  const correct = correctBehaviour(service)
  const change = mutants.find(({ name }) => name === mutant)?.change(correct)
  return createMutantService({
    service,
    data: generateData(service, { rows: 30 }),
    behaviour: { ...correct, ...change },
  })
}

/** Runs tests as a runner does, and returns the name of each with its error or the reason why it was skipped. */
async function results(define: (runner: TestRunner) => void): Promise<ReadonlyMap<string, string>> {
  const preparations: (() => Promise<void>)[] = []
  const tests: { name: string; check: (...context: readonly unknown[]) => void }[] = []
  define({
    describe: (_, inner) => inner(),
    beforeAll: prepare => preparations.push(prepare),
    it: (name, check) => tests.push({ name, check }),
  })
  for (const prepare of preparations) await prepare()
  return new Map(
    tests.map(({ name, check }) => {
      let result = 'passed'
      try {
        check({
          skip: (why: string) => {
            result = `skipped: ${why}`
          },
        })
      } catch (error) {
        result = error instanceof Error ? error.message : String(error)
      }
      return [name.split(':')[0] ?? name, result]
    }),
  )
}

describe('describeConformance', () => {
  describeConformance(target(), service, { ...options, runner: { describe, it, beforeAll } })

  it('fails the test of a rule that is violated, with the request, and no other', async () => {
    const found = await results(runner =>
      describeConformance(target('select-ignored-on-items'), service, {
        ...options,
        only: ['select-item', 'select-values'],
        runner,
      }),
    )
    const failed = [...found].filter(([, result]) => result !== 'passed' && !result.startsWith('skipped'))
    expect(failed.map(([name]) => name)).toEqual(['select-item'])
    expect(failed[0]?.[1]).toContain('curl')
  })

  it('passes a known failure', async () => {
    const knownFailures = [{ rule: 'select-item', reason: 'It is being mended.' }]
    const found = await results(runner =>
      describeConformance(target('select-ignored-on-items'), service, {
        ...options,
        only: ['select-item', 'select-values'],
        knownFailures,
        runner,
      }),
    )
    expect(found.get('select-item')).toBe('passed')
  })

  it('skips a rule that has nothing to check, with the reason', async () => {
    const found = await results(runner =>
      describeConformance(target(), service, { ...options, only: ['create-once', 'select-values'], runner }),
    )
    expect(found.get('create-once')).toMatch(/^skipped: /)
    expect(found.get('select-values')).toBe('passed')
  })

  it('starts the service before the run, and fails one test if it cannot be reached', async () => {
    const gone = { start: async () => async () => Promise.reject(new TypeError('fetch failed')) }
    const found = await results(runner => describeConformance(gone, service, { ...options, runner }))
    expect(found.get('the service was checked')).toContain('not')
  })

  it('says what to pass if the runner has no globals', () => {
    expect(() => describeConformance(target(), service, options)).toThrow(OptionsError)
  })
})
