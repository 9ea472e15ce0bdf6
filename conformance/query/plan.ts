import fc from 'fast-check'
import type { Expression } from '../../runtime/query/index.js'
import type { Laws } from '../semantics/laws.js'
import { subjectOf } from '../semantics/predict.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import type { Atom } from './atom.js'
import { atomsOf } from './atoms-of.js'
import { chainArbitrary, filterArbitrary } from './candidates.js'
import { type Candidate, cover, grown, type PlannedFilter } from './cover.js'
import { type Grammar, grammarOf } from './grammar.js'
import { nodesOf } from './nodes-of.js'
import { rightReader, wrongReader } from './reader.js'
import { tellsOf } from './readings.js'
import { rowsAlike } from './rows-alike.js'
import { toldIn } from './told.js'
import { wrongInterpreters } from './wrong/catalogue.js'
import { mayMisread, signsOf } from './wrong/signs-of.js'
import type { WrongInterpreter } from './wrong/wrong-interpreter.js'

/** Rows that are planned with; more make no plan better. */
const mostRows = 80
const trees = 50
const chains = 60

const plans = new WeakMap<Session, Map<string, readonly PlannedFilter[]>>()

/** The plan of a collection, made when it is first asked for. */
export function planFilters(site: Site, session: Session): readonly PlannedFilter[] {
  const known = plans.get(session) ?? new Map()
  plans.set(session, known)
  const grammar = grammarOf(site, session)
  const wrong = wrongInterpreters.filter(({ id }) => !session.planWithout.has(id))
  const plan = known.get(site.id) ?? (grammar === undefined ? [] : makePlan(site, grammar, session, wrong))
  known.set(site.id, plan)
  return plan
}

/**
 * Chooses filters that, evaluated over the harvested rows, tell the right reading from as many wrong ones as possible with as
 * few requests as possible. Sends nothing. The same rows and choices give the same plan.
 */
export function makePlan(
  site: Site,
  grammar: Grammar,
  session: Session,
  whole: readonly WrongInterpreter[] = wrongInterpreters,
): readonly PlannedFilter[] {
  const snapshot = session.snapshot(site)
  const atoms = snapshot === undefined ? [] : atomsOf(grammar, snapshot, session)
  if (snapshot === undefined || atoms.length === 0) return []
  const rows = snapshot.rows.slice(0, mostRows)
  const subject = subjectOf(snapshot, session)
  const alike = rowsAlike(rows)
  const right = rightReader(alike, subject)
  const catalogue = whole.filter(each => isConcerned(each, atoms, subject.laws))
  const wrong = catalogue.map(each => wrongReader(each, alike, subject, right))
  const tells = tellsOf(right, wrong)
  const candidateOf = (filter: Expression): Candidate => {
    return { filter, size: nodesOf(filter), tells: tells(filter) }
  }
  const single = atoms.map(({ filter }) => candidateOf(filter))
  const telling = atoms.filter((_, index) => (single[index]?.tells.length ?? 0) > 0)
  const common = telling.filter(({ filter }) => countOf(right.readAtom(filter).mayBeTrue) * 4 >= rows.length * 3)
  // Among conditions that few rows meet, each shows in a chain of `or` what it would show alone.
  const rare = telling.filter(({ filter }) => countOf(right.readAtom(filter).mayBeTrue) * 5 <= rows.length)
  const seed = hashOf(site.id)
  const sampled = [
    ...fc.sample(filterArbitrary(telling.length > 0 ? telling : atoms, grammar), { seed, numRuns: trees }),
    ...(grammar.has('or') && rare.length > 0
      ? fc.sample(chainArbitrary('or', rare, grammar), { seed: seed + 1, numRuns: chains })
      : []),
    ...(grammar.has('and') && common.length > 0
      ? fc.sample(chainArbitrary('and', common, grammar), { seed: seed + 2, numRuns: chains / 3 })
      : []),
  ]
  const candidates = [...single, ...sampled.map(candidateOf)].filter(({ tells }) => tells.length > 0)
  const rareFilters = new Set(rare.map(({ filter }) => filter))
  const pieces = grammar.has('or')
    ? single.filter(({ filter, tells }) => tells.length > 0 && rareFilters.has(filter))
    : []
  const grow = (candidate: Candidate, worthOf: (candidate: Candidate) => number): Candidate =>
    grown(candidate, pieces, candidateOf, worthOf, grammar.maxNodes)
  return cover(candidates, catalogue, toldIn(session), grow)
}

/** Whether an interpreter would do anything otherwise with what is declared. */
function isConcerned(wrong: WrongInterpreter, atoms: readonly Atom[], laws: Laws): boolean {
  if (wrong.laws !== undefined) return JSON.stringify(wrong.laws(laws)) !== JSON.stringify(laws)
  if (wrong.tree !== undefined || wrong.notNull !== undefined) return true
  return atoms.some(
    ({ filter }) => mayMisread(wrong, signsOf(filter)) && (wrong.atom?.(filter) ?? wrong.truth?.(filter)) !== undefined,
  )
}

function countOf(bits: bigint): number {
  return bits.toString(2).replaceAll('0', '').length
}

/** A number that is the same for the same text. */
function hashOf(text: string): number {
  let hash = 17
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return hash
}
