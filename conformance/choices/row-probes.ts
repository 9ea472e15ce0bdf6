import { type Expression, printFilter } from '../../runtime/query/index.js'
import { keyOf, type Site, type Snapshot } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import type { Row } from '../json.js'
import { listSites } from '../lists/query-site.js'
import { binary, joinConditions } from '../probes/expressions.js'
import { type Grammar, grammarOf, type Term } from '../probes/grammar.js'
import { keyFilter, queryKeys } from '../probes/query-keys.js'
import type { Session } from '../session/session.js'
import type { CalibrationResult, Calibrator } from './calibrator.js'

/** One row that tells which way a choice was made: by being there, or not, when it is asked for by key and predicate. */
export interface RowProbe {
  readonly row: Row
  readonly predicate: Expression
  /** What the choice is when the row is there, and when it is not. */
  readonly valueIfPresent: string
  readonly valueIfAbsent: string
}

/** What probes are looked for in. */
export interface ProbeContext {
  readonly site: Site
  readonly snapshot: Snapshot
  readonly grammar: Grammar
  readonly session: Session
  /** The single terms whose values the snapshot shows. */
  readonly terms: readonly Term[]
}

/** How one choice is told: the rows of a collection that tell it, the best first, on different properties where there are. */
export interface ChoiceProbe {
  readonly choice: string
  readonly probes: (field: ProbeContext) => Iterable<RowProbe>
  /** Another way in which it shows: probes of both are asked. */
  readonly alternative?: (field: ProbeContext) => Iterable<RowProbe>
  /** Said when the probes disagree, where that is a fault in itself and no choice that differs from property to property. */
  readonly inconsistency?: string
  /** What such a fault has to do with. */
  readonly features?: readonly string[]
}

/**
 * Calibrators that share their requests: the first to run asks for all that the spec leaves open. What was seen doing both
 * is asked once more, alone.
 */
export function rowProbeCalibrators(probings: readonly ChoiceProbe[]): readonly Calibrator[] {
  const asked = new WeakMap<Session, Promise<ReadonlyMap<string, readonly RowProbeResult[]>>>()
  return probings.map(probing => ({
    choice: probing.choice,
    after: ['guidLiteral', 'optionSupport'],
    learn: async session => {
      const open = new Set(session.service.open.filter(({ legal }) => legal.length > 1).map(({ name }) => name))
      const all =
        asked.get(session) ??
        sendRowProbes(
          probings.filter(({ choice }) => open.has(choice)),
          session,
        )
      asked.set(session, all)
      const shown = (await all).get(probing.choice) ?? []
      if (new Set(shown.map(({ value }) => value)).size < 2) return concludeFromProbes(shown, probing)
      return concludeFromProbes((await sendRowProbes([probing], session)).get(probing.choice) ?? [], probing)
    },
  }))
}

function concludeFromProbes(
  shown: readonly RowProbeResult[],
  { choice, inconsistency: isOneOf, features = [] }: ChoiceProbe,
): CalibrationResult {
  const witnesses = shown.map(({ evidence: witness }) => witness)
  const [first, ...others] = shown
  if (first === undefined) return { kind: 'undecided', why: 'no row of the data tells it' }
  if (others.some(({ value }) => value !== first.value)) {
    if (isOneOf !== undefined) {
      const message = `The service answers in two ways: ${isOneOf}.`
      const received = witnesses.join('; ')
      const answers = shown.map(({ answer }) => answer)
      return { kind: 'illegal', finding: { message, expected: `one value of ${choice}`, received, answers, features } }
    }
    return { kind: 'undecided', why: 'it was seen doing both', witnesses }
  }
  return { kind: 'learned', value: first.value, witnesses }
}

/** What one probe showed. */
interface RowProbeResult {
  readonly value: string
  /** `/users?$filter=…: the row is there`. */
  readonly evidence: string
  readonly answer: TestResponse
}

interface PlacedProbe {
  readonly choice: string
  readonly site: Site
  readonly key: string
  readonly probe: RowProbe
  readonly filter: Expression
}

/** Witnesses a choice. */
const probesPerChoice = 2
/** Probes that go into one request, if they are short enough. */
const probesPerRequest = 6
const maxFilterLength = 1400
/** Collections that are looked at for probes. */
const maxSites = 4

/**
 * Asks the probes of many choices, several in one request: each is about one row, given by its key, so that which rows come
 * back tells them all. What is refused together is asked one by one.
 */
async function sendRowProbes(
  probings: readonly ChoiceProbe[],
  session: Session,
): Promise<ReadonlyMap<string, readonly RowProbeResult[]>> {
  const shown = new Map<string, RowProbeResult[]>()
  const add = ({ choice, site, probe, filter }: PlacedProbe, isThere: boolean, answer: TestResponse): void => {
    const witness = `${site.path}?$filter=${printFilter(filter)}: the row is ${isThere ? 'there' : 'not there'}`
    shown.set(choice, [
      ...(shown.get(choice) ?? []),
      { value: isThere ? probe.valueIfPresent : probe.valueIfAbsent, evidence: witness, answer },
    ])
  }
  for (const batch of batchesOf(placeProbes(probings, session))) {
    const told = await sendBatch(batch, session)
    if (told !== undefined) {
      for (const placed of batch) add(placed, told.keys.has(placed.key), told.answer)
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

/** For each choice, the probes of the first collections that have any; never two about one row of a collection. */
function placeProbes(probings: readonly ChoiceProbe[], session: Session): readonly PlacedProbe[] {
  const fields = listSites(session, query => query.filter.support !== 'none')
    .slice(0, maxSites)
    .flatMap(site => probeContextOf(site, session) ?? [])
  const used = new Set<string>()
  const ways = probings.flatMap(({ choice, probes, alternative: also }) =>
    [probes, ...(also === undefined ? [] : [also])].map(way => ({ choice, probes: way })),
  )
  return ways.flatMap(({ choice, probes }) => {
    const found: PlacedProbe[] = []
    for (const field of fields) {
      for (const probe of probes(field)) {
        if (found.length >= probesPerChoice) return found
        const placed = placeProbe(choice, probe, field, used)
        if (placed !== undefined) found.push(placed)
      }
      if (found.length >= probesPerChoice) return found
    }
    return found
  })
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

/** By collection, few enough and short enough for one request. */
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
