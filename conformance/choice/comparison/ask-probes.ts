import { type Expression, printFilter } from '../../../runtime/query/index.js'
import type { Answer } from '../../http/answer.js'
import type { Row } from '../../json.js'
import { binary, joined } from '../../query/build.js'
import { filtered } from '../../query/filtered.js'
import { grammarOf } from '../../query/grammar.js'
import { keyFilter } from '../../query/key-filter.js'
import { listSites } from '../../reading/list-sites.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'
import type { Probe, ProbeField, Probing } from './probe.js'

/** What one probe showed. */
export interface Shown {
  readonly value: string
  /** `/users?$filter=…: the row is there`. */
  readonly witness: string
  readonly answer: Answer
}

interface Placed {
  readonly choice: string
  readonly site: Site
  readonly key: string
  readonly probe: Probe
  readonly filter: Expression
}

/** Witnesses a choice. */
const wanted = 2
/** Probes that go into one request, if they are short enough. */
const together = 6
const longest = 1400
/** Collections that are looked at for probes. */
const mostSites = 4

/**
 * Asks the probes of many choices, several in one request: each is about one row, given by its key, so that which rows come
 * back tells them all. What is refused together is asked one by one.
 */
export async function askProbes(
  probings: readonly Probing[],
  session: Session,
): Promise<ReadonlyMap<string, readonly Shown[]>> {
  const shown = new Map<string, Shown[]>()
  const add = ({ choice, site, probe, filter }: Placed, isThere: boolean, answer: Answer): void => {
    const witness = `${site.path}?$filter=${printFilter(filter)}: the row is ${isThere ? 'there' : 'not there'}`
    shown.set(choice, [
      ...(shown.get(choice) ?? []),
      { value: isThere ? probe.present : probe.absent, witness, answer },
    ])
  }
  for (const batch of batches(place(probings, session))) {
    const told = await keysOf(batch, session)
    if (told !== undefined) {
      for (const placed of batch) add(placed, told.keys.has(placed.key), told.answer)
      continue
    }
    if (batch.length === 1) continue
    const failed = new Map<string, number>()
    for (const placed of batch) {
      if ((failed.get(placed.choice) ?? 0) > 0) continue
      const own = await keysOf([placed], session)
      if (own === undefined) failed.set(placed.choice, 1)
      else add(placed, own.keys.has(placed.key), own.answer)
    }
  }
  return shown
}

async function keysOf(
  batch: readonly Placed[],
  session: Session,
): Promise<{ readonly keys: ReadonlySet<string>; readonly answer: Answer } | undefined> {
  const [first, ...others] = batch
  if (first === undefined) return undefined
  const filter = joined('or', first.filter, ...others.map(placed => placed.filter))
  const answer = await filtered(first.site, session, { filter })
  if (answer.kind !== 'keys' || !answer.isWhole) return undefined
  session.support.accepted(first.site, ['filter'])
  const [page] = answer.answers
  return page === undefined ? undefined : { keys: answer.keys, answer: page }
}

/** For each choice, the probes of the first collections that have any; never two about one row of a collection. */
function place(probings: readonly Probing[], session: Session): readonly Placed[] {
  const fields = listSites(session, query => query.filter.support !== 'none')
    .slice(0, mostSites)
    .flatMap(site => fieldOf(site, session) ?? [])
  const used = new Set<string>()
  const ways = probings.flatMap(({ choice, probes, also }) =>
    [probes, ...(also === undefined ? [] : [also])].map(way => ({ choice, probes: way })),
  )
  return ways.flatMap(({ choice, probes }) => {
    const found: Placed[] = []
    for (const field of fields) {
      for (const probe of probes(field)) {
        if (found.length >= wanted) return found
        const placed = placedProbe(choice, probe, field, used)
        if (placed !== undefined) found.push(placed)
      }
      if (found.length >= wanted) return found
    }
    return found
  })
}

function placedProbe(
  choice: string,
  probe: Probe,
  { site, session }: ProbeField,
  used: Set<string>,
): Placed | undefined {
  const key = site.type === undefined ? undefined : keyOf(probe.row, site.type)
  if (key === undefined || used.has(`${site.id} ${key}`)) return undefined
  const condition = keyFilter(probe.row, site, session)
  if (condition === undefined) return undefined
  used.add(`${site.id} ${key}`)
  return { choice, site, key, probe, filter: binary('and', condition, probe.predicate) }
}

function fieldOf(site: Site, session: Session): ProbeField | undefined {
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
function batches(all: readonly Placed[]): readonly (readonly Placed[])[] {
  const found: Placed[][] = []
  const open = new Map<string, { batch: Placed[]; length: number }>()
  for (const placed of all) {
    const length = encodeURIComponent(printFilter(placed.filter)).length + 8
    const current = open.get(placed.site.id)
    if (current !== undefined && current.batch.length < together && current.length + length <= longest) {
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
