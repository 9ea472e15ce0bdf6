import { readFileSync } from 'node:fs'
import { loadSpecText, type Service } from '../../spec/language/index.js'
import { buildTypeTable } from '../../spec/language/table/type-table.js'
import { choiceRecord } from '../choice/choice-record.js'
import { discover } from '../engine/discover.js'
import { createLiveSession } from '../engine/live-session.js'
import type { Answer } from '../http/answer.js'
import { targetOf } from '../http/target.js'
import { createTransport } from '../http/transport.js'
import { buildVariant, correctBehaviour, createMutantService, makeData, mutants, variantsOf } from '../mutants/index.js'
import type { Rule, Watch } from '../rule/rule.js'
import type { Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import { supportRecord } from '../session/support-record.js'
import type { Site } from '../site/site.js'
import { createLedger } from '../writes/create-ledger.js'

export type SpecName = 'directory' | 'library'

/** A service to judge, found and harvested. */
export interface RuleBench {
  readonly session: Session
  /** Every answer so far, with the site that it came from. */
  readonly answers: readonly { readonly answer: Answer; readonly site: Site | undefined }[]
}

export interface BenchOptions {
  /** Name of a mutant. Default: none, the correct service. */
  readonly mutant?: string
  /** Names of variants that are correct. */
  readonly variant?: string | readonly string[]
  /** What was learned of choices. Default: nothing. */
  readonly choices?: Readonly<Record<string, string | number>>
  /** Open choices that the service makes otherwise. */
  readonly chosen?: Readonly<Record<string, string | number>>
  /** Changes what the service answers. */
  readonly through?: (target: Target) => Target
  /** Items of the largest sets. Default 24. */
  readonly rows?: number
  readonly writes?: boolean
}

type Target = (request: Request) => Promise<Response>

const services = new Map<SpecName, Service>()

/** A described service of the repository. */
export function specOf(name: SpecName): Service {
  const known = services.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`../../spec/${name}.yaml`, import.meta.url), 'utf8')
  const { service } = loadSpecText(text, `${name}.yaml`)
  if (service === undefined) throw new Error(`The spec ${name} has errors.`)
  services.set(name, service)
  return service
}

/** Opens a service in the same process, wrong or right, and reads its collections. */
export async function openBench(spec: SpecName | Service, options: BenchOptions = {}): Promise<RuleBench> {
  const service = typeof spec === 'string' ? specOf(spec) : spec
  const target = targetOf(answersOf(service, options), service.version)
  const transport = createTransport({
    target,
    token: 'mutant-token',
    requests: 5_000,
    time: 60_000,
    timeout: 10_000,
    concurrency: 4,
    now: () => performance.now(),
  })
  const choices = choiceRecord(service)
  for (const choice of service.open) {
    const value = options.choices?.[choice.name]
    if (value !== undefined) choices.learned({ choice, value, witnesses: [] })
  }
  const answers: { answer: Answer; site: Site | undefined }[] = []
  const nowhere = { creating: () => {}, created: () => {}, gone: () => {} }
  const live = createLiveSession({
    service,
    types: buildTypeTable(service),
    target,
    transport,
    choices,
    support: supportRecord(),
    ...(options.writes === true
      ? {
          ledger: createLedger(
            { service },
            ask => live.session.ask(ask),
            nowhere,
            'sw-bench',
            target.root,
            () => false,
          ),
        }
      : {}),
    maxRows: 500,
    onAnswer: answer => void answers.push({ answer, site: live.siteOf(answer) }),
  })
  const found = await discover(service, live.session, 500, () => {})
  live.found(found.sites, found.harvests)
  return { session: live.session, answers }
}

function answersOf(
  service: Service,
  { mutant, variant, chosen = {}, through = target => target, rows = 24 }: BenchOptions,
): Target {
  if (variant !== undefined) {
    const found = [variant].flat().map(name => {
      const known = variantsOf(service).find(each => each.name === name)
      if (known === undefined) throw new Error(`There is no variant ${name} of ${service.name}.`)
      return known
    })
    return buildVariant(found, service, 1)
  }
  const plain = correctBehaviour(service)
  const correct = { ...plain, choices: { ...plain.choices, ...chosen } }
  const found = mutants.find(each => each.name === mutant)
  if (mutant !== undefined && found === undefined) throw new Error(`There is no mutant ${mutant}.`)
  const behaviour = { ...correct, ...found?.change(correct) }
  return through(createMutantService({ service, data: makeData(service, { rows }), behaviour }))
}

export interface TryOptions {
  /** Sites that are tried at most. Default 3. */
  readonly sites?: number
  /** Planned cases of each site. Default 3. */
  readonly cases?: number
}

/** What a rule says of a service: the verdicts on its planned cases, or what it saw in the answers so far. */
export async function verdictsOf(
  rule: Rule | Watch,
  { session, answers }: RuleBench,
  { sites = 3, cases = 3 }: TryOptions = {},
): Promise<readonly Verdict[]> {
  if (rule.kind === 'watching') {
    return answers.flatMap(({ answer, site }): readonly Verdict[] => {
      const seen = rule.watch(answer, site, session)
      if (seen === undefined) return []
      return [seen === 'seen' ? { kind: 'pass' } : { kind: 'fail', finding: seen }]
    })
  }
  const verdicts: Verdict[] = []
  for (const site of rule.sites(session).slice(0, sites)) {
    for (const test of (rule.cases(site, session).planned ?? []).slice(0, cases)) {
      verdicts.push(await rule.check(test, site, session))
    }
  }
  return verdicts
}

/** Messages of what a rule accuses a service of. */
export async function accusationsOf(
  rules: readonly (Rule | Watch)[],
  bench: RuleBench,
  options: TryOptions = {},
): Promise<readonly string[]> {
  const found: string[] = []
  for (const rule of rules) {
    for (const verdict of await verdictsOf(rule, bench, options)) {
      if (verdict.kind === 'fail') found.push(`${rule.id}: ${verdict.finding.message}`)
    }
  }
  return found
}

/** Ids of the rules that told something of a service: a case passed that could have failed. */
export async function tellingRules(
  rules: readonly (Rule | Watch)[],
  bench: RuleBench,
  options: TryOptions = {},
): Promise<readonly string[]> {
  const ids: string[] = []
  // Those that only watch come last: then there is something to be seen.
  const isWatching = ({ kind }: Rule | Watch): number => (kind === 'watching' ? 1 : 0)
  for (const rule of [...rules].sort((a, b) => isWatching(a) - isWatching(b))) {
    const verdicts = await verdictsOf(rule, bench, options)
    if (verdicts.some(verdict => verdict.kind === 'pass' && verdict.trivial !== true)) ids.push(rule.id)
  }
  return ids
}
