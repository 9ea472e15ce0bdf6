import fc from 'fast-check'
import { BudgetSpent } from '../budget-spent.js'
import type { Answer } from '../http/answer.js'
import type { Transport } from '../http/transport.js'
import type { Phase } from '../progress.js'
import type { Replay } from '../report/replay-token.js'
import type { Case } from '../rule/case.js'
import { constructsOf } from '../rule/constructs-of.js'
import type { Watch } from '../rule/rule.js'
import type { Finding, Verdict } from '../rule/verdict.js'
import type { Site } from '../site/site.js'
import { basesOf } from './bases-of.js'
import { confirm } from './confirm.js'
import { findingKey } from './finding-key.js'
import type { Learning } from './learn-choices.js'
import type { LiveSession } from './live-session.js'
import { nextUnit } from './next-unit.js'
import type { PassedRecord } from './passed-record.js'
import { reduceCase } from './reduce/reduce-case.js'
import { sizeOf } from './reduce/size-of.js'
import { seedOf } from './seed-of.js'
import { nextPlanned, type Unit, unitOf } from './unit.js'
import type { ViolationRecord } from './violation-record.js'
import type { Sighting, Watching } from './watching.js'

/** What the engine works with while it judges. */
export interface Bench {
  readonly live: LiveSession
  readonly transport: Transport
  readonly watching: Watching
  readonly violations: ViolationRecord
  readonly passed: PassedRecord
  readonly learning: Learning
  readonly seed: number
  /** Most cases a unit is tried with. */
  readonly runs: number
  readonly onPhase: (phase: Phase) => void
}

/** The bench, and what is tried on it. */
interface Judging extends Bench {
  readonly units: readonly Unit[]
}

/** Requests kept back so that the last suspicion can still be confirmed. */
const reserve = 40
/** Drawn cases between two looks at whose turn it is. */
const slice = 4
/** A rule that was violated so often on one site has made its point. */
const violationsEach = 4
/** What cannot be confirmed so often is not looked into again. */
const doubtsEach = 6

/** Tries rules in turn until the budget is spent or nothing is left to try. */
export async function judge(units: readonly Unit[], bench: Bench): Promise<void> {
  const kept = Math.min(reserve, Math.floor(bench.transport.left() / 20))
  for (let unit = nextUnit(units); unit !== undefined; unit = nextUnit(units)) {
    if (bench.transport.left() <= kept) return
    bench.onPhase('judge')
    await tryUnit(unit, { ...bench, units })
  }
}

async function tryUnit(unit: Unit, bench: Judging): Promise<void> {
  await bench.learning.forRule(unit.rule)
  unit.cases ??= unit.rule.cases(unit.site, bench.live.session)
  bench.live.takeLookedAt()
  const planned = nextPlanned(unit)
  if (planned !== undefined) {
    unit.plannedTried++
    await tryCase(unit, planned, bench)
  } else if (unit.cases.random === undefined) {
    unit.done = true
    if (unit.checks === 0) unit.why = unit.cases.thin ?? 'there was nothing to try'
  } else {
    await trySlice(unit, unit.cases.random, bench)
  }
  const doubts = unit.flaky + unit.inconclusive
  if (unit.checks >= bench.runs || unit.violations >= violationsEach || doubts >= doubtsEach) unit.done = true
}

/** Draws a few cases, as a property of fast-check. */
async function trySlice(unit: Unit, random: fc.Arbitrary<Case>, bench: Judging): Promise<void> {
  const part = `${unit.rule.id} ${unit.site.id} ${unit.slices++}`
  let spent: unknown
  const before = unit.checks
  const numRuns = Math.max(1, Math.min(slice, Math.ceil(slice / unit.rule.cost), bench.runs - unit.checks))
  const property = fc.asyncProperty(random, async test => {
    if (spent !== undefined) return true
    try {
      return await tryCase(unit, test, bench)
    } catch (error) {
      // A run that ends is no counterexample, and neither is a bug of ours: both go on from here as they came.
      spent = error
      return true
    }
  })
  await fc.check(property, { seed: seedOf(bench.seed, part), numRuns, endOnFailure: true })
  if (spent !== undefined) throw spent
  if (unit.checks === before) unit.spent++
}

/** Whether the rule holds in this case, as far as can be told. */
async function tryCase(unit: Unit, test: Case, bench: Judging): Promise<boolean> {
  const { live, transport } = bench
  const start = transport.sent()
  const verdict = await unit.rule.check(test, unit.site, live.session)
  const requests = transport.sent() - start
  unit.checks++
  unit.requests += requests
  unit.spent += Math.max(requests, 0.25)
  note(unit, test, verdict, bench)
  // What is wrong with an answer as such is told before what a rule makes of it.
  const sightings = bench.watching.take()
  for (const sighting of sightings) await suspectSighting(sighting, { unit, test }, bench)
  if (verdict.kind !== 'fail') return true
  // A service that fails gives no answer to judge further, where that was told.
  const { answers } = verdict.finding
  const isTold = sightings
    .filter(({ answer }) => answers.some(({ status, number }) => status >= 500 && number === answer.number))
    .some(({ watch, finding }) => bench.violations.isKnown(watch, unit.site, finding, unit))
  if (isTold) unit.violations++
  else await suspect(unit, test, verdict.finding, bench)
  return false
}

function note(unit: Unit, test: Case, verdict: Verdict, { live: { session }, passed }: Bench): void {
  switch (verdict.kind) {
    case 'pass':
      if (verdict.trivial === true) {
        unit.trivial++
        unit.spent++
      } else unit.selected.push(...(verdict.selected ?? []))
      if (test.options === undefined) break
      session.support.accepted(unit.site, constructsOf(test.options))
      if (verdict.trivial !== true) passed.add(unit.rule.area, constructsOf(test.options))
      break
    case 'unsupported':
      unit.unsupported++
      unit.spent++
      session.support.refused(unit.site, verdict.constructs)
      break
    case 'inconclusive':
      unit.inconclusive++
      unit.spent += 2
      unit.why = verdict.why
      break
    case 'fail':
      break
  }
}

/** Confirms a finding, makes it small, and keeps it. */
async function suspect(unit: Unit, test: Case, first: Finding, bench: Judging): Promise<void> {
  const { live, transport, violations } = bench
  const { rule, site } = unit
  if (violations.isKnown(rule, site, first)) {
    unit.violations++
    return
  }
  if (await bench.learning.reconsider(test, site)) {
    unit.inconclusive++
    unit.why = 'it rested on what was learned of a choice, and that turned out to be otherwise'
    return
  }
  if (await isOfAnother(unit, test, bench)) {
    unit.violations++
    return
  }
  const fails = async (tried: Case): Promise<Finding | undefined> => {
    live.forget()
    const verdict = await rule.check(tried, site, live.session)
    return verdict.kind === 'fail' ? verdict.finding : undefined
  }
  bench.onPhase('confirm')
  const confirmation = await confirm(() => fails(test), live.refresh, live.takeLookedAt)
  if (confirmation.kind !== 'confirmed') {
    doubt(unit, confirmation.kind)
    return
  }
  unit.violations++
  const start = transport.sent()
  const small = await makeSmall(unit, test, first, confirmation.finding, fails, bench)
  const sizes = { from: sizeOf(test), to: sizeOf(small.test), requests: transport.sent() - start }
  const { finding } = small
  violations.add(
    {
      rule,
      site,
      finding,
      replay: { rule: rule.id, site: site.id, test: small.test },
      confirmed: confirmation.how,
      reduced: sizes,
      after: start,
    },
    first,
  )
  bench.watching.take()
}

/** Whether the fault is that of a plainer rule, which then has it. */
async function isOfAnother(unit: Unit, test: Case, bench: Judging): Promise<boolean> {
  const { live, learning, violations } = bench
  for (const { unit: basis, test: plainest } of basesOf(unit, test, bench.units, live.session)) {
    const { rule, site, rank } = basis
    await learning.forRule(rule)
    live.forget()
    const verdict = await rule.check(plainest, site, live.session)
    if (verdict.kind !== 'fail') continue
    // Its own turn is not over for what others come upon.
    await suspect(unitOf(rule, site, rank), plainest, verdict.finding, bench)
    if (violations.isKnown(rule, site, verdict.finding, unit)) return true
  }
  return false
}

async function makeSmall(
  { rule, site }: Unit,
  test: Case,
  first: Finding,
  finding: Finding,
  fails: (tried: Case) => Promise<Finding | undefined>,
  { live, transport, onPhase }: Bench,
): Promise<{ readonly test: Case; readonly finding: Finding }> {
  onPhase('reduce')
  try {
    const more = (smaller: Case): Iterable<Case> => rule.smaller?.(smaller, site, live.session) ?? []
    const small = await reduceCase(
      test,
      async tried => (await fails(tried)) !== undefined,
      more,
      transport.sent,
      rule.about,
    )
    if (small === test) return { test, finding }
    live.takeLookedAt()
    const again = await confirm(() => fails(small), live.refresh, live.takeLookedAt)
    return again.kind === 'confirmed' ? { test: small, finding: again.finding } : { test, finding }
  } catch (error) {
    // What was confirmed stays so when the budget ends while it is made small.
    if (error instanceof BudgetSpent) return { test, finding: finding.answers.length > 0 ? finding : first }
    throw error
  }
}

function doubt(unit: Unit, kind: 'flaky' | 'unstable'): void {
  if (kind === 'flaky') unit.flaky++
  else {
    unit.inconclusive++
    unit.why = 'the data changed each time it was looked at again'
  }
}

/** Looks into what a watching rule saw: reads are sent again, writes made again with their case. */
export async function suspectSighting(
  sighting: Sighting,
  source: { readonly unit: Unit; readonly test: Case } | undefined,
  bench: Omit<Bench, 'learning'>,
): Promise<void> {
  const { watch, answer, site, finding: first } = sighting
  const { live, transport, violations, watching } = bench
  if (violations.isKnown(watch, site, first)) return
  const key = findingKey(watch.area, first)
  const same = ({ watch: seen, finding }: Sighting): boolean => seen === watch && findingKey(seen.area, finding) === key
  const isRead = answer.request.method === 'GET' || answer.request.method === 'HEAD'
  if (!isRead && source === undefined) return
  const again = async (): Promise<Finding | undefined> => {
    watching.take()
    live.forget()
    if (isRead) await live.session.ask(answer.ask)
    else if (source !== undefined) await source.unit.rule.check(source.test, source.unit.site, live.session)
    return watching.take().find(same)?.finding
  }
  bench.onPhase('confirm')
  live.takeLookedAt()
  if (site !== undefined) live.session.snapshot(site)
  const confirmation = await confirm(again, live.refresh, live.takeLookedAt)
  watching.take()
  if (confirmation.kind !== 'confirmed') return
  violations.add(
    {
      rule: watch,
      site,
      finding: confirmation.finding,
      replay: replayOf(watch, answer, site, source, live),
      confirmed: confirmation.how,
      reduced: { from: 0, to: 0, requests: 0 },
      after: transport.sent(),
    },
    first,
  )
}

function replayOf(
  watch: Watch,
  answer: Answer,
  site: Site | undefined,
  source: { readonly unit: Unit; readonly test: Case } | undefined,
  live: LiveSession,
): Replay | undefined {
  const path = live.belowRoot(answer.ask.path)
  const isRead = answer.request.method === 'GET' || answer.request.method === 'HEAD'
  if (isRead && path !== undefined) {
    return { rule: watch.id, site: site?.id ?? '', test: {}, ask: { ...answer.ask, path } }
  }
  if (source === undefined) return undefined
  return { rule: watch.id, by: source.unit.rule.id, site: source.unit.site.id, test: source.test }
}
