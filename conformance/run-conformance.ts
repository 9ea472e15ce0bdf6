import { buildTypeTable, formatDiagnostics, loadSpec, type Service } from '../spec/language/index.js'
import { calibrators } from './choices/calibrators.js'
import { choiceRuleId, createChoiceRecord } from './choices/choices.js'
import { createConstraintRecord } from './coverage/constraints.js'
import { createCoverageRecord } from './coverage/coverage-record.js'
import { type Discovery, discover, preflight, sitesWithoutKeys } from './discover/discover.js'
import { createCircuitBreaker } from './engine/circuit-breaker.js'
import { createChoiceLearner } from './engine/learn-choices.js'
import { createLiveSession, monitorPassiveRules } from './engine/live-session.js'
import { confirmSuspectedViolation, type RuleContext } from './engine/record-check.js'
import { runRules } from './engine/run-rules.js'
import { progressOf, type ScheduledRule, scheduleRules, seedOf } from './engine/schedule.js'
import { selectRules } from './engine/select-rules.js'
import { createPassedRecord, createViolationRecord } from './engine/violations.js'
import { nearValidCredentials } from './http/credentials.js'
import { openTarget } from './http/sender.js'
import { BudgetExhausted, createTransport } from './http/transport.js'
import { type ConformanceOptions, OptionsError, type Phase } from './options.js'
import { buildReport, type RunOutcome, siteResults } from './report/build-report.js'
import { createRedactor, redactError, secretsOf } from './report/redact.js'
import { type Replay, readReplayToken } from './report/replay-token.js'
import type { Report } from './report/report.js'
import type { Rule } from './rule/rule.js'
import { rules as allRules } from './rules/index.js'
import { createSupportRecord, withSupport } from './session/support-record.js'
import { cleanUp } from './writes/clean-up.js'
import type { Journal } from './writes/journal.js'
import { createLedger, harvestedPaths, type RunLedger } from './writes/ledger.js'

/**
 * Loads the spec if it is given as a path.
 *
 * @throws {OptionsError} if the spec has errors; the message lists them
 */
async function loadService(spec: Service | string): Promise<Service> {
  if (typeof spec !== 'string') return spec
  const { service, diagnostics, source } = await loadSpec(spec)
  if (service !== undefined) return service
  const text = formatDiagnostics(diagnostics, { format: 'plain', sources: [source] })
  throw new OptionsError(`The spec has errors, so the suite cannot run.\n${text}`)
}

/** The clean-up budget. It does not depend on what the run has spent. */
const cleanUpBudget = { requests: 500, milliseconds: 60_000 }

/** A run with writes ends its checks early, by this share of its time and at most this long, to clean up within its time. */
const cleanUpReserve = { share: 0.1, milliseconds: 10_000 }

/** How long a clean-up may continue after the end of the run, in milliseconds. */
const cleanUpOverrun = 1_000
const nowhere: Journal = { creating: () => {}, created: () => {}, changing: () => {}, gone: () => {} }
const nothingFound: Discovery = { sites: [], harvests: new Map(), unread: new Map() }

/**
 * Checks a service: discovers what it has, learns its choices, and runs the rules. Every violation in the report was
 * confirmed by a second observation and reduced.
 *
 * @throws {OptionsError} if the options are unusable: an unknown rule, a spec with errors, an invalid address
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const service = await loadService(options.spec)
  const target = openTarget(options.target, service.version)
  const replay = replayOf(options)
  const replayedChoice = service.open.find(choice => choiceRuleId(choice) === replay?.rule)
  const rules =
    replayedChoice === undefined ? selectRules(allRules, replay === undefined ? options : onlyThe(replay)) : []
  const secrets = secretsOf(options)
  const now = options.now ?? (() => performance.now())
  const started = new Date()
  const begin = now()
  const seed = options.seed ?? Math.floor(Math.random() * 0x7fffffff)
  const maxRows = options.maxRows ?? 2_000
  const requestLimit = options.requests ?? 2_000
  const totalTime = (options.time ?? 600) * 1000
  const reserved = options.allowWrites ? Math.min(totalTime * cleanUpReserve.share, cleanUpReserve.milliseconds) : 0
  const time = totalTime - reserved
  const concurrency = options.concurrency ?? 4
  const transport = createTransport({
    target,
    token: options.token,
    headers: options.headers,
    requests: requestLimit,
    time,
    timeout: options.timeout ?? 30_000,
    rate: options.rate,
    concurrency,
    now,
    signal: options.signal,
  })
  const breaker = createCircuitBreaker({ transport, concurrency, time, now, signal: options.signal })
  let found = nothingFound
  const coverage = createCoverageRecord(service, target.root)
  const constraints = createConstraintRecord(service, coverage.endpointOf)
  const monitor = monitorPassiveRules(
    rules.filter(rule => rule.kind === 'passive'),
    coverage.recordInspection,
  )
  const passed = createPassedRecord()
  const violations = createViolationRecord(passed)
  const choices = createChoiceRecord(service)
  const support = createSupportRecord()
  const ledger = options.allowWrites
    ? createLedger({ service }, request => live.shared.session.send(request), {
        journal: options.journal ?? nowhere,
        mark: markOf(seed),
        root: target.root,
        wasThere: path => harvestedPaths(service, found).has(path),
        mayLeave: options.allowLeftovers === true,
        mayChange: options.allowChanges === true,
      })
    : undefined
  const live = createLiveSession({
    service,
    types: buildTypeTable(service),
    target,
    transport: { send: breaker.send, requestsLeft: transport.requestsLeft },
    choices,
    nearValidCredentials: nearValidCredentials(options.token),
    support,
    ledger,
    maxRows,
    excludedBugModels: options.excludedBugModels,
    cellsOf: coverage.cellsOf,
    inspect: (response, site, session) => {
      coverage.recordExchange(response)
      constraints.recordExchange(response, site)
      return monitor.inspect(response, site, session)
    },
  })
  let scheduledRules: readonly ScheduledRule[] = []
  let isPlanned = false
  const base = {
    live,
    transport,
    violations,
    passed,
    coverage,
    seed,
    runs: options.runs ?? Number.POSITIVE_INFINITY,
    onPhase: (phase: Phase): void => {
      const elapsed = (now() - begin) / 1000
      options.onProgress?.(progressOf(phase, scheduledRules, transport, requestLimit, violations.all().length, elapsed))
    },
  }
  const usedCalibrators = calibrators.filter(
    ({ choice, neededBy }) =>
      options.excludedChoices?.includes(choice) !== true &&
      (neededBy === undefined || !replayedChoice || choice === replayedChoice.name),
  )
  const context: RuleContext = {
    ...base,
    choiceLearner: createChoiceLearner(usedCalibrators, choices, options.profile, base),
  }
  let stopped: RunOutcome['stopped']
  let leftovers: readonly string[] = []
  try {
    context.onPhase('discover')
    for (const site of sitesWithoutKeys(service)) live.announceSite(site)
    const ready = await preflight(live.shared.session)
    if (ready.kind === 'ready') {
      found = await discover(service, { session: live.shared.session, prefetch: live.prefetch }, maxRows, site => {
        live.announceSite(site)
        context.onPhase('harvest')
      })
      live.setDiscovered(found.sites, found.harvests)
      scheduledRules = await prepare(rules, replay, context)
      isPlanned = true
      await runRules(scheduledRules, context)
      if (replay === undefined || replayedChoice !== undefined) await context.choiceLearner.learnRemaining()
      await breaker.checkFinally()
    } else stopped = { verdict: ready.kind, why: ready.why }
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw redactError(error, createRedactor(secrets))
  } finally {
    if (ledger !== undefined && hasLeft(ledger)) {
      context.onPhase('clean up')
      const untilEnd = begin + totalTime + cleanUpOverrun - now()
      transport.grantCleanUpBudget(cleanUpBudget.requests, Math.min(untilEnd, cleanUpBudget.milliseconds))
      leftovers = await cleanUp(ledger, { service, send: transport.send, origin: target.origin })
    }
  }
  context.onPhase('report')
  return buildReport({
    service,
    spec: typeof options.spec === 'string' ? options.spec : undefined,
    target: typeof options.target === 'function' ? 'in process' : target.root,
    seed,
    started,
    seconds: (now() - begin) / 1000,
    requests: transport.requestsSent(),
    allowWrites: options.allowWrites === true,
    rules,
    scheduled: scheduledRules,
    isPlanned,
    inspections: monitor.inspections,
    coverage,
    constraints,
    unread: found.unread,
    isSelection: options.only !== undefined || options.skip !== undefined || replay !== undefined,
    requireCoverage: options.requireCoverage,
    violations: violations.all(),
    sites: siteResults(found, support.rejectionsOf),
    choices: choices.all().map(choice => (scheduledRules.length === 0 ? choice : withSupport(choice, support.all()))),
    knownFailures: options.knownFailures ?? [],
    undetectableBugs: [...new Set(scheduledRules.flatMap(({ cases }) => cases?.undetectableBugs ?? []))],
    leftovers,
    stopped: stopped ?? breaker.lost(),
    interrupted: options.signal?.aborted === true,
    replay,
    secrets,
  })
}

function hasLeft({ remaining, changed, uncertainCollections }: RunLedger): boolean {
  return remaining().length + changed().length + uncertainCollections().length > 0
}

/** Confirms what discovery suspected, learns the choices, and schedules the rules. */
async function prepare(
  rules: readonly Rule[],
  replay: Replay | undefined,
  context: RuleContext,
): Promise<readonly ScheduledRule[]> {
  const confirmSuspected = async (): Promise<void> => {
    for (const suspected of context.live.shared.takeSuspected())
      await confirmSuspectedViolation(suspected, undefined, context)
  }
  await confirmSuspected()
  await context.choiceLearner.learnEssential()
  if (replay?.request !== undefined) await context.live.shared.session.send(replay.request)
  await confirmSuspected()
  context.onPhase('plan')
  return scheduleRules(rules, context.live.shared.session, replay)
}

function onlyThe({ rule, activeRule }: Replay): Pick<ConformanceOptions, 'only'> {
  return { only: activeRule === undefined ? [rule] : [rule, activeRule] }
}

function replayOf({ replay }: ConformanceOptions): Replay | undefined {
  if (replay === undefined) return undefined
  const read = readReplayToken(replay)
  if (read !== undefined) return read
  throw new OptionsError('Invalid replay token. Copy the text after "replay" of a violation in a report.')
}

/**
 * The marker in every text that a run creates. Clean-up finds leftover items by it. It has a fixed length, and no other
 * client writes such a text.
 */
function markOf(seed: number): string {
  const part = (name: string): string => (seedOf(seed, name) >>> 0).toString(36).padStart(7, '0')
  return `sw-${part('mark')}${part('of this run')}`
}
