import { isDeepStrictEqual } from 'node:util'
import type { QueryOptions } from '../../runtime/query/index.js'
import type { OpenChoice, Service } from '../../spec/language/index.js'
import type { Calibrator } from '../choices/calibrator.js'
import { type ChoiceRecord, choiceRuleId, withCommonValue } from '../choices/choices.js'
import { scopeOf } from '../choices/scope.js'
import type { CoverageRecord } from '../coverage/coverage-record.js'
import type { Site } from '../discover/site.js'
import type { Transport } from '../http/transport.js'
import { OptionsError, type Phase } from '../options.js'
import type { RuleMetadata, TestCase } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'
import { confirm, type FindingPlace, type LegalExplanation } from './explain.js'
import type { LiveSession, PrefetchTask } from './live-session.js'
import type { PassedConstructs, ViolationRecord } from './violations.js'

/** Learns the choices of a service when rules need them. */
export interface ChoiceLearner {
  /** Learns what most rules depend on. */
  readonly learnEssential: () => Promise<void>
  /** Learns what a rule depends on. */
  readonly learnFor: (rule: RuleMetadata) => Promise<void>
  /**
   * Reconsiders what was learned from the absence of evidence, given a suspected query. `isDifferent`: the service
   * chooses differently. `same`: the names of the choices that were shown to be as learned.
   */
  readonly reconsider: (test: TestCase, site: Site) => Promise<Reconsidered>
  /**
   * Observes choices on the properties that queries compare, where a finding depends on them.
   *
   * @returns whether anything new was observed
   */
  readonly observe: (choices: readonly OpenChoice[], queries: readonly QueryOptions[], site: Site) => Promise<boolean>
  /** What is known, for explanations. */
  readonly record: ChoiceRecord
  /** Records a choice that explains a finding. */
  readonly learnFrom: (explanation: LegalExplanation, place: FindingPlace, evidence: string) => void
  /** Learns the remaining choices, for the report. */
  readonly learnRemaining: () => Promise<void>
}

/** The result of looking again. */
interface Reconsidered {
  readonly isDifferent: boolean
  readonly same: ReadonlySet<string>
}

/**
 * Learns choices, and reports those that are not legal or that the profile does not allow.
 *
 * @throws {OptionsError} if the spec has no such profile
 */
export function createChoiceLearner(
  calibrators: readonly Calibrator[],
  record: ChoiceRecord,
  profile: string | undefined,
  context: RunContext,
): ChoiceLearner {
  const { live } = context
  const demands = profileDemands(live.shared.session.service, profile)
  const learned = new Set<Calibrator>()
  const checkProfile = (choice: OpenChoice): void => {
    const demand = demands.get(choice)
    if (demand === undefined) return
    const learned = record.all().find(each => each.choice === choice)
    const values = learned?.chosen?.map(({ value }) => value) ?? [learned?.value]
    const other = values.find(value => value !== undefined && String(value) !== demand)
    if (other === undefined) return
    const violation = profileViolation(choice, demand, String(other), learned?.evidence ?? [], profile ?? '')
    context.violations.add(violation, violation.finding)
  }
  const learn = async (requested: readonly Calibrator[]): Promise<void> => {
    const unlearned = requested.filter(calibrator => !learned.has(calibrator))
    if (unlearned.length === 0) return
    for (const calibrator of unlearned) learned.add(calibrator)
    live.shared.takeReadSites()
    await calibrate(unlearned, live, record, async (choice, settleTime, illegal) => {
      context.onPhase('calibrate')
      live.recordVisibilityDelay(settleTime)
      if (illegal !== undefined) await confirmIllegalChoice(illegal, context)
      checkProfile(choice)
      live.shared.takeReadSites()
    })
  }
  return {
    learnEssential: () => learn(calibrators.filter(({ neededBy }) => neededBy === undefined)),
    learnFor: ({ id, area }) =>
      learn(calibrators.filter(({ neededBy }) => neededBy?.some(name => name === id || name === area))),
    reconsider: async ({ options }, site) => {
      let isDifferent = false
      const same = new Set<string>()
      for (const calibrator of learned) {
        const choice = live.shared.session.service.open.find(({ name }) => name === calibrator.choice)
        if (choice === undefined || options?.filter === undefined) continue
        const result = await calibrator.reconsider?.(options.filter, site, live.shared.session)
        if (result === 'same') same.add(calibrator.choice)
        if (result === undefined || result === 'same' || result.kind !== 'learned') continue
        if (!result.chosen.every(({ value }) => choice.legal.includes(value))) continue
        const scopes = new Set(result.chosen.map(({ scope }) => scope))
        const others = record.all().find(each => each.choice === choice)?.chosen ?? []
        const chosen = [...others.filter(({ scope }) => !scopes.has(scope)), ...result.chosen]
        record.record(withCommonValue({ choice, chosen, evidence: result.evidence }))
        checkProfile(choice)
        isDifferent = true
      }
      return { isDifferent, same }
    },
    observe: async (choices, queries, site) => {
      let isNew = false
      for (const { choice: name, observe } of calibrators) {
        const choice = choices.find(each => each.name === name)
        if (choice === undefined || observe === undefined) continue
        for (const { filter } of queries) {
          const result = filter === undefined ? undefined : await observe(filter, site, live.shared.session)
          if (result?.kind !== 'learned') continue
          for (const chosen of result.chosen) {
            const known = record.all().find(each => each.choice === choice)?.chosen ?? []
            if (!choice.legal.includes(chosen.value) || known.some(each => isDeepStrictEqual(each, chosen))) continue
            record.add(choice, chosen, result.evidence[0] ?? '')
            isNew = true
          }
          checkProfile(choice)
        }
      }
      return isNew
    },
    record,
    learnFrom: ({ assumptions, isOnly }, { site, properties }, evidence) => {
      const [property] = properties
      // With several properties or assumptions, it is not known which of them was the reason.
      const isPresumed = !isOnly || properties.length > 1
      for (const { choice, value, operators } of assumptions) {
        const chosen = {
          value,
          scope: scopeOf(site),
          ...(operators === undefined ? {} : { operators }),
          ...(properties.length === 1 && property !== undefined ? { property } : {}),
          ...(isPresumed ? { isPresumed } : {}),
        }
        record.add(choice, chosen, evidence)
        checkProfile(choice)
      }
    },
    learnRemaining: () => learn(calibrators),
  }
}

function profileDemands(service: Service, profile: string | undefined): ReadonlyMap<OpenChoice, string> {
  if (profile === undefined) return new Map()
  const found = service.profiles.find(({ name }) => name === profile)
  if (found === undefined) {
    const known = service.profiles.map(({ name }) => name).join(', ')
    throw new OptionsError(`The spec has no profile "${profile}". It has: ${known || 'none'}.`)
  }
  return new Map(found.choices.map(({ choice, value }) => [choice, String(value)]))
}

async function confirmIllegalChoice(
  { choice, finding: first, calibrator }: IllegalChoice,
  context: RunContext,
): Promise<void> {
  const { live, transport, violations } = context
  const again = async (): Promise<Finding | undefined> => {
    live.invalidate()
    const result = await calibrator.learn(live.shared.session)
    return result.kind === 'illegal' ? result.finding : undefined
  }
  const confirmation = await confirm(again, live.refresh, live.shared.takeReadSites)
  if (confirmation.kind !== 'confirmed') return
  violations.add(
    {
      rule: ruleOf(choice),
      site: undefined,
      finding: confirmation.finding,
      replay: { rule: ruleOf(choice).id, site: '', test: {} },
      confirmed: confirmation.how,
      reduced: { from: 0, to: 0, requests: 0 },
      requestsSent: transport.requestsSent(),
    },
    first,
  )
}

/** A choice as a rule: its value must be legal. */
function ruleOf(choice: OpenChoice): RuleMetadata {
  return {
    id: choiceRuleId(choice),
    area: 'choices',
    statement: `${choice.description ?? choice.name} Legal: ${choice.legal.join(', ')}.`,
    advice: 'Every legal value is correct, as long as the service uses it consistently.',
    aspects: [],
    covers: [],
    severity: 'must',
  }
}

function profileViolation(
  choice: OpenChoice,
  required: string,
  chosen: string,
  evidence: readonly string[],
  profile: string,
): Parameters<RunContext['violations']['add']>[0] {
  const finding: Finding = {
    message: `The service chooses ${choice.name}: ${chosen}, but the profile ${profile} requires ${required}.`,
    expected: required,
    received: chosen,
    why: evidence,
    answers: [],
    features: ['profile', choice.name],
  }
  return {
    rule: ruleOf(choice),
    site: undefined,
    finding,
    replay: { rule: ruleOf(choice).id, site: '', test: {} },
    confirmed: 'learned from the named responses',
    reduced: { from: 0, to: 0, requests: 0 },
    requestsSent: 0,
  }
}

/** Behavior outside what a choice allows. */
interface IllegalChoice {
  readonly choice: OpenChoice
  readonly finding: Finding
  readonly calibrator: Calibrator
}

/**
 * Learns choices in the order of their dependencies. Those that do not depend on each other ask at the same time.
 *
 * @param onStep called after each choice, with the finding if it is illegal
 */
async function calibrate(
  calibrators: readonly Calibrator[],
  live: LiveSession,
  record: ChoiceRecord,
  onStep: (choice: OpenChoice, settleTime: number, illegal: IllegalChoice | undefined) => Promise<void>,
): Promise<void> {
  const { session } = live.shared
  const open = new Map(session.service.open.map(choice => [choice.name, choice]))
  const learn = async (calibrator: Calibrator): Promise<void> => {
    const choice = open.get(calibrator.choice)
    if (choice === undefined) return
    const result = await live.learn(calibrator.learn)
    if (result.kind === 'learned') {
      record.record(withCommonValue({ choice, chosen: result.chosen, evidence: result.evidence }))
      await onStep(choice, result.settleTime ?? 0, undefined)
    } else if (result.kind === 'undecided') {
      record.record({ choice, evidence: result.evidence ?? [], undecided: result.why })
      await onStep(choice, 0, undefined)
    } else {
      record.record({ choice, evidence: [], undecided: result.finding.message })
      await onStep(choice, 0, { choice, finding: result.finding, calibrator })
    }
  }
  for (const independent of inDependencyOrder(calibrators.filter(({ choice }) => open.has(choice)))) {
    const tasks = independent.map((calibrator): PrefetchTask => calibrator.learn)
    await live.prefetch(tasks, async () => {
      for (const calibrator of independent) await learn(calibrator)
    })
  }
}

/** Groups of calibrators that depend only on those in earlier groups. */
function inDependencyOrder(calibrators: readonly Calibrator[]): readonly (readonly Calibrator[])[] {
  const groups: Calibrator[][] = []
  let open = calibrators
  while (open.length > 0) {
    const names = new Set(open.map(({ choice }) => choice))
    const free = open.filter(({ after = [] }) => !after.some(name => names.has(name)))
    // Calibrators that depend on each other are learned in their order.
    const group = free.length > 0 ? free : open.slice(0, 1)
    groups.push([...group])
    open = open.filter(calibrator => !group.includes(calibrator))
  }
  return groups
}

/** The parts of a run that running rules, learning choices and confirming share. */
export interface RunContext {
  readonly live: LiveSession
  readonly transport: Transport
  readonly violations: ViolationRecord
  readonly passed: PassedConstructs
  readonly coverage: CoverageRecord
  readonly seed: number
  /** Maximum number of cases per rule and site. */
  readonly runs: number
  readonly onPhase: (phase: Phase) => void
}
