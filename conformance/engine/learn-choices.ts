import type { OpenChoice, Service } from '../../spec/language/index.js'
import type { Calibrator } from '../choice/calibrator.js'
import type { ChoiceRecord } from '../choice/choice-record.js'
import { OptionsError } from '../options-error.js'
import type { Case } from '../rule/case.js'
import type { RuleFacts } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'
import type { Site } from '../site/site.js'
import { calibrate, type IllegalChoice } from './calibrate.js'
import { choiceRuleId } from './choice-rule-id.js'
import { confirm } from './confirm.js'
import type { Bench } from './judge.js'

/** Learns what the service chose, when it is needed. */
export interface Learning {
  /** What most rules rest on. */
  readonly first: () => Promise<void>
  /** What a rule rests on, and was not learned yet. */
  readonly forRule: (rule: RuleFacts) => Promise<void>
  /** Whether a choice turns out to be another than was learned, so that a suspicion about a filter rests on nothing. */
  readonly reconsider: (test: Case, site: Site) => Promise<boolean>
  /** What no rule has needed, for the report. */
  readonly rest: () => Promise<void>
}

/**
 * What the service chose, and findings where it chose what nobody may, or what the profile does not allow.
 *
 * @throws {OptionsError} when the spec has no such profile
 */
export function createLearning(
  calibrators: readonly Calibrator[],
  record: ChoiceRecord,
  profile: string | undefined,
  bench: Omit<Bench, 'learning'>,
): Learning {
  const { live } = bench
  const demands = demandsOf(live.session.service, profile)
  const learned = new Set<Calibrator>()
  const hold = (choice: OpenChoice): void => {
    const demand = demands.get(choice)
    const value = record.get(choice.name)
    if (demand === undefined || value === undefined || String(value) === demand) return
    const violation = demanded(choice, demand, record, profile ?? '')
    bench.violations.add(violation, violation.finding)
  }
  const learn = async (wanted: readonly Calibrator[]): Promise<void> => {
    const fresh = wanted.filter(calibrator => !learned.has(calibrator))
    if (fresh.length === 0) return
    for (const calibrator of fresh) learned.add(calibrator)
    live.takeLookedAt()
    await calibrate(fresh, live.session, record, async (choice, settleTime, illegal) => {
      bench.onPhase('calibrate')
      live.settlesWithin(settleTime)
      if (illegal !== undefined) await suspectChoice(illegal, bench)
      hold(choice)
      live.takeLookedAt()
    })
  }
  return {
    first: () => learn(calibrators.filter(({ neededBy }) => neededBy === undefined)),
    forRule: ({ id, area }) =>
      learn(calibrators.filter(({ neededBy }) => neededBy?.some(name => name === id || name === area))),
    reconsider: async ({ options }, site) => {
      let isOther = false
      for (const calibrator of learned) {
        const choice = live.session.service.open.find(({ name }) => name === calibrator.choice)
        if (choice === undefined || options?.filter === undefined) continue
        const lesson = await calibrator.reconsider?.(options.filter, site, live.session)
        if (lesson?.kind !== 'learned' || !choice.legal.includes(lesson.value)) continue
        record.learned({ choice, value: lesson.value, witnesses: lesson.witnesses })
        hold(choice)
        isOther = true
      }
      return isOther
    },
    rest: () => learn(calibrators),
  }
}

function demandsOf(service: Service, profile: string | undefined): ReadonlyMap<OpenChoice, string> {
  if (profile === undefined) return new Map()
  const found = service.profiles.find(({ name }) => name === profile)
  if (found === undefined) {
    const known = service.profiles.map(({ name }) => name).join(', ')
    throw new OptionsError(`The spec has no profile "${profile}". It has: ${known || 'none'}.`)
  }
  return new Map(found.choices.map(({ choice, value }) => [choice, String(value)]))
}

async function suspectChoice(
  { choice, finding: first, calibrator }: IllegalChoice,
  bench: Omit<Bench, 'learning'>,
): Promise<void> {
  const { live, transport, violations } = bench
  const again = async (): Promise<Finding | undefined> => {
    live.forget()
    const lesson = await calibrator.learn(live.session)
    return lesson.kind === 'illegal' ? lesson.finding : undefined
  }
  const confirmation = await confirm(again, live.refresh, live.takeLookedAt)
  if (confirmation.kind !== 'confirmed') return
  violations.add(
    {
      rule: ruleOf(choice),
      site: undefined,
      finding: confirmation.finding,
      replay: { rule: ruleOf(choice).id, site: '', test: {} },
      confirmed: confirmation.how,
      reduced: { from: 0, to: 0, requests: 0 },
      after: transport.sent(),
    },
    first,
  )
}

/** The rule that a choice is: one of the answers that are legal. */
function ruleOf(choice: OpenChoice): RuleFacts {
  return {
    id: choiceRuleId(choice),
    area: 'choices',
    statement: `${choice.description ?? choice.name} Legal: ${choice.legal.join(', ')}.`,
    advice: 'Any of the legal answers is right, as long as the service gives the same one everywhere.',
    clauses: [],
    covers: [],
    severity: 'must',
  }
}

function demanded(
  choice: OpenChoice,
  wanted: string,
  record: ChoiceRecord,
  profile: string,
): Parameters<Bench['violations']['add']>[0] {
  const learned = record.all().find(each => each.choice === choice)
  const finding: Finding = {
    message: `The service chooses ${choice.name}: ${learned?.value}, and the profile ${profile} demands ${wanted}.`,
    expected: wanted,
    received: String(learned?.value),
    why: learned?.witnesses ?? [],
    answers: [],
    features: ['profile', choice.name],
  }
  return {
    rule: ruleOf(choice),
    site: undefined,
    finding,
    replay: { rule: ruleOf(choice).id, site: '', test: {} },
    confirmed: 'learned from the answers named',
    reduced: { from: 0, to: 0, requests: 0 },
    after: 0,
  }
}
