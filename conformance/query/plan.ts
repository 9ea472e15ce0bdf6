import fc from 'fast-check'
import type { Expression } from '../../runtime/query/index.js'
import type { Laws } from '../semantics/laws.js'
import { subjectOf } from '../semantics/predict.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import type { Atom } from './atom.js'
import { atomsOf } from './atoms-of.js'
import { chainArbitrary, filterArbitrary } from './candidates.js'
import { type Grammar, grammarOf } from './grammar.js'
import { nodesOf } from './nodes-of.js'
import { rightReader, wrongReader } from './reader.js'
import { shapeOf } from './shape-of.js'
import { areApart } from './vector.js'
import { wrongInterpreters } from './wrong/catalogue.js'
import type { WrongInterpreter } from './wrong/wrong-interpreter.js'

/** A filter, and what it tells apart from the right reading. */
export interface PlannedFilter {
  readonly filter: Expression
  /** Ids of wrong interpreters. */
  readonly tells: readonly string[]
}

/** Which filters to ask first. */
export interface Plan {
  readonly filters: readonly PlannedFilter[]
  /** What these data cannot show, for people: `gt were ge`. */
  readonly tooThinFor: readonly string[]
}

/** Rows that are planned with; more make no plan better. */
const mostRows = 80
const trees = 250
const chains = 100
/** Times that each wrong interpreter is told, by filters of different shapes. */
const rounds = 3
const mostFilters = 60

interface Candidate {
  readonly filter: Expression
  readonly shape: string
  readonly size: number
  readonly tells: readonly number[]
}

const plans = new WeakMap<Session, Map<string, Plan>>()

/** The plan of a collection, made when it is first asked for. */
export function planFilters(site: Site, session: Session): Plan {
  const known = plans.get(session) ?? new Map()
  plans.set(session, known)
  const grammar = grammarOf(site, session)
  const plan = known.get(site.id) ?? (grammar === undefined ? nothingToAsk : makePlan(site, grammar, session))
  known.set(site.id, plan)
  return plan
}

const nothingToAsk: Plan = { filters: [], tooThinFor: [] }

/**
 * Chooses filters that, evaluated over the harvested rows, tell the right reading from as many wrong ones as possible with as
 * few requests as possible. Sends nothing. The same rows and choices give the same plan.
 */
export function makePlan(
  site: Site,
  grammar: Grammar,
  session: Session,
  whole: readonly WrongInterpreter[] = wrongInterpreters,
): Plan {
  const snapshot = session.snapshot(site)
  const atoms = snapshot === undefined ? [] : atomsOf(grammar, snapshot, session)
  if (snapshot === undefined || atoms.length === 0) return nothingToAsk
  const rows = snapshot.rows.slice(0, mostRows)
  const subject = subjectOf(snapshot, session)
  const right = rightReader(rows, subject)
  const catalogue = whole.filter(each => isConcerned(each, atoms, subject.laws))
  const wrong = catalogue.map(each => ({ each, reader: wrongReader(each, rows, subject, right) }))
  const onTrees = wrong.flatMap(({ each }, index) =>
    each.tree === undefined && each.notNull === undefined ? [] : [index],
  )
  const misread = new Map<Expression, readonly number[]>()
  const misreadBy = (condition: Expression): readonly number[] => {
    const meant = right.readAtom(condition)
    const found =
      misread.get(condition) ??
      wrong.flatMap(({ reader }, index) => (reader.readAtom(condition) === meant ? [] : [index]))
    misread.set(condition, found)
    return found
  }
  const isTold = (filter: Expression): readonly number[] => {
    const meant = right.read(filter)
    const differing = new Set([...onTrees, ...conditionsOf(filter).flatMap(misreadBy)])
    return [...differing].filter(index => {
      const reader = wrong[index]?.reader
      return reader !== undefined && areApart(meant, reader.read(filter))
    })
  }
  const candidateOf = (filter: Expression): Candidate => {
    return { filter, shape: shapeOf(filter), size: nodesOf(filter), tells: isTold(filter) }
  }
  const single = atoms.map(({ filter }) => candidateOf(filter))
  const telling = atoms.filter((_, index) => (single[index]?.tells.length ?? 0) > 0)
  const seed = hashOf(site.id)
  const sampled = [
    ...fc.sample(filterArbitrary(telling.length > 0 ? telling : atoms, grammar), { seed, numRuns: trees }),
    ...(grammar.has('or') && telling.length > 0
      ? fc.sample(chainArbitrary(telling, grammar), { seed: seed + 1, numRuns: chains })
      : []),
  ]
  const candidates = [...single, ...sampled.map(candidateOf)].filter(({ tells }) => tells.length > 0)
  return cover(candidates, catalogue, toldBefore(session))
}

/** What `and`, `or` and `not` join. */
function conditionsOf(filter: Expression): readonly Expression[] {
  if (filter.kind === 'unary' && filter.operator === 'not') return conditionsOf(filter.operand)
  const isJoin = filter.kind === 'binary' && (filter.operator === 'and' || filter.operator === 'or')
  return isJoin ? [...conditionsOf(filter.left), ...conditionsOf(filter.right)] : [filter]
}

/** Whether an interpreter would do anything otherwise with what is declared. */
function isConcerned(wrong: WrongInterpreter, atoms: readonly Atom[], laws: Laws): boolean {
  if (wrong.laws !== undefined) return JSON.stringify(wrong.laws(laws)) !== JSON.stringify(laws)
  if (wrong.tree !== undefined || wrong.notNull !== undefined) return true
  return atoms.some(({ filter }) => (wrong.atom?.(filter) ?? wrong.truth?.(filter)) !== undefined)
}

const told = new WeakMap<Session, Set<string>>()

/** What filters of other collections of the same service tell: there each is told once before any is told again. */
function toldBefore(session: Session): Set<string> {
  const found = told.get(session) ?? new Set()
  told.set(session, found)
  return found
}

/** The candidate that tells most for its size, again and again. */
function cover(candidates: readonly Candidate[], catalogue: readonly WrongInterpreter[], elsewhere: Set<string>): Plan {
  const times = catalogue.map(() => 0)
  const filters: PlannedFilter[] = []
  const shapes = new Set<string>()
  const chosen = new Set<Candidate>()
  for (let round = 0; round <= rounds; round++) {
    const isNew = (index: number): boolean =>
      round === 0 ? times[index] === 0 && !elsewhere.has(catalogue[index]?.id ?? '') : (times[index] ?? 0) < round
    for (;;) {
      let best: Candidate | undefined
      let most = 0
      for (const candidate of candidates) {
        if (chosen.has(candidate) || (round > 1 && shapes.has(candidate.shape))) continue
        const news = candidate.tells.reduce((sum, index) => sum + (isNew(index) ? 1 : 0), 0)
        const worth = news / (4 + candidate.size)
        if (worth > most) [best, most] = [candidate, worth]
      }
      if (best === undefined || filters.length >= mostFilters) break
      shapes.add(best.shape)
      chosen.add(best)
      for (const index of best.tells) times[index] = (times[index] ?? 0) + 1
      filters.push({ filter: best.filter, tells: best.tells.flatMap(index => catalogue[index]?.id ?? []) })
    }
  }
  for (const { tells } of filters) for (const id of tells) elsewhere.add(id)
  const tooThinFor = catalogue.filter((_, index) => times[index] === 0).map(({ says }) => says)
  return { filters, tooThinFor }
}

/** A number that is the same for the same text. */
function hashOf(text: string): number {
  let hash = 17
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return hash
}
