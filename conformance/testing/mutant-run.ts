import { mutants } from '../../tests/mutants/index.js'
import type { Report } from '../report/report.js'
import { rules as allRules } from '../rules/index.js'
import { runConformance } from '../run-conformance.js'
import { createTarget, openTestSession, type SpecName, specOf, verdictsOf } from './rule-tests.js'

export { specOf }

interface RuleRun {
  /** Ids of the rules to try, `*` allowed. */
  readonly rules: readonly string[]
  /** Name of a mutant. Default: the service is correct. */
  readonly mutant?: string
  /** Name of a conforming variant, instead of a mutant and of choices. */
  readonly variant?: string
  /** Default: that of the mutant, or `directory`. */
  readonly spec?: SpecName
  /** Open choices that the service makes otherwise. */
  readonly choices?: Readonly<Record<string, string>>
  readonly requests?: number
  /** End the run at the first violation. */
  readonly stopAtFirst?: boolean
  /** Whether rules may create items and change existing ones. Default: false. */
  readonly writes?: boolean
}

/** What some rules say of a service in this process, correct or with one fault, after a whole run. */
export async function reportOf({
  rules,
  mutant,
  variant,
  choices = {},
  requests = 120,
  spec,
  stopAtFirst = false,
  writes = false,
}: RuleRun): Promise<Report> {
  const found = mutant === undefined ? undefined : mutantOf(mutant)
  const service = specOf(spec ?? found?.spec ?? 'directory')
  const target = createTarget(service, {
    ...(mutant === undefined ? {} : { mutant }),
    ...(variant === undefined ? {} : { variant }),
    chosen: choices,
    rows: 30,
  })
  const end = new AbortController()
  return runConformance({
    spec: service,
    target,
    token: 'mutant-token',
    seed: 1,
    requests,
    only: rules,
    allowWrites: writes,
    allowChanges: writes,
    signal: end.signal,
    onProgress: ({ violations }) => {
      if (stopAtFirst && violations > 0) end.abort()
    },
  })
}

/** The rules that are violated, each once: in a whole run, or, for a mutant, until one of those to try is. */
export async function violatedRules(trial: RuleRun): Promise<readonly string[]> {
  const stopped = trial.mutant === undefined ? [] : rulesIn(await reportOf({ ...trial, stopAtFirst: true }))
  return stopped.some(id => trial.rules.includes(id)) ? stopped : rulesIn(await reportOf(trial))
}

function rulesIn({ violations }: Report): readonly string[] {
  return [...new Set(violations.map(({ rule }) => rule))]
}

/**
 * The first finding of a rule on a wrong service whose choices are known: in its planned cases, or in what it sees of the
 * answers to another rule.
 *
 * @returns its features; absent when the rule finds nothing
 */
export async function violationFeatures(
  rule: string,
  mutant: string,
  asking: string = rule,
): Promise<readonly string[] | undefined> {
  const { spec } = mutantOf(mutant)
  const choices = Object.fromEntries(specOf(spec).open.map(({ name, reference }) => [name, reference]))
  const context = await openTestSession(spec, { mutant, choices })
  const [checked, other] = [ruleOf(rule), ruleOf(asking)]
  for (const sites of [1, 4, 12]) {
    const asked = await verdictsOf(other, context, { sites, cases: 12 })
    const verdicts = checked === other ? asked : await verdictsOf(checked, context)
    const failed = verdicts.find(verdict => verdict.kind === 'fail')
    if (failed?.kind === 'fail') return failed.finding.features
  }
  return undefined
}

function mutantOf(name: string): (typeof mutants)[number] {
  const found = mutants.find(each => each.name === name)
  if (found === undefined) throw new Error(`There is no mutant ${name}.`)
  return found
}

function ruleOf(id: string): (typeof allRules)[number] {
  const found = allRules.find(each => each.id === id)
  if (found === undefined) throw new Error(`There is no rule ${id}.`)
  return found
}
