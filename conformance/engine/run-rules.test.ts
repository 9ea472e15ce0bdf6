import { describe, expect, it } from 'vitest'
import { generateData } from '../../tests/mutants/data/generate-data.js'
import { mutants } from '../../tests/mutants/index.js'
import { correctBehaviour } from '../../tests/mutants/service/correct-behaviour.js'
import { createMutantService } from '../../tests/mutants/service/service.js'
import { runConformance } from '../index.js'
import { specOf } from '../testing/rule-tests.js'

const service = specOf('directory')

/** A service that answers in another order than it is asked, and the number of requests that it had at once. */
function slowService(mutant?: string) {
  const correct = correctBehaviour(service)
  const change = mutants.find(({ name }) => name === mutant)?.change
  const behaviour = { ...correct, ...change?.(correct) }
  const answer = createMutantService({ service, data: generateData(service, { rows: 12 }), behaviour })
  const load = { now: 0, most: 0 }
  let number = 0
  const target = async (request: Request): Promise<Response> => {
    load.most = Math.max(load.most, ++load.now)
    await new Promise(resolve => setTimeout(resolve, (number++ * 7) % 5))
    const response = await answer(request)
    load.now--
    return response
  }
  return { target, load }
}

const resultOf = (concurrency: number, mutant?: string): ReturnType<typeof check> => {
  const key = `${concurrency} ${mutant}`
  const run = runs.get(key) ?? check(concurrency, mutant)
  runs.set(key, run)
  return run
}

/** The runs so far: two tests read the same one. */
const runs = new Map<string, ReturnType<typeof check>>()

async function check(concurrency: number, mutant?: string) {
  const { target, load } = slowService(mutant)
  const report = await runConformance({
    spec: service,
    target,
    token: 'mutant-token',
    seed: 3,
    requests: 400,
    concurrency,
  })
  return { report, load }
}

describe('rules that only read', () => {
  it('are checked at the same time, within the limit', async () => {
    expect((await resultOf(3)).load.most).toBe(3)
    expect((await resultOf(1)).load.most).toBe(1)
  })

  it.each([undefined, 'not-binds-loosely', 'skip-before-filter'])(
    'have the same results for a seed: %s',
    async mutant => {
      const [one, four] = [(await resultOf(1, mutant)).report, (await resultOf(4, mutant)).report]
      expect(four.rules).toEqual(one.rules)
      expect(four.choices).toEqual(one.choices)
      expect(four.violations.map(({ fingerprint }) => fingerprint)).toEqual(
        one.violations.map(({ fingerprint }) => fingerprint),
      )
    },
  )
})
