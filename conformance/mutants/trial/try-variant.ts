import type { Service } from '../../../spec/language/index.js'
import type { Violation } from '../../report/report.js'
import { runConformance } from '../../run-conformance.js'
import { buildVariant } from '../variants/build-variant.js'
import type { Variant } from '../variants/variant.js'
import { lines } from './kill-table.js'
import type { TrialOptions } from './try-mutant.js'

/** What the judge said of a correct service. */
export interface Accusation {
  /** Names of the variants that it is. */
  readonly variants: readonly string[]
  readonly spec: string
  readonly seed: number
  readonly verdict: string
  readonly summary: string
  /** None of these is true. */
  readonly violations: readonly Violation[]
  readonly requests: number
  readonly seconds: number
}

/** Judges a service that is correct: every violation found is a false one. */
export async function tryVariant(
  variants: readonly Variant[],
  service: Service,
  { seed, requests }: TrialOptions,
): Promise<Accusation> {
  const begin = performance.now()
  const report = await runConformance({
    spec: service,
    target: buildVariant(variants, service, seed),
    token: 'mutant-token',
    allowWrites: true,
    seed,
    requests,
  })
  return {
    variants: variants.map(({ name }) => name),
    spec: service.name,
    seed,
    verdict: report.verdict,
    summary: report.summary,
    violations: report.violations,
    requests: report.requests,
    seconds: (performance.now() - begin) / 1000,
  }
}

/** What was said of each correct service, and how often it was wrong. */
export function accusationTable(accusations: readonly Accusation[]): string {
  const rows = accusations.map(({ variants, spec, seed, verdict, violations, requests }) => [
    variants.join(' + '),
    spec,
    String(seed),
    verdict,
    String(requests),
    violations.map(({ rule, features }) => `${rule} (${features.join(' ')})`).join('; '),
  ])
  const wrong = accusations.filter(({ violations }) => violations.length > 0).length
  const told = accusations.filter(({ verdict }) => verdict === 'conforms').length
  return [
    lines([['variant', 'spec', 'seed', 'verdict', 'requests', 'accusations'], ...rows]),
    '',
    `${accusations.length} runs of correct services: ${wrong} falsely accused, ${told} found to conform`,
  ].join('\n')
}
