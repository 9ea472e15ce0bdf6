import { describe, expect, it } from 'vitest'
import { accusationsOf, openBench, type SpecName, tellingRules, verdictsOf } from '../../testing/rule-bench.js'
import { errorsRules } from './index.js'

/** Milliseconds: a service is made and read for each test. */
const patience = 30_000

describe('the rules of errors', () => {
  it.each<SpecName>(['directory', 'library'])(
    'accuse a correct %s of nothing',
    async spec => {
      const bench = await openBench(spec, {})
      expect(await accusationsOf(errorsRules, bench, { sites: 8, cases: 6 })).toEqual([])
    },
    patience,
  )

  it(
    'each tell something of a correct directory or library',
    async () => {
      const told = new Set<string>()
      for (const spec of ['directory', 'library'] as const) {
        const bench = await openBench(spec, {})
        for (const id of await tellingRules(errorsRules, bench)) told.add(id)
      }
      expect(errorsRules.map(({ id }) => id).filter(id => !told.has(id))).toEqual([])
    },
    patience,
  )

  it.each<[mutant: string, rule: string, spec: SpecName]>([
    ['error-is-text', 'error-shape', 'directory'],
    ['error-as-html', 'error-shape', 'directory'],
    ['error-without-code', 'error-shape', 'directory'],
    ['error-without-message', 'error-shape', 'directory'],
    ['error-code-is-number', 'error-shape', 'directory'],
    ['error-is-empty', 'error-shape', 'directory'],
    ['error-is-cut', 'error-shape', 'directory'],
    ['error-with-200', 'error-status', 'directory'],
    ['missing-item-with-400', 'item-not-found', 'directory'],
    ['missing-item-is-empty', 'item-not-found', 'directory'],
    ['missing-item-crashes', 'no-server-error', 'directory'],
    ['list-of-unknown-item', 'item-not-found', 'directory'],
    ['malformed-query-ignored', 'malformed-option', 'directory'],
    ['malformed-query-is-empty', 'malformed-option', 'directory'],
    ['malformed-query-crashes', 'no-server-error', 'directory'],
    ['unsupported-query-ignored', 'unsupported-option', 'directory'],
    ['unknown-path-accepted', 'path-not-found', 'directory'],
    ['other-method-accepted', 'method-not-allowed', 'directory'],
    ['malformed-body-crashes', 'no-server-error', 'directory'],
  ])(
    'find the fault %s with %s',
    async (mutant, id, spec) => {
      const bench = await openBench(spec, { mutant })
      const rule = errorsRules.find(each => each.id === id)
      const asking = errorsRules.filter(each => each.kind === 'asking')
      if (rule?.kind === 'watching') for (const each of asking) await verdictsOf(each, bench)
      const verdicts = rule === undefined ? [] : await verdictsOf(rule, bench, { sites: 20, cases: 12 })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    },
    patience,
  )

  it.each([
    'other-legal-statuses',
    'last-legal-statuses',
    'other-error-codes',
    'unknownOption-ignored',
    'unknownProperty-ignored',
    'no-head-or-options',
    'awkward-keys',
    'short-queries-only',
  ])(
    'accuse a service of nothing that is correct and different: %s',
    async variant => {
      const bench = await openBench('directory', { variant })
      expect(await accusationsOf(errorsRules, bench, { sites: 3, cases: 4 })).toEqual([])
    },
    patience,
  )
})
