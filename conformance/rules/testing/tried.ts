import { makeData } from '../../mutants/data/make-data.js'
import { mutants } from '../../mutants/mutants/index.js'
import { correctBehaviour } from '../../mutants/service/correct-behaviour.js'
import { createMutantService } from '../../mutants/service/create-mutant-service.js'
import type { Report } from '../../report/report.js'
import { runConformance } from '../../run-conformance.js'
import { openBench, type SpecName, specOf, verdictsOf } from '../../testing/rule-bench.js'
import { rules as allRules } from '../index.js'

export { specOf }

export interface Trial {
  /** Ids of the rules to try, `*` allowed. */
  readonly rules: readonly string[]
  /** Name of a mutant. Default: the service is correct. */
  readonly mutant?: string
  /** Default: that of the mutant, or `directory`. */
  readonly spec?: SpecName
  /** Open choices that the service makes otherwise. */
  readonly choices?: Readonly<Record<string, string>>
  readonly requests?: number
}

/** What some rules say of a service in this process, correct or with one fault, after a whole run. */
export async function tried({ rules, mutant, choices = {}, requests = 120, spec }: Trial): Promise<Report> {
  const found = mutant === undefined ? undefined : mutantOf(mutant)
  const service = specOf(spec ?? found?.spec ?? 'directory')
  const plain = correctBehaviour(service)
  const correct = { ...plain, choices: { ...plain.choices, ...choices } }
  const target = createMutantService({
    service,
    data: makeData(service, { rows: 30 }),
    behaviour: { ...correct, ...found?.change(correct) },
  })
  return runConformance({ spec: service, target, token: 'mutant-token', seed: 1, requests, only: rules })
}

/** The rules that were violated in a whole run, each once. */
export async function violated(trial: Trial): Promise<readonly string[]> {
  const { violations } = await tried(trial)
  return [...new Set(violations.map(({ rule }) => rule))]
}

/**
 * The first finding of a rule on a wrong service whose choices are known: in its planned cases, or in what it sees of the
 * answers to another rule.
 *
 * @returns its features; absent when the rule finds nothing
 */
export async function accusation(
  rule: string,
  mutant: string,
  asking: string = rule,
): Promise<readonly string[] | undefined> {
  const { spec } = mutantOf(mutant)
  const choices = Object.fromEntries(specOf(spec).open.map(({ name, reference }) => [name, reference]))
  const bench = await openBench(spec, { mutant, choices })
  const [judging, other] = [ruleOf(rule), ruleOf(asking)]
  for (const sites of [1, 4, 12]) {
    const asked = await verdictsOf(other, bench, { sites, cases: 12 })
    const verdicts = judging === other ? asked : await verdictsOf(judging, bench)
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
