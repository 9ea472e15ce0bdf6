import { type Area, runConformance, type Violation } from '../../conformance/index.js'
import { bugModels } from '../../conformance/probes/bug-models/index.js'
import type { Service } from '../../spec/language/index.js'
import type { Mutant } from './catalogue/mutant.js'
import { generateData } from './data/generate-data.js'
import { correctBehaviour } from './service/correct-behaviour.js'
import { createMutantService } from './service/service.js'
import { createVariantService } from './variants/index.js'
import type { Variant } from './variants/variant.js'

/** The result for one mutant with one seed. */
export interface MutantResult {
  readonly mutant: string
  readonly area: Area
  readonly seed: number
  /** The number of requests until the first violation was confirmed. Absent if the mutant was not detected. */
  readonly requests?: number
  /** The rule that detected it. */
  readonly rule?: string
  readonly ruleArea?: Area
  /** Size of the shrunk counterexample: nodes and options. Absent if there is nothing to shrink. */
  readonly size?: number
  readonly message?: string
  /** Ids of the bug models that explain its responses. */
  readonly bugModels?: readonly string[]
  /** The verdict of the run. */
  readonly verdict: string
  readonly seconds: number
}

export interface TrialOptions {
  readonly seed: number
  /** Maximum number of requests. */
  readonly requests: number
  /** Ids of bug models that the filter planner must not use. */
  readonly planWithout?: readonly string[]
  /** Choices that the suite must not learn. */
  readonly excludedChoices?: readonly string[]
}

/** Runs the suite on a mutant without the bug models that explain its responses, so that the planner does not know it. */
export async function runHeldOut(mutant: Mutant, service: Service, options: TrialOptions): Promise<MutantResult> {
  const { bugModels: misreadings = [] } = await runMutant(mutant, service, options)
  return runMutant(mutant, service, { ...options, planWithout: misreadings })
}

/** Runs the suite on a mutant until it reports a violation. */
export async function runMutant(
  mutant: Mutant,
  service: Service,
  { seed, requests, planWithout = [] }: TrialOptions,
): Promise<MutantResult> {
  const correct = correctBehaviour(service)
  const behaviour = { ...correct, ...mutant.change(correct) }
  const target = createMutantService({ service, data: generateData(service, { seed }), behaviour })
  const stop = new AbortController()
  let after: number | undefined
  const begin = performance.now()
  const report = await runConformance({
    spec: service,
    target,
    token: 'mutant-token',
    allowWrites: true,
    allowChanges: true,
    seed,
    requests,
    excludedBugModels: planWithout,
    signal: stop.signal,
    onProgress: progress => {
      // A violation is confirmed before it is shrunk.
      if (progress.phase === 'reduce' || progress.violations > 0) after ??= progress.requests
      if (progress.violations > 0) stop.abort()
    },
  })
  const [violation] = report.violations
  const result = { mutant: mutant.name, area: mutant.area, seed, seconds: (performance.now() - begin) / 1000 }
  if (violation === undefined) return { ...result, verdict: report.verdict }
  const { rule, area, message, reduced, why } = violation
  return {
    ...result,
    verdict: report.verdict,
    requests: after ?? report.requests,
    rule,
    ruleArea: area,
    message,
    bugModels: bugModels.filter(({ description: says }) => why.includes(`it looks as if ${says}`)).map(({ id }) => id),
    ...(reduced.to === 0 ? {} : { size: reduced.to }),
  }
}

/** The result for a conforming service. */
export interface VariantResult {
  /** Names of the variants that are combined. */
  readonly variants: readonly string[]
  readonly spec: string
  readonly seed: number
  readonly verdict: string
  readonly summary: string
  /** All of these are false positives. */
  readonly violations: readonly Violation[]
  readonly requests: number
  readonly seconds: number
}

/** Runs the suite on a conforming service. Every reported violation is a false positive. */
export async function runVariant(
  variants: readonly Variant[],
  service: Service,
  { seed, requests, excludedChoices = [] }: TrialOptions,
): Promise<VariantResult> {
  const begin = performance.now()
  const report = await runConformance({
    spec: service,
    target: createVariantService(variants, service, seed),
    token: 'mutant-token',
    allowWrites: true,
    allowChanges: true,
    seed,
    requests,
    excludedChoices,
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

/** The results for conforming services, with the number of false positives. */
export function falsePositiveTable(results: readonly VariantResult[]): string {
  const rows = results.map(({ variants, spec, seed, verdict, violations, requests }) => [
    variants.join(' + '),
    spec,
    String(seed),
    verdict,
    String(requests),
    violations.map(({ rule, features }) => `${rule} (${features.join(' ')})`).join('; '),
  ])
  const wrong = results.filter(({ violations }) => violations.length > 0).length
  const conforming = results.filter(({ verdict }) => verdict === 'conforms' || verdict === 'partial').length
  return [
    alignColumns([['variant', 'spec', 'seed', 'verdict', 'requests', 'false positives'], ...rows]),
    '',
    `${results.length} runs of conforming services: ${wrong} with false positives, ${conforming} found to conform`,
  ].join('\n')
}

/** Numbers of requests for which the detection rate is reported. */
const budgets = [150, 500, 2000]

/** A table of mutants: how many seeds detect each mutant, with which rule, and after how many requests. */
export function killTable(results: readonly MutantResult[]): string {
  const groups = byMutant(results)
  const rows = [...groups].map(([name, all]) => {
    const found = all.filter(({ requests }) => requests !== undefined)
    const [first] = found
    return [
      name,
      all[0]?.area ?? '',
      `${found.length}/${all.length}`,
      String(median(found.flatMap(({ requests }) => requests ?? [])) ?? '-'),
      String(median(found.flatMap(({ size }) => size ?? [])) ?? '-'),
      first === undefined
        ? `not found (${all[0]?.verdict})`
        : [...new Set(found.map(({ rule }) => rule ?? ''))].join(', '),
    ]
  })
  return [alignColumns([['mutant', 'area', 'found', 'requests', 'size', 'rules'], ...rows]), '', summary(results)].join(
    '\n',
  )
}

function byMutant(results: readonly MutantResult[]): ReadonlyMap<string, readonly MutantResult[]> {
  const groups = new Map<string, MutantResult[]>()
  for (const each of results) groups.set(each.mutant, [...(groups.get(each.mutant) ?? []), each])
  return groups
}

/** The overall detection rates. */
export function summary(results: readonly MutantResult[]): string {
  const share = (part: number): string => `${((100 * part) / Math.max(1, results.length)).toFixed(1)} %`
  const found = results.filter(({ requests }) => requests !== undefined)
  const rates = budgets.map(budget => {
    const within = found.filter(({ requests = Number.POSITIVE_INFINITY }) => requests <= budget)
    return `${share(within.length)} within ${budget}`
  })
  const located = found.filter(({ area, ruleArea }) => area === ruleArea).length
  const sizes = found.flatMap(({ size }) => size ?? [])
  return [
    `${new Set(results.map(({ mutant }) => mutant)).size} mutants, ${new Set(results.map(({ seed }) => seed)).size} seeds, ${results.length} runs`,
    `found: ${rates.join(', ')} requests`,
    `first rule of the mutant's area: ${((100 * located) / Math.max(1, found.length)).toFixed(1)} %`,
    `median of requests: ${median(found.flatMap(({ requests }) => requests ?? [])) ?? '-'}; median size of the example: ${median(sizes) ?? '-'}`,
  ].join('\n')
}

function median(numbers: readonly number[]): number | undefined {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)]
}

/** Aligns the cells of each column. */
function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
