import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shrinkGenerated } from '../../engine/reduce.js'
import type { TestCase } from '../../rule/rule.js'
import type { Verdict } from '../../rule/verdict.js'
import { openTestSession, type TestSessionOptions } from '../../testing/rule-tests.js'
import { commandsOf, type WriteTarget, writeSequences } from './model.js'
import { lifeCycle } from './sequence-rule.js'
import { writeSite, writeSites } from './write-site.js'

const seed = 1
const { session } = await openTestSession('library', { writes: true })
const [site] = writeSites(session)
if (site === undefined) throw new Error('The library has no write site.')
const sequences = writeSequences(site)

class Failure extends Error {}

/** Runs a sequence without a service. It fails when the actions so far match. */
async function fails({ steps = [] }: TestCase, pattern: RegExp): Promise<boolean> {
  let actions = ''
  const target: WriteTarget = {
    run: async ({ action }) => {
      actions += `${action} `
      if (pattern.test(actions)) throw new Failure()
    },
  }
  try {
    await fc.asyncModelRun(() => ({ model: { items: [] }, real: target }), commandsOf(steps))
    return false
  } catch (error) {
    if (error instanceof Failure) return true
    throw error
  }
}

/** Shrinks the first generated sequence that fails, and returns the actions that ran. */
async function shrunk(pattern: RegExp): Promise<string> {
  const generated = fc.sample(sequences, { seed, numRuns: 200 })
  const failed = await Promise.all(generated.map(test => fails(test, pattern)))
  const index = failed.indexOf(true)
  const test = generated[index]
  if (test === undefined) throw new Error('No generated sequence fails.')
  const small = await shrinkGenerated(
    test,
    { arbitrary: sequences, seed, index },
    each => fails(each, pattern),
    () => 0,
  )
  return (small.steps ?? []).map(({ action }) => action).join(' ')
}

describe('a generated sequence of writes', () => {
  it('creates an item first, compares the list last, and writes only live items', () => {
    fc.assert(
      fc.property(sequences, ({ steps = [] }) => {
        expect(steps[0]?.action).toBe('create')
        expect(steps.at(-1)?.action).toBe('list')
        let live = 0
        for (const { action } of steps) {
          if (action === 'create') live++
          if (['patch', 'replace', 'delete'].includes(action)) expect(live).toBeGreaterThan(0)
          if (action === 'delete') live--
        }
      }),
    )
  })

  it('has every kind of command', () => {
    const actions = fc
      .sample(sequences, { seed, numRuns: 100 })
      .flatMap(({ steps = [] }) => steps.map(each => each.action))
    expect([...new Set(actions)].sort()).toEqual(['create', 'delete', 'list', 'patch', 'read', 'replace'])
  })

  it.each([
    [/create.*create.*patch/, 'create create patch list'],
    [/patch.*delete/, 'create patch delete list'],
    [/delete.*create.*read/, 'create delete create read list'],
  ])('is shrunk by fast-check to the commands that matter: %s', async (pattern, expected) => {
    expect(await shrunk(pattern)).toBe(expected)
  })
})

/** The verdicts on random sequences, up to the first violation. */
async function verdicts(options: TestSessionOptions, numRuns: number): Promise<readonly Verdict['kind'][]> {
  const { session: tested } = await openTestSession('directory', { ...options, writes: true })
  const kinds: Verdict['kind'][] = []
  for (const each of lifeCycle.sites(tested).slice(0, 3)) {
    const at = writeSite(each, tested)
    const cases = at === undefined ? [] : fc.sample(writeSequences(at), { seed, numRuns })
    for (const test of cases) {
      kinds.push((await lifeCycle.check(test, each, tested)).kind)
      if (kinds.includes('fail')) return kinds
    }
  }
  return kinds
}

describe('random sequences of writes', () => {
  it.each<[string, TestSessionOptions]>([
    ['the reference behaviour', {}],
    ['updates without a body', { variant: 'updateStatus-204' }],
    ['keys with special characters', { variant: 'awkward-keys' }],
    ['a limited default projection', { variant: 'defaultProjection-limited' }],
  ])('agree with the model of a conforming service: %s', async (_, options) => {
    expect(new Set(await verdicts(options, 6))).toEqual(new Set(['pass']))
  })

  it.each(['patch-reaches-neighbour', 'deleted-stays-in-lists', 'patch-without-effect', 'delete-without-effect'])(
    'detect the mutant %s',
    async mutant => {
      expect(await verdicts({ mutant, choices: { readYourWrites: 'immediate' } }, 20)).toContain('fail')
    },
  )
})
