import { buildTypeTable } from '../spec/language/table/type-table.js'
import { BudgetSpent } from './budget-spent.js'
import { calibrators } from './choice/calibrators.js'
import { choiceRecord } from './choice/choice-record.js'
import { choiceRuleId } from './engine/choice-rule-id.js'
import { createCircuitBreaker } from './engine/circuit-breaker.js'
import { type Discovery, discover } from './engine/discover.js'
import { type Bench, judge, suspectSighting } from './engine/judge.js'
import { createLearning } from './engine/learn-choices.js'
import { createLiveSession } from './engine/live-session.js'
import { passedRecord } from './engine/passed-record.js'
import { preflight } from './engine/preflight.js'
import { progressOf } from './engine/progress-of.js'
import { seedOf } from './engine/seed-of.js'
import { selectRules } from './engine/select-rules.js'
import { serviceOf } from './engine/service-of.js'
import { siteResults } from './engine/site-results.js'
import type { Unit } from './engine/unit.js'
import { unitsOf } from './engine/units-of.js'
import { violationRecord } from './engine/violation-record.js'
import { createWatching } from './engine/watching.js'
import { targetOf } from './http/target.js'
import { createTransport } from './http/transport.js'
import type { Journal } from './journal.js'
import type { ConformanceOptions } from './options.js'
import { OptionsError } from './options-error.js'
import type { Phase } from './progress.js'
import { buildReport, type RunOutcome } from './report/build-report.js'
import { redactorOf } from './report/redactor-of.js'
import { type Replay, readReplayToken } from './report/replay-token.js'
import type { Report } from './report/report.js'
import { secretsOf } from './report/secrets-of.js'
import { withoutSecrets } from './report/without-secrets.js'
import type { Rule, Watch } from './rule/rule.js'
import { rules as allRules } from './rules/index.js'
import { withSupport } from './session/support-choices.js'
import { supportRecord } from './session/support-record.js'
import { cleanUp } from './writes/clean-up.js'
import { createLedger } from './writes/create-ledger.js'
import { harvestedPaths } from './writes/harvested-paths.js'

/** Requests and milliseconds that cleaning up may take, whatever was spent before. */
const cleanUpBudget = { requests: 500, milliseconds: 60_000 }
const nowhere: Journal = { creating: () => {}, created: () => {}, gone: () => {} }
const nothingFound: Discovery = { sites: [], harvests: new Map(), unread: new Map() }

/**
 * Judges a service: finds out what is there, learns its choices, and holds it to the spec rule by rule. Every violation in
 * the report was seen again, and made small.
 *
 * @throws {OptionsError} when the options cannot be used: no such rule, a spec with errors, an address that is none
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const service = await serviceOf(options.spec)
  const target = targetOf(options.target, service.version)
  const replay = replayOf(options)
  const again = service.open.find(choice => choiceRuleId(choice) === replay?.rule)
  const rules = again === undefined ? selectRules(allRules, replay === undefined ? options : onlyThe(replay)) : []
  const secrets = secretsOf(options)
  const now = options.now ?? (() => performance.now())
  const started = new Date()
  const begin = now()
  const seed = options.seed ?? Math.floor(Math.random() * 0x7fffffff)
  const maxRows = options.maxRows ?? 2_000
  const requestLimit = options.requests ?? 2_000
  const time = (options.time ?? 600) * 1000
  const transport = createTransport({
    target,
    token: options.token,
    headers: options.headers,
    requests: requestLimit,
    time,
    timeout: options.timeout ?? 30_000,
    rate: options.rate,
    concurrency: options.concurrency ?? 4,
    now,
    signal: options.signal,
  })
  const breaker = createCircuitBreaker({ transport, time, now, signal: options.signal })
  let found = nothingFound
  const watching = createWatching(rules.filter(rule => rule.kind === 'watching'))
  const passed = passedRecord()
  const violations = violationRecord(passed)
  const choices = choiceRecord(service)
  const support = supportRecord()
  const ledger = options.allowWrites
    ? createLedger(
        { service },
        ask => live.session.ask(ask),
        options.journal ?? nowhere,
        markOf(seed),
        target.root,
        path => harvestedPaths(service, found).has(path),
      )
    : undefined
  const live = createLiveSession({
    service,
    types: buildTypeTable(service),
    target,
    transport: { send: breaker.send, left: transport.left },
    choices,
    support,
    ledger,
    maxRows,
    planWithout: options.planWithout,
    onAnswer: answer => watching.show(answer, live.siteOf(answer), live.session),
  })
  let units: readonly Unit[] = []
  let isPlanned = false
  const ground = {
    live,
    transport,
    watching,
    violations,
    passed,
    seed,
    runs: options.runs ?? Number.POSITIVE_INFINITY,
    onPhase: (phase: Phase): void => {
      const elapsed = (now() - begin) / 1000
      options.onProgress?.(progressOf(phase, units, transport, requestLimit, violations.all().length, elapsed))
    },
  }
  const teaching = calibrators.filter(
    ({ choice, neededBy }) => neededBy === undefined || !again || choice === again.name,
  )
  const bench: Bench = { ...ground, learning: createLearning(teaching, choices, options.profile, ground) }
  let stopped: RunOutcome['stopped']
  let leftovers: readonly string[] = []
  try {
    bench.onPhase('discover')
    const ready = await preflight(live.session)
    if (ready.kind === 'ready') {
      found = await discover(service, live.session, maxRows, () => bench.onPhase('harvest'))
      live.found(found.sites, found.harvests)
      units = await prepare(rules, replay, bench)
      isPlanned = true
      await judge(units, bench)
      if (replay === undefined || again !== undefined) await bench.learning.rest()
      await breaker.settle()
    } else stopped = { verdict: ready.kind, why: ready.why }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw withoutSecrets(error, redactorOf(secrets))
  } finally {
    if (ledger !== undefined && ledger.left().length + ledger.unsure().length > 0) {
      bench.onPhase('clean up')
      transport.allowCleanUp(cleanUpBudget.requests, cleanUpBudget.milliseconds)
      leftovers = await cleanUp(ledger, { service, send: transport.send, origin: target.origin })
    }
  }
  bench.onPhase('report')
  return buildReport({
    service,
    spec: typeof options.spec === 'string' ? options.spec : undefined,
    target: typeof options.target === 'function' ? 'in process' : target.root,
    seed,
    started,
    seconds: (now() - begin) / 1000,
    requests: transport.sent(),
    allowWrites: options.allowWrites === true,
    rules,
    units,
    isPlanned,
    looks: watching.looks,
    violations: violations.all(),
    sites: siteResults(found, support.refusals),
    choices: choices.all().map(choice => (units.length === 0 ? choice : withSupport(choice, support.all()))),
    knownFailures: options.knownFailures ?? [],
    tooThinFor: [...new Set(units.flatMap(({ cases }) => cases?.tooThinFor ?? []))],
    leftovers,
    stopped: stopped ?? breaker.lost(),
    interrupted: options.signal?.aborted === true,
    replay,
    secrets,
  })
}

/** Looks into what was seen so far, learns the choices, and says what is to be tried. */
async function prepare(
  rules: readonly (Rule | Watch)[],
  replay: Replay | undefined,
  bench: Bench,
): Promise<readonly Unit[]> {
  const sightings = async (): Promise<void> => {
    for (const sighting of bench.watching.take()) await suspectSighting(sighting, undefined, bench)
  }
  await sightings()
  await bench.learning.first()
  if (replay?.ask !== undefined) await bench.live.session.ask(replay.ask)
  await sightings()
  bench.onPhase('plan')
  return unitsOf(rules, bench.live.session, replay)
}

function onlyThe({ rule, by }: Replay): Pick<ConformanceOptions, 'only'> {
  return { only: by === undefined ? [rule] : [rule, by] }
}

function replayOf({ replay }: ConformanceOptions): Replay | undefined {
  if (replay === undefined) return undefined
  const read = readReplayToken(replay)
  if (read !== undefined) return read
  throw new OptionsError('This is no replay token. Take the text that a violation of a report has under "replay".')
}

/**
 * In each text that a run creates, so that what is left over can be told from what was there: always as long, and nothing
 * that anybody else would write.
 */
function markOf(seed: number): string {
  const part = (name: string): string => (seedOf(seed, name) >>> 0).toString(36).padStart(7, '0')
  return `sw-${part('mark')}${part('of this run')}`
}
