import { selectRules } from './engine/select-rules.js'
import { type ConformanceOptions, OptionsError } from './options.js'
import type { Report, RuleResult } from './report/report.js'
import { renderViolation } from './report/text.js'
import { type Area, areas } from './rule/rule.js'
import { rules as allRules } from './rules/index.js'
import { runConformance } from './run-conformance.js'

/** What a test runner offers: the functions that vitest exports, or the globals of Jest. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown
  readonly it: (name: string, check: (...context: readonly unknown[]) => void) => unknown
  readonly beforeAll: (prepare: () => Promise<void>, timeout?: number) => unknown
}

/** How to check a service in tests. */
export interface DescribeConformanceOptions extends Omit<ConformanceOptions, 'spec' | 'target' | 'replay' | 'signal'> {
  /** Default: the global functions `describe`, `it` and `beforeAll`. Pass those of vitest if you import them. */
  readonly runner?: TestRunner
}

/** An address, a service in this process, or a function that says which, once other `beforeAll` functions ran. */
export type TestTarget = ConformanceOptions['target'] | { readonly start: () => Promise<ConformanceOptions['target']> }

/**
 * Defines one test for each rule, so that a rule that is violated is a test that fails. The suite runs once, before the
 * first of these tests. Rules that do not apply to the service are skipped, with the reason.
 *
 * @param target what to check. `{ start }` is called before the run: it may start the service and return its address.
 * @param spec a loaded service, or the path of its spec
 * @throws {OptionsError} if there is no test runner, or an option is invalid
 */
export function describeConformance(
  target: TestTarget,
  spec: ConformanceOptions['spec'],
  { runner = globalRunner(), ...options }: DescribeConformanceOptions = {},
): void {
  const { describe, it, beforeAll } = runner
  const selected = selectRules(allRules, options)
  const time = options.time ?? 600
  let report: Report | undefined
  const finished = (): Report => {
    if (report === undefined) throw new Error('The conformance run did not finish: see the error of beforeAll.')
    return report
  }
  const isRule = new Set(selected.map(({ id }) => id))
  describe('conformance', () => {
    beforeAll(
      async () => {
        const started = typeof target === 'object' && 'start' in target ? await target.start() : target
        report = await runConformance({ ...options, spec, target: started })
      },
      // Discovery, reduction and cleaning up may take longer than the run itself.
      (time + 60) * 1000,
    )
    it('the service was checked', () => {
      const { verdict, summary } = finished()
      if (verdict !== 'conforms' && verdict !== 'partial' && verdict !== 'violations') throw new Error(summary)
    })
    it('what the spec leaves open is as it allows', () => {
      failOn(finished(), rule => !isRule.has(rule))
    })
    for (const area of areas) {
      const inArea = selected.filter(rule => rule.area === area)
      if (inArea.length > 0) describe(area, () => inArea.forEach(defineTest))
    }
  })

  function defineTest({ id, statement }: { readonly id: string; readonly area: Area; readonly statement: string }) {
    // Jest passes a callback to functions with parameters and waits for it.
    it(`${id}: ${statement}`, (...context) => {
      const { rules } = finished()
      failOn(finished(), rule => rule === id)
      const why = skipReason(rules.filter(({ rule }) => rule === id))
      if (why !== undefined) skip(context[0], why)
    })
  }
}

/** Throws with the text of each violation that is not a known failure. */
function failOn({ violations }: Report, isMeant: (rule: string) => boolean): void {
  const meant = violations.filter(({ rule, known }) => known === undefined && isMeant(rule))
  if (meant.length === 0) return
  throw new Error(meant.map(violation => renderViolation(violation)).join('\n\n'))
}

/** Why a rule checked nothing at all. */
function skipReason(results: readonly RuleResult[]): string | undefined {
  if (results.some(({ state, checks }) => checks > 0 || state === 'passed' || state === 'known')) return undefined
  return results.find(({ why }) => why !== undefined)?.why ?? 'nothing in this service that the rule is about'
}

/** Marks the test as skipped where the runner can do so during a test, as vitest can. */
function skip(context: unknown, why: string): void {
  if (typeof context !== 'object' || context === null || !('skip' in context)) return
  if (typeof context.skip === 'function') context.skip(why)
}

function globalRunner(): TestRunner {
  const found: unknown = globalThis
  if (isRunner(found)) return found
  throw new OptionsError(
    'There are no global functions describe, it and beforeAll. Pass them: ' +
      "import { beforeAll, describe, it } from 'vitest', and the option runner: { beforeAll, describe, it }.",
  )
}

function isRunner(value: unknown): value is TestRunner {
  if (typeof value !== 'object' || value === null) return false
  return ['describe', 'it', 'beforeAll'].every(name => typeof Reflect.get(value, name) === 'function')
}
