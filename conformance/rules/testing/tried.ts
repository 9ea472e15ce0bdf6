import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadSpec, type Service } from '../../../spec/language/index.js'
import { makeData } from '../../mutants/data/make-data.js'
import { mutants } from '../../mutants/mutants/index.js'
import { correctBehaviour } from '../../mutants/service/correct-behaviour.js'
import { createMutantService } from '../../mutants/service/create-mutant-service.js'
import type { Report } from '../../report/report.js'
import { runConformance } from '../../run-conformance.js'

type Spec = 'directory' | 'library'

const root = join(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const services = new Map<Spec, Promise<Service>>()

/** The model of one of the two specs. */
export function specOf(name: Spec): Promise<Service> {
  const known = services.get(name)
  if (known !== undefined) return known
  const loaded = loadSpec(join(root, 'spec', `${name}.yaml`)).then(({ service }) => {
    if (service === undefined) throw new Error(`spec/${name}.yaml is sound.`)
    return service
  })
  services.set(name, loaded)
  return loaded
}

export interface Trial {
  /** Ids of the rules to try. */
  readonly rules: readonly string[]
  /** Name of a mutant. Default: the service is correct. */
  readonly mutant?: string
  /** Default: that of the mutant, or `directory`. */
  readonly spec?: Spec
  /** Open choices that the service makes otherwise. */
  readonly choices?: Readonly<Record<string, string>>
  readonly requests?: number
}

/** What some rules say of a service in this process, correct or with one fault. */
export async function tried({ rules, mutant: name, choices = {}, requests = 120, ...rest }: Trial): Promise<Report> {
  const mutant = mutants.find(each => each.name === name)
  if (name !== undefined && mutant === undefined) throw new Error(`There is no mutant ${name}.`)
  const service = await specOf(rest.spec ?? mutant?.spec ?? 'directory')
  const plain = correctBehaviour(service)
  const correct = { ...plain, choices: { ...plain.choices, ...choices } }
  const target = createMutantService({
    service,
    data: makeData(service, { rows: 30 }),
    behaviour: { ...correct, ...mutant?.change(correct) },
  })
  return runConformance({ spec: service, target, token: 'mutant-token', seed: 1, requests, only: rules })
}

/** The rules that were violated, each once. */
export async function violated(trial: Trial): Promise<readonly string[]> {
  const { violations } = await tried(trial)
  return [...new Set(violations.map(({ rule }) => rule))]
}
