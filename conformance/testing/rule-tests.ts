import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpecText, type Service } from '../../spec/language/index.js'
import { buildTypeTable } from '../../spec/language/table/type-table.js'
import {
  correctBehaviour,
  createMutantService,
  createVariantService,
  generateData,
  mutants,
  variantsOf,
} from '../../tests/mutants/index.js'
import { createChoiceRecord } from '../choices/choices.js'
import { discover } from '../discover/discover.js'
import type { Site } from '../discover/site.js'
import { createLiveSession } from '../engine/live-session.js'
import { nearValidCredentials } from '../http/credentials.js'
import type { TestResponse } from '../http/message.js'
import { openTarget } from '../http/sender.js'
import { createTransport } from '../http/transport.js'
import type { Rule } from '../rule/rule.js'
import type { Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import { createSupportRecord } from '../session/support-record.js'
import { createLedger } from '../writes/ledger.js'

/** What the rules of an area must find, and where they must report nothing. */
interface RuleTests {
  readonly area: string
  readonly rules: readonly Rule[]
  readonly writes?: boolean
  /** Maximum sites per rule, on a conforming service and on a variant. */
  readonly sites: { readonly correct: number; readonly variants: number }
  /** Choices to assume for the mutants. */
  readonly choices?: Readonly<Record<string, string>>
  readonly mutants: readonly (readonly [mutant: string, rule: string, spec: SpecName])[]
  /** Variants of the Directory service to check. */
  readonly variants: readonly string[]
}

const specs: readonly SpecName[] = ['directory', 'library']
/** Milliseconds; each test creates and harvests a service. */
const timeout = 30_000

/**
 * Tests that the rules of an area find its mutants, that none is always vacuous, and that they report nothing for
 * conforming services.
 */
export function testRules({ area, rules, writes = false, sites, choices = {}, mutants, variants }: RuleTests): void {
  const ruleOf = (id: string): Rule => {
    const rule = rules.find(each => each.id === id)
    if (rule !== undefined) return rule
    throw new Error(
      `There is no rule ${id} in the area ${area}: its rules are ${rules.map(each => each.id).join(', ')}.`,
    )
  }
  describe(`the rules of ${area}`, { timeout }, () => {
    it.each(specs)('report nothing for a conforming %s', async spec => {
      const context = await openTestSession(spec, { writes })
      expect(await violationsOf(rules, context, { sites: sites.correct, cases: 6 })).toEqual([])
    })

    it('each prove something about a conforming directory or library', async () => {
      const conclusive = new Set<string>()
      for (const spec of specs) {
        for (const id of await conclusiveRules(rules, await openTestSession(spec, { writes }))) conclusive.add(id)
      }
      const vacuous = rules.map(({ id }) => id).filter(id => !conclusive.has(id))
      expect(
        vacuous,
        'No check of these rules proved anything about a conforming service. Either they return vacuous too often, or no case applies: add to the spec, or to the data or the behaviour of the services in tests/mutants/, what they inspect.',
      ).toEqual([])
    })

    it.each(mutants)('find the mutant %s with %s', async (mutant, id, spec) => {
      const context = await openTestSession(spec, { mutant, writes, choices })
      const rule = ruleOf(id)
      const active = rules.filter(each => each.kind === 'active')
      if (rule.kind === 'passive') for (const each of active) await verdictsOf(each, context)
      const verdicts = await verdictsOf(rule, context, { sites: 20, cases: 12, until: ({ kind }) => kind === 'fail' })
      expect(verdicts.map(({ kind }) => kind)).toContain('fail')
    })

    it.each(variants)('report nothing for the conforming variant %s', async variant => {
      const context = await openTestSession('directory', { variant, writes })
      expect(await violationsOf(rules, context, { sites: sites.variants, cases: 4 })).toEqual([])
    })
  })
}

export type SpecName = 'directory' | 'library'

/** A service under test, discovered and harvested. */
export interface TestSession {
  readonly session: Session
  /** All responses so far, with their sites. */
  readonly answers: readonly { readonly answer: TestResponse; readonly site: Site | undefined }[]
}

export interface TestSessionOptions {
  /** Name of a mutant. Default: none, a conforming service. */
  readonly mutant?: string
  /** Names of conforming variants. */
  readonly variant?: string | readonly string[]
  /** Learned choices. Default: none. */
  readonly choices?: Readonly<Record<string, string | number>>
  /** Open choices of the service. */
  readonly chosen?: Readonly<Record<string, string | number>>
  /** Changes the service's responses. */
  readonly transform?: (target: Target) => Target
  /** Number of items in the largest sets. Default: 24. */
  readonly rows?: number
  readonly writes?: boolean
  /** Whether rules may create items that cannot be deleted. */
  readonly mayLeave?: boolean
  /** Whether rules may change existing items that no endpoint creates. Default: they may. */
  readonly mayChange?: boolean
}

type Target = (request: Request) => Promise<Response>

const services = new Map<SpecName, Service>()

/** A spec of this repository. */
export function specOf(name: SpecName): Service {
  const known = services.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`../../spec/${name}.yaml`, import.meta.url), 'utf8')
  const { service } = loadSpecText(text, `${name}.yaml`)
  if (service === undefined) throw new Error(`The spec ${name} has errors.`)
  services.set(name, service)
  return service
}

/** Starts a service in this process, and discovers and harvests it. */
export async function openTestSession(
  spec: SpecName | Service,
  options: TestSessionOptions = {},
): Promise<TestSession> {
  const service = typeof spec === 'string' ? specOf(spec) : spec
  const target = openTarget(createTarget(service, options), service.version)
  const transport = createTransport({
    target,
    token: 'mutant-token',
    requests: 5_000,
    time: 60_000,
    timeout: 10_000,
    concurrency: 4,
    now: () => performance.now(),
  })
  const choices = createChoiceRecord(service)
  for (const choice of service.open) {
    const value = options.choices?.[choice.name]
    if (value !== undefined) choices.record({ choice, value, evidence: [] })
  }
  const answers: { answer: TestResponse; site: Site | undefined }[] = []
  const nowhere = { creating: () => {}, created: () => {}, changing: () => {}, gone: () => {} }
  const live = createLiveSession({
    service,
    types: buildTypeTable(service),
    target,
    transport,
    choices,
    support: createSupportRecord(),
    ...(options.writes === true
      ? {
          ledger: createLedger({ service }, request => live.shared.session.send(request), {
            journal: nowhere,
            mark: 'sw-bench',
            root: target.root,
            wasThere: () => false,
            mayLeave: options.mayLeave === true,
            mayChange: options.mayChange !== false,
          }),
        }
      : {}),
    nearValidCredentials: nearValidCredentials('mutant-token'),
    maxRows: 500,
    inspect: (answer, site) => {
      answers.push({ answer, site })
      return []
    },
  })
  const found = await discover(service, { session: live.shared.session, prefetch: live.prefetch }, 500, () => {})
  live.setDiscovered(found.sites, found.harvests)
  return { session: live.shared.session, answers }
}

/** A service under test: correct, a mutant, or the combination of variants. */
export function createTarget(
  service: Service,
  { mutant, variant, chosen = {}, transform = target => target, rows = 24 }: TestSessionOptions,
): Target {
  if (variant !== undefined) {
    const found = [variant].flat().map(name => {
      const known = variantsOf(service).find(each => each.name === name)
      if (known === undefined) throw new Error(`There is no variant ${name} of ${service.name}.`)
      return known
    })
    return createVariantService(found, service, 1)
  }
  const plain = correctBehaviour(service)
  const correct = { ...plain, choices: { ...plain.choices, ...chosen } }
  const found = mutants.find(each => each.name === mutant)
  if (mutant !== undefined && found === undefined) throw new Error(`There is no mutant ${mutant}.`)
  const behaviour = { ...correct, ...found?.change(correct) }
  return transform(createMutantService({ service, data: generateData(service, { rows }), behaviour }))
}

interface TryOptions {
  /** Maximum sites. Default: 3. */
  readonly sites?: number
  /** Planned cases per site. Default: 3. */
  readonly cases?: number
  /** Tries nothing else after such a verdict. */
  readonly until?: (verdict: Verdict) => boolean
}

/** The verdicts of a rule on its planned cases, or on the responses so far. */
export async function verdictsOf(
  rule: Rule,
  { session, answers }: TestSession,
  { sites = 3, cases = 3, until = () => false }: TryOptions = {},
): Promise<readonly Verdict[]> {
  if (rule.kind === 'passive') {
    return answers.flatMap(({ answer, site }): readonly Verdict[] => {
      const seen = rule.inspect(answer, site, session)
      if (seen === undefined) return []
      return [seen === 'seen' ? { kind: 'pass' } : { kind: 'fail', finding: seen }]
    })
  }
  const verdicts: Verdict[] = []
  for (const site of rule.sites(session).slice(0, sites)) {
    for (const test of (rule.cases(site, session).planned ?? []).slice(0, cases)) {
      const verdict = await rule.check(test, site, session)
      verdicts.push(verdict)
      if (until(verdict)) return verdicts
    }
  }
  return verdicts
}

/** The violations that rules report. */
async function violationsOf(
  rules: readonly Rule[],
  context: TestSession,
  options: TryOptions = {},
): Promise<readonly string[]> {
  const found: string[] = []
  for (const rule of rules) {
    for (const verdict of await verdictsOf(rule, context, options)) {
      if (verdict.kind === 'fail') found.push(`${rule.id}: ${verdict.finding.message}`)
    }
  }
  return found
}

const isConclusive = (verdict: Verdict): boolean => verdict.kind === 'pass' && verdict.vacuous !== true

/** Ids of the rules with a pass that was not vacuous. */
async function conclusiveRules(
  rules: readonly Rule[],
  context: TestSession,
  options: TryOptions = {},
): Promise<readonly string[]> {
  const ids: string[] = []
  // Passive rules come last, so that they have responses to inspect.
  const isPassive = ({ kind }: Rule): number => (kind === 'passive' ? 1 : 0)
  for (const rule of [...rules].sort((a, b) => isPassive(a) - isPassive(b))) {
    const verdicts = await verdictsOf(rule, context, { until: isConclusive, ...options })
    if (verdicts.some(isConclusive)) ids.push(rule.id)
  }
  return ids
}

/** A spec of this repository with small pages relative to its collections: the maximum of `$top` is two pages. */
export function specWithSmallPages(name: SpecName, size: number): Service {
  const text = readFileSync(new URL(`../../spec/${name}.yaml`, import.meta.url), 'utf8')
  const { service } = loadSpecText(
    text.replaceAll(/default: \d+, max: \d+/g, `default: ${size}, max: ${size * 2}`),
    name,
  )
  if (service === undefined) throw new Error(`The spec ${name} has errors.`)
  return service
}
