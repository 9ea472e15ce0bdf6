import { type Expression, printFilter } from '../../runtime/query/index.js'
import { keyOf, type Site, type Snapshot } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import type { Row } from '../json.js'
import { listSites } from '../lists/related-items.js'
import { binary, joinConditions } from '../probes/expressions.js'
import { type Grammar, grammarOf, type Term } from '../probes/grammar.js'
import { keyFilter, queryKeys } from '../probes/query-keys.js'
import type { Session } from '../session/session.js'
import { type CalibrationResult, type Calibrator, conclude, type Observation } from './calibrator.js'
import type { OperatorGroup } from './choices.js'
import { comparedProperties, scopeOf } from './scope.js'

/** One row whose presence or absence in a filtered list reveals a choice. */
export interface RowProbe {
  readonly row: Row
  readonly predicate: Expression
  /** The value of the choice if the row is present, or absent. */
  readonly valueIfPresent: string
  readonly valueIfAbsent: string
  /** The operators that the probe is about. Absent if it is about all. */
  readonly operators?: OperatorGroup
}

/** Where to look for probes. */
export interface ProbeContext {
  readonly site: Site
  readonly snapshot: Snapshot
  readonly grammar: Grammar
  readonly session: Session
  /** The terms whose values the snapshot shows. */
  readonly terms: readonly Term[]
}

/** How to find probes for one choice: informative rows, the best first, on different properties if possible. */
export interface ChoiceProbe {
  readonly choice: string
  readonly probes: (context: ProbeContext) => Iterable<RowProbe>
  /** A second kind of evidence. Both kinds are probed. */
  readonly alternative?: (context: ProbeContext) => Iterable<RowProbe>
  /** The message if probes disagree, for a choice that must be the same for all properties. */
  readonly inconsistency?: string
  /** Features of the finding if probes disagree. */
  readonly features?: readonly string[]
}

/**
 * Calibrators that share their requests: the first one sends the probes of all open choices. Contradictory results are
 * probed once more, separately.
 */
export function rowProbeCalibrators(probes: readonly ChoiceProbe[]): readonly Calibrator[] {
  const asked = new WeakMap<object, Promise<ReadonlyMap<string, readonly RowProbeResult[]>>>()
  return probes.map(probe => ({
    choice: probe.choice,
    after: ['guidLiteral', 'optionSupport'],
    learn: async session => {
      const open = new Set(session.service.open.filter(({ legal }) => legal.length > 1).map(({ name }) => name))
      const all =
        asked.get(session.run) ??
        sendRowProbes(
          probes.filter(({ choice }) => open.has(choice)),
          session,
        )
      asked.set(session.run, all)
      const shown = (await all).get(probe.choice) ?? []
      if (new Set(shown.map(({ value }) => value)).size < 2) return concludeFromProbes(shown, probe)
      return concludeFromProbes((await sendRowProbes([probe], session)).get(probe.choice) ?? [], probe)
    },
    observe: async (filter, site, session) => {
      const place = { site: listAt(site, session), properties: comparedProperties(filter) }
      return concludeFromProbes((await sendRowProbes([probe], session, place)).get(probe.choice) ?? [], probe)
    },
  }))
}

/** The list whose items a site counts or changes. */
function listAt(site: Site, { sites }: Session): Site {
  const { endpoint } = site
  if (endpoint.kind === 'collection') return site
  return sites.find(each => each.endpoint.kind === 'collection' && scopeOf(each) === scopeOf(site)) ?? site
}

/** Where to look for probes: one for each of these properties. */
interface ProbePlace {
  readonly site: Site
  readonly properties: readonly string[]
}

function concludeFromProbes(
  shown: readonly RowProbeResult[],
  { choice, inconsistency, features = [] }: ChoiceProbe,
): CalibrationResult {
  const isSame = (a: RowProbeResult, b: RowProbeResult): boolean => a.site === b.site && a.property === b.property
  const contradicting = shown.filter(each => shown.some(other => isSame(each, other) && each.value !== other.value))
  if (inconsistency !== undefined && contradicting.length > 0) {
    const message = `The service is inconsistent: ${inconsistency}.`
    const received = contradicting.map(({ evidence }) => evidence).join('; ')
    const answers = contradicting.map(({ answer }) => answer)
    return { kind: 'illegal', finding: { message, expected: `one value of ${choice}`, received, answers, features } }
  }
  return conclude(shown, 'no row in the data reveals it')
}

/** The evidence is such as `/users?$filter=…: the row is present`. */
interface RowProbeResult extends Observation {
  readonly answer: TestResponse
}

interface PlacedProbe {
  readonly choice: string
  readonly site: Site
  readonly key: string
  readonly probe: RowProbe
  readonly filter: Expression
}

const probesPerChoice = 2
/** Probes per request, if the filter is short enough. */
const probesPerRequest = 6
const maxFilterLength = 1400
/** How many collections to search for probes. */
const maxSites = 4

/**
 * Sends the probes of many choices, several per request. Each probe is about one row, identified by its key, so one
 * response answers all of them. If a combined request is rejected, the probes are sent one by one.
 */
async function sendRowProbes(
  probes: readonly ChoiceProbe[],
  session: Session,
  place?: ProbePlace,
): Promise<ReadonlyMap<string, readonly RowProbeResult[]>> {
  const shown = new Map<string, RowProbeResult[]>()
  const add = ({ choice, site, probe, filter }: PlacedProbe, isThere: boolean, response: TestResponse): void => {
    const evidence = `${site.path}?$filter=${printFilter(filter)}: the row is ${isThere ? 'present' : 'absent'}`
    const [property] = comparedProperties(probe.predicate)
    const result: RowProbeResult = {
      value: isThere ? probe.valueIfPresent : probe.valueIfAbsent,
      evidence,
      answer: response,
      site,
      ...(property === undefined ? {} : { property }),
      ...(probe.operators === undefined ? {} : { operators: probe.operators }),
    }
    shown.set(choice, [...(shown.get(choice) ?? []), result])
  }
  for (const batch of batchesOf(
    place === undefined ? placeProbes(probes, session) : placeProbesAt(place, probes, session),
  )) {
    const result = await sendBatch(batch, session)
    if (result !== undefined) {
      for (const placed of batch) add(placed, result.keys.has(placed.key), result.answer)
      continue
    }
    if (batch.length === 1) continue
    const failed = new Map<string, number>()
    for (const placed of batch) {
      if ((failed.get(placed.choice) ?? 0) > 0) continue
      const own = await sendBatch([placed], session)
      if (own === undefined) failed.set(placed.choice, 1)
      else add(placed, own.keys.has(placed.key), own.answer)
    }
  }
  return shown
}

async function sendBatch(
  batch: readonly PlacedProbe[],
  session: Session,
): Promise<{ readonly keys: ReadonlySet<string>; readonly answer: TestResponse } | undefined> {
  const [first, ...others] = batch
  if (first === undefined) return undefined
  const filter = joinConditions('or', first.filter, ...others.map(placed => placed.filter))
  const answer = await queryKeys(first.site, session, { filter })
  if (answer.kind !== 'keys' || !answer.isWhole) return undefined
  session.support.recordAccepted(first.site, ['filter'])
  const [page] = answer.answers
  return page === undefined ? undefined : { keys: answer.keys, answer: page }
}

/** Selects the probes of each choice from the first collections that have any. No two probes use the same row. */
function placeProbes(probings: readonly ChoiceProbe[], session: Session): readonly PlacedProbe[] {
  const fields = listSites(session, query => query.filter.support !== 'none')
    .slice(0, maxSites)
    .flatMap(site => probeContextOf(site, session) ?? [])
  const used = new Set<string>()
  const place = (choice: string, candidates: Iterable<Candidate>, found: PlacedProbe[]): void => {
    for (const { probe, context } of candidates) {
      if (found.length >= probesPerChoice) return
      const placed = placeProbe(choice, probe, context, used)
      if (placed !== undefined) found.push(placed)
    }
  }
  return probings.flatMap(({ choice, probes, alternative }) => {
    const first: PlacedProbe[] = []
    place(choice, candidatesOf(probes, fields), first)
    if (alternative === undefined) return first
    const second: PlacedProbe[] = []
    // Both kinds of evidence are comparable only for the same property.
    const isSame = (candidate: Candidate): boolean =>
      first.some(({ site, probe }) => site === candidate.context.site && isAboutSame(probe, candidate.probe))
    place(choice, [...candidatesOf(alternative, fields)].filter(isSame), second)
    place(choice, candidatesOf(alternative, fields), second)
    return [...first, ...second]
  })
}

/** One probe of each kind for each property. */
function placeProbesAt(
  { site, properties }: ProbePlace,
  probings: readonly ChoiceProbe[],
  session: Session,
): readonly PlacedProbe[] {
  const context = probeContextOf(site, session)
  if (context === undefined) return []
  const used = new Set<string>()
  return properties.flatMap(property => {
    const terms = context.terms.filter(({ path }) => path.join('/') === property)
    return probings.flatMap(({ choice, probes, alternative }) =>
      [probes, ...(alternative === undefined ? [] : [alternative])].flatMap(find => {
        for (const probe of find({ ...context, terms })) {
          const placed = placeProbe(choice, probe, context, used)
          if (placed !== undefined) return [placed]
        }
        return []
      }),
    )
  })
}

interface Candidate {
  readonly probe: RowProbe
  readonly context: ProbeContext
}

function* candidatesOf(probes: ChoiceProbe['probes'], contexts: readonly ProbeContext[]): Generator<Candidate> {
  for (const context of contexts) for (const probe of probes(context)) yield { probe, context }
}

function isAboutSame(left: RowProbe, right: RowProbe): boolean {
  return comparedProperties(left.predicate)[0] === comparedProperties(right.predicate)[0]
}

function placeProbe(
  choice: string,
  probe: RowProbe,
  { site, session }: ProbeContext,
  used: Set<string>,
): PlacedProbe | undefined {
  const key = site.type === undefined ? undefined : keyOf(probe.row, site.type)
  if (key === undefined || used.has(`${site.id} ${key}`)) return undefined
  const condition = keyFilter(probe.row, site, session)
  if (condition === undefined) return undefined
  used.add(`${site.id} ${key}`)
  return { choice, site, key, probe, filter: binary('and', condition, probe.predicate) }
}

function probeContextOf(site: Site, session: Session): ProbeContext | undefined {
  const snapshot = session.snapshot(site)
  const grammar = grammarOf(site, session)
  if (snapshot === undefined || snapshot.rows.length === 0 || grammar === undefined || !grammar.has('and'))
    return undefined
  const terms = grammar.terms.filter(({ path: [name] }) => name !== undefined && isShown(name, snapshot.rows))
  return { site, snapshot, grammar, session, terms }
}

function isShown(name: string, rows: readonly Row[]): boolean {
  return rows.some(row => Object.hasOwn(row, name))
}

/** Groups probes by collection into short requests. */
function batchesOf(all: readonly PlacedProbe[]): readonly (readonly PlacedProbe[])[] {
  const found: PlacedProbe[][] = []
  const open = new Map<string, { batch: PlacedProbe[]; length: number }>()
  for (const placed of all) {
    const length = encodeURIComponent(printFilter(placed.filter)).length + 8
    const current = open.get(placed.site.id)
    if (
      current !== undefined &&
      current.batch.length < probesPerRequest &&
      current.length + length <= maxFilterLength
    ) {
      current.batch.push(placed)
      current.length += length
      continue
    }
    const batch = [placed]
    found.push(batch)
    open.set(placed.site.id, { batch, length })
  }
  return found
}
