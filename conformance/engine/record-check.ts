import type { QueryOptions } from '../../runtime/query/index.js'
import type { Choices } from '../choices/choices.js'
import { propertiesOfQuery } from '../choices/scope.js'
import type { Outcome } from '../coverage/coverage-record.js'
import type { Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { BudgetExhausted } from '../http/transport.js'
import type { Replay } from '../report/replay-token.js'
import { constructsOf } from '../rule/query-request.js'
import type { ActiveRule, PassiveRule, TestCase } from '../rule/rule.js'
import type { Finding, Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import { confirm, type Explanation, explainFinding, type FindingPlace } from './explain.js'
import type { ChoiceLearner, RunContext } from './learn-choices.js'
import type { CheckView, LiveSession, SuspectedViolation } from './live-session.js'
import { caseSize, type GeneratedCase, halveFilter, reduceCase, shrinkGenerated } from './reduce.js'
import { type ScheduledRule, scheduledRule } from './schedule.js'
import { findingKey } from './violations.js'

/** What running rules needs. */
export interface RuleContext extends RunContext {
  readonly choiceLearner: ChoiceLearner
}

export interface ScheduleContext extends RuleContext {
  readonly units: readonly ScheduledRule[]
}

/** A case that was checked, with its result. */
interface CheckedCase {
  readonly scheduled: ScheduledRule
  readonly test: TestCase
  readonly verdict: Verdict
  readonly view: CheckView
  /** How a random case was generated. */
  readonly generated?: GeneratedCase
}

/** Records the result of a check. Confirms and reduces what seems to be wrong. */
export async function recordCheck(
  { scheduled, test, verdict, view, generated }: CheckedCase,
  suspected: readonly SuspectedViolation[],
  context: ScheduleContext,
): Promise<void> {
  const requests = view.requests()
  scheduled.checks++
  scheduled.requests += requests
  scheduled.spent += Math.max(requests, 0.25)
  recordVerdict(scheduled, test, verdict, context)
  const cover = (outcome: Outcome): void =>
    context.coverage.recordCheck(scheduled.rule, scheduled.site, outcome, view.exercised())
  if (verdict.kind !== 'fail') cover(outcomeOf(verdict))
  // Report what passive rules found in a response before what this rule concludes from it.
  for (const each of suspected) await confirmSuspectedViolation(each, { unit: scheduled, test }, context)
  if (verdict.kind !== 'fail') return
  // If a server error was reported, do not report what it causes.
  const { answers } = verdict.finding
  const isReported = suspected
    .filter(({ answer }) => answers.some(({ status, number }) => status >= 500 && number === answer.number))
    .some(({ rule, finding }) => context.violations.isKnown(rule, scheduled.site, finding, scheduled))
  const before = scheduled.violations
  if (isReported) scheduled.violations++
  else await confirmAndReduce(scheduled, test, verdict.finding, view, context, generated)
  if (scheduled.violations > before) cover({ kind: 'checked' })
  else cover({ kind: 'inconclusive', why: scheduled.why ?? 'a violation was suspected, but not confirmed' })
}

/** What a check that found nothing says about the aspects that it is about. */
function outcomeOf(verdict: Exclude<Verdict, { readonly kind: 'fail' }>): Outcome {
  if (verdict.kind === 'unsupported') return { kind: 'refused' }
  if (verdict.kind === 'inconclusive') return verdict
  return verdict.vacuous === true
    ? { kind: 'inconclusive', why: 'no probe distinguished any rows' }
    : { kind: 'checked' }
}

function recordVerdict(
  scheduled: ScheduledRule,
  test: TestCase,
  verdict: Verdict,
  { live: { shared }, passed }: RunContext,
): void {
  switch (verdict.kind) {
    case 'pass':
      if (verdict.vacuous === true) {
        scheduled.vacuous++
        scheduled.spent++
      } else scheduled.selected.push(...(verdict.selected ?? []))
      if (test.options === undefined) break
      shared.session.support.recordAccepted(scheduled.site, constructsOf(test.options))
      if (verdict.vacuous !== true) passed.add(scheduled.rule.area, constructsOf(test.options))
      break
    case 'unsupported':
      scheduled.unsupported++
      scheduled.spent++
      shared.session.support.recordRejected(scheduled.site, verdict.constructs)
      break
    case 'inconclusive':
      scheduled.inconclusive++
      scheduled.spent += 2
      scheduled.why = verdict.why
      break
    case 'fail':
      break
  }
}

/** Confirms a finding, reduces its case, and records it. */
async function confirmAndReduce(
  scheduled: ScheduledRule,
  test: TestCase,
  first: Finding,
  seen: CheckView,
  context: ScheduleContext,
  generated?: GeneratedCase,
): Promise<void> {
  const { live, transport, violations } = context
  const { rule, site } = scheduled
  if (violations.isKnown(rule, site, first)) {
    scheduled.violations++
    return
  }
  if (violations.isDoubtful(rule, site, first)) {
    recordDoubt(scheduled, 'unstable')
    return
  }
  const { isDifferent, same } = await context.choiceLearner.reconsider(test, site)
  if (isDifferent) {
    scheduled.inconclusive++
    scheduled.why = 'it depended on a choice that turned out to be different'
    return
  }
  if (await isExplainedByPrerequisite(scheduled, test, context)) {
    scheduled.violations++
    return
  }
  let suspect: SuspectedCase = { test, finding: first, view: seen }
  let explanation = await explainCheck(scheduled, suspect, context, same)
  if (explanation.kind !== 'violation' && explanation.doubtful.length > 0 && !rule.writes) {
    const smaller = await smallerSuspect(scheduled, suspect, context)
    if (smaller !== suspect) explanation = await explainCheck(scheduled, smaller, context, same)
    suspect = smaller
    explanation = await observeAndExplain(explanation, scheduled, suspect, context, same)
  }
  if (explanation.kind === 'unclear') {
    scheduled.inconclusive++
    scheduled.why = 'a combination of permitted choices may explain what seemed to be wrong'
  }
  if (explanation.kind === 'legal') {
    context.choiceLearner.learnFrom(explanation, placeOf(scheduled, suspect.test), evidenceOf(suspect.finding, site))
  }
  if (explanation.kind !== 'violation') return
  const view = live.openCheck({ site, choices: explanation.choices })
  const fails = async (tried: TestCase): Promise<Finding | undefined> => {
    live.invalidate()
    const verdict = await rule.check(tried, site, view.session)
    return verdict.kind === 'fail' ? verdict.finding : undefined
  }
  context.onPhase('confirm')
  for (const each of suspect.view.takeReadSites()) view.session.snapshot(each)
  const readSites = (): readonly Site[] => view.takeReadSites().filter(each => !isChangedBy(rule, site, each))
  // To explain what a rule that writes has found, its check was repeated.
  const confirmation = await confirm(() => fails(suspect.test), live.refresh, readSites, rule.writes ? 1 : 0)
  if (confirmation.kind !== 'confirmed') {
    recordDoubt(scheduled, confirmation.kind)
    if (confirmation.kind === 'unstable') violations.doubt(rule, site, suspect.finding)
    return
  }
  scheduled.violations++
  const start = transport.requestsSent()
  const { finding } = confirmation
  const confirmed = { test: suspect.test, first: suspect.finding, finding, fails, ...(generated && { generated }) }
  const small = await reduceConfirmed(scheduled, confirmed, view, context)
  const sizes = { from: caseSize(test), to: caseSize(small.test), requests: transport.requestsSent() - start }
  violations.add(
    {
      rule,
      site,
      finding: small.finding,
      replay: { rule: rule.id, site: site.id, test: small.test },
      confirmed: confirmation.how,
      reduced: sizes,
      requestsSent: start,
    },
    first,
  )
  live.shared.takeSuspected()
}

/**
 * Whether a check itself changes a collection. A service that keeps deleted items in it, or creates items twice, leaves
 * it changed; what the check says of its own items does not depend on other clients.
 */
function isChangedBy({ writes }: ActiveRule, site: Site, collection: Site): boolean {
  return writes && (collection.path === site.path || collection.type === site.type)
}

/** A case that failed, with the responses that show it. */
interface SuspectedCase {
  readonly test: TestCase
  readonly finding: Finding
  readonly view: CheckView
}

/** Looks for a legal explanation of a finding. */
function explainCheck(
  scheduled: ScheduledRule,
  { test, view: { responses } }: SuspectedCase,
  { live, choiceLearner }: ScheduleContext,
  same: ReadonlySet<string>,
): Promise<Explanation> {
  const { rule, site } = scheduled
  const isWrong = async (choices: Choices): Promise<boolean> => {
    live.invalidate()
    // A rule that writes changes what it reads.
    const view = live.openCheck({ site, choices, ...(rule.writes ? {} : { responses }) })
    const verdict = await rule.check(test, site, view.session)
    return verdict.kind === 'fail'
  }
  return explainFinding(isWrong, placeOf(scheduled, test), choiceLearner.record, same)
}

/** How often to observe choices that would explain a finding. */
const maxObservations = 3

/** Observes the choices that would explain a finding, as long as that changes the explanation. */
async function observeAndExplain(
  first: Explanation,
  scheduled: ScheduledRule,
  suspect: SuspectedCase,
  context: ScheduleContext,
  same: ReadonlySet<string>,
): Promise<Explanation> {
  const queries = queriesIn(scheduled, suspect.test)
  let explanation = first
  for (let round = 0; round < maxObservations && explanation.kind !== 'violation'; round++) {
    if (explanation.doubtful.length === 0) break
    if (!(await context.choiceLearner.observe(explanation.doubtful, queries, scheduled.site))) break
    explanation = await explainCheck(scheduled, suspect, context, same)
  }
  return explanation
}

/** A smaller case that fails, too, if there is one: fewer choices may explain it. */
async function smallerSuspect(
  { rule, site }: ScheduledRule,
  suspect: SuspectedCase,
  { live }: ScheduleContext,
): Promise<SuspectedCase> {
  let smallest = suspect
  await halveFilter(suspect.test, async test => {
    const view = live.openCheck({ site, mayReuse: true })
    const verdict = await rule.check(test, site, view.session)
    if (verdict.kind === 'fail') smallest = { test, finding: verdict.finding, view }
    return verdict.kind === 'fail'
  })
  return smallest
}

function placeOf(scheduled: ScheduledRule, test: TestCase): FindingPlace {
  return {
    site: scheduled.site,
    properties: [...new Set(queriesIn(scheduled, test).flatMap(propertiesOfQuery))],
  }
}

function queriesIn({ rule }: ScheduledRule, test: TestCase): readonly QueryOptions[] {
  return rule.queries?.(test) ?? queriesOf(test)
}

function evidenceOf({ message, answers }: Finding, site: Site): string {
  const url = answers[0]?.request.url
  return `${url === undefined ? site.id : new URL(url).pathname + new URL(url).search}: ${message}`
}

/** Whether a simpler rule explains the finding; that rule then reports it. */
async function isExplainedByPrerequisite(
  scheduled: ScheduledRule,
  test: TestCase,
  context: ScheduleContext,
): Promise<boolean> {
  const { live, choiceLearner, violations } = context
  for (const { unit: basis, test: plainest } of prerequisitesOf(scheduled, test, context.units, live.shared.session)) {
    const { rule, site, rank } = basis
    await choiceLearner.learnFor(rule)
    live.invalidate()
    const view = live.openCheck({ site })
    const verdict = await rule.check(plainest, site, view.session)
    if (verdict.kind !== 'fail') continue
    // Use a schedule entry of its own, so that the rule keeps its turn.
    await confirmAndReduce(scheduledRule(rule, site, rank), plainest, verdict.finding, view, context)
    if (violations.isKnown(rule, site, verdict.finding, scheduled)) return true
  }
  return false
}

/** A case that failed twice. */
interface ConfirmedCase {
  readonly test: TestCase
  /** The finding of the first check. */
  readonly first: Finding
  /** The finding of the confirmation. */
  readonly finding: Finding
  readonly fails: (tried: TestCase) => Promise<Finding | undefined>
  readonly generated?: GeneratedCase
}

async function reduceConfirmed(
  { rule, site }: ScheduledRule,
  { test, first, finding, fails, generated }: ConfirmedCase,
  view: CheckView,
  { live, transport, onPhase }: RunContext,
): Promise<{ readonly test: TestCase; readonly finding: Finding }> {
  onPhase('reduce')
  try {
    const more = (smaller: TestCase): Iterable<TestCase> => rule.shrink?.(smaller, site, view.session) ?? []
    const stillFails = async (tried: TestCase): Promise<boolean> => (await fails(tried)) !== undefined
    const sent = transport.requestsSent
    const isGenerated = generated !== undefined && test.steps !== undefined
    const shrunk = isGenerated ? await shrinkGenerated(test, generated, stillFails, sent) : test
    const small = await reduceCase(shrunk, stillFails, more, sent, rule.requiredOptions)
    if (small === test) return { test, finding }
    view.takeReadSites()
    const readSites = (): readonly Site[] => view.takeReadSites().filter(each => !isChangedBy(rule, site, each))
    const again = await confirm(() => fails(small), live.refresh, readSites)
    return again.kind === 'confirmed' ? { test: small, finding: again.finding } : { test, finding }
  } catch (error) {
    // A confirmed violation stays confirmed if the budget ends during reduction.
    if (error instanceof BudgetExhausted) return { test, finding: finding.answers.length > 0 ? finding : first }
    throw error
  }
}

function recordDoubt(scheduled: ScheduledRule, kind: 'flaky' | 'unstable'): void {
  if (kind === 'flaky') scheduled.flaky++
  else {
    scheduled.inconclusive++
    scheduled.why = 'the data changed during every confirmation'
  }
}

/** Confirms what a passive rule found. Reads are sent again; writes are repeated with their case. */
export async function confirmSuspectedViolation(
  suspected: SuspectedViolation,
  source: { readonly unit: ScheduledRule; readonly test: TestCase } | undefined,
  context: RuleContext,
): Promise<void> {
  const { rule, answer, site, finding: first } = suspected
  const { live, transport, violations } = context
  if (violations.isKnown(rule, site, first) || violations.isDoubtful(rule, site, first)) return
  const key = findingKey(rule.area, first)
  const same = ({ rule: seen, finding }: SuspectedViolation): boolean =>
    seen === rule && findingKey(seen.area, finding) === key
  const isSent = isSentAgain(answer, source, live)
  if (!isSent && source === undefined) return
  const choices = site === undefined ? undefined : await explainInspection(suspected, site, context)
  if (site !== undefined && choices === undefined) return
  const view = live.openCheck({ site, ...(choices === undefined ? {} : { choices }) })
  // The ledger creates items outside the view.
  const takeSuspected = (): readonly SuspectedViolation[] => [...view.takeSuspected(), ...live.shared.takeSuspected()]
  const again = async (): Promise<Finding | undefined> => {
    takeSuspected()
    live.invalidate()
    if (isSent) await view.session.send(answer.testRequest)
    else if (source !== undefined) await source.unit.rule.check(source.test, source.unit.site, view.session)
    const found = takeSuspected().find(same)?.finding
    if (found !== undefined || !(await refuseAgain(suspected, view))) return found
    return takeSuspected().find(same)?.finding
  }
  context.onPhase('confirm')
  if (site !== undefined) view.session.snapshot(site)
  // The check that is repeated changes what it reads; what it does not change must stay the same.
  const isOther = (each: Site): boolean =>
    isSent || source === undefined || !isChangedBy(source.unit.rule, source.unit.site, each)
  const confirmation = await confirm(again, live.refresh, () => view.takeReadSites().filter(isOther))
  live.shared.takeSuspected()
  if (confirmation.kind !== 'confirmed') {
    violations.doubt(rule, site, first)
    return
  }
  violations.add(
    {
      rule: rule,
      site,
      finding: confirmation.finding,
      replay: replayOf(rule, answer, site, source, live),
      confirmed: confirmation.how,
      reduced: { from: 0, to: 0, requests: 0 },
      requestsSent: transport.requestsSent(),
    },
    first,
  )
}

/** Sends a refused create once more: when the service has refused each body, checks send no other. @returns whether it was sent */
async function refuseAgain({ answer, site }: SuspectedViolation, { session: { ledger } }: CheckView): Promise<boolean> {
  const { status, testRequest } = answer
  const { body } = testRequest
  const isRefused = site?.endpoint.kind === 'create' && status >= 400 && status < 500
  if (!isRefused || testRequest.credential !== undefined || body === undefined || ledger?.mayCreate(site) !== true)
    return false
  await ledger.create(site, body)
  return true
}

/** Looks for a legal explanation of what a passive rule found. See `explainCheck`. */
async function explainInspection(
  { rule, answer, finding }: SuspectedViolation,
  site: Site,
  { live, choiceLearner }: RuleContext,
): Promise<Choices | undefined> {
  const { options } = answer.testRequest
  const place = { site, properties: options === undefined ? [] : propertiesOfQuery(options) }
  const isWrong = async (choices: Choices): Promise<boolean> => {
    const found = rule.inspect(answer, site, live.openCheck({ site, choices }).session)
    return typeof found === 'object'
  }
  const explanation = await explainFinding(isWrong, place, choiceLearner.record)
  if (explanation.kind === 'violation') return explanation.choices
  if (explanation.kind === 'legal') choiceLearner.learnFrom(explanation, place, evidenceOf(finding, site))
  return undefined
}

function replayOf(
  rule: PassiveRule,
  response: TestResponse,
  site: Site | undefined,
  source: { readonly unit: ScheduledRule; readonly test: TestCase } | undefined,
  live: LiveSession,
): Replay | undefined {
  const path = live.belowRoot(response.testRequest.path)
  if (path !== undefined && isSentAgain(response, source, live)) {
    return { rule: rule.id, site: site?.id ?? '', test: {}, request: { ...response.testRequest, path } }
  }
  if (source === undefined) return undefined
  return { rule: rule.id, activeRule: source.unit.rule.id, site: source.unit.site.id, test: source.test }
}

/** Whether a finding is confirmed with the same request, rather than with its check. A check deletes the items that it creates. */
function isSentAgain({ request, testRequest }: TestResponse, source: object | undefined, live: LiveSession): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  return isReading && (source === undefined || live.shared.session.ledger?.hasCreated(testRequest.path) !== true)
}

/** A case that must pass before the case of another rule proves anything. */
interface Prerequisite {
  readonly unit: ScheduledRule
  readonly test: TestCase
}

/**
 * The prerequisites of a case: the order that it pages through, the filter whose rows it counts. A rule that provides
 * prerequisites has none itself.
 */
function prerequisitesOf(
  { rule, site }: ScheduledRule,
  test: TestCase,
  scheduledRules: readonly ScheduledRule[],
  session: Session,
): readonly Prerequisite[] {
  if (rule.prerequisite !== undefined) return []
  const asked = scheduledRules.filter(
    scheduled => scheduled.rule.prerequisite !== undefined && isAskedBy(site, scheduled.site),
  )
  return (rule.queries?.(test) ?? queriesOf(test)).flatMap(query =>
    asked.flatMap(scheduled => {
      const plainest = scheduled.rule.prerequisite?.(query, scheduled.site, session)
      return plainest === undefined ? [] : [{ unit: scheduled, test: plainest }]
    }),
  )
}

function queriesOf({ options, predicates = [] }: TestCase): readonly QueryOptions[] {
  return [...(options === undefined ? [] : [options]), ...predicates.map(filter => ({ filter }))]
}

/** A count depends on the list at the path above it. */
function isAskedBy({ id, endpoint, path }: Site, list: Site): boolean {
  if (list.id === id) return true
  return endpoint.kind === 'count' && list.path === path.replace(/\/(?:\$|%24)count$/i, '')
}
