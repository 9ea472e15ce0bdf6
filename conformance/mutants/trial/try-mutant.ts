import type { Service } from '../../../spec/language/index.js'
import { wrongInterpreters } from '../../query/wrong/catalogue.js'
import type { Area } from '../../rule/rule.js'
import { runConformance } from '../../run-conformance.js'
import { makeData } from '../data/make-data.js'
import type { Mutant } from '../mutants/mutant.js'
import { correctBehaviour } from '../service/correct-behaviour.js'
import { createMutantService } from '../service/create-mutant-service.js'

/** What became of one mutant under one seed. */
export interface Kill {
  readonly mutant: string
  readonly area: Area
  readonly seed: number
  /** Requests after which the first violation was confirmed; absent: it was not found. */
  readonly after?: number
  /** The rule that found it. */
  readonly rule?: string
  readonly ruleArea?: Area
  /** Nodes and options of the reduced example; absent where there is none to reduce. */
  readonly size?: number
  readonly message?: string
  /** The misreadings, by id, that explain what it answered. */
  readonly misreadings?: readonly string[]
  /** The verdict of the run, for those that were not found. */
  readonly verdict: string
  readonly seconds: number
}

export interface TrialOptions {
  readonly seed: number
  /** Most requests. */
  readonly requests: number
  /** Ids of misreadings that filters are planned without. */
  readonly planWithout?: readonly string[]
}

/** Tries the judge on a mutant that its planner knows nothing of: without the misreadings that explain what it answers. */
export async function tryHeldOut(mutant: Mutant, service: Service, options: TrialOptions): Promise<Kill> {
  const { misreadings = [] } = await tryMutant(mutant, service, options)
  return tryMutant(mutant, service, { ...options, planWithout: misreadings })
}

/** Tries the judge on a mutant, up to its first violation. */
export async function tryMutant(
  mutant: Mutant,
  service: Service,
  { seed, requests, planWithout = [] }: TrialOptions,
): Promise<Kill> {
  const correct = correctBehaviour(service)
  const behaviour = { ...correct, ...mutant.change(correct) }
  const target = createMutantService({ service, data: makeData(service, { seed }), behaviour })
  const stop = new AbortController()
  let after: number | undefined
  const begin = performance.now()
  const report = await runConformance({
    spec: service,
    target,
    token: 'mutant-token',
    allowWrites: true,
    seed,
    requests,
    planWithout,
    signal: stop.signal,
    onProgress: progress => {
      // What is being reduced has been confirmed.
      if (progress.phase === 'reduce' || progress.violations > 0) after ??= progress.requests
      if (progress.violations > 0) stop.abort()
    },
  })
  const [violation] = report.violations
  const told = { mutant: mutant.name, area: mutant.area, seed, seconds: (performance.now() - begin) / 1000 }
  if (violation === undefined) return { ...told, verdict: report.verdict }
  const { rule, area, message, reduced, why } = violation
  return {
    ...told,
    verdict: report.verdict,
    after: after ?? report.requests,
    rule,
    ruleArea: area,
    message,
    misreadings: wrongInterpreters.filter(({ says }) => why.includes(`it looks as if ${says}`)).map(({ id }) => id),
    ...(reduced.to === 0 ? {} : { size: reduced.to }),
  }
}
