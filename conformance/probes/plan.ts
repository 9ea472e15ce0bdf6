import fc from 'fast-check'
import type { Expression } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import type { ComparisonSemantics } from '../oracle/comparison-semantics.js'
import { evaluationContextOf } from '../oracle/predict.js'
import type { Session } from '../session/session.js'
import { type BugModel, mayAffect, operatorsIn } from './bug-models/bug-model.js'
import { bugModels } from './bug-models/index.js'
import { conditionsOf } from './conditions.js'
import { buggyEvaluator, correctEvaluator, detectionOf } from './evaluators.js'
import { binary, joinConditions, nodeCount, not } from './expressions.js'
import { filterShape, isFilterTooLong } from './filter-text.js'
import { type Condition, type Grammar, grammarOf } from './grammar.js'
import { equivalentRows } from './truth-vector.js'

/** A filter, and what it tells apart from the right reading. */
interface PlannedFilter {
  readonly filter: Expression
  /** Ids of wrong interpreters. */
  readonly detects: readonly string[]
}

/** A filter that may be planned, and the wrong interpreters that it tells, by place in the catalogue. */
interface Candidate {
  readonly filter: Expression
  readonly size: number
  readonly detects: readonly number[]
}

/** Times that each wrong interpreter is told, by filters of different shapes, after it was once. */
const rounds = 3
const maxFilters = 60
/** A first filter must tell so much that is new. */
const minNewBugModels = 2
const maxTrials = 120

/**
 * Chooses filters until each wrong interpreter is told, first by a few long filters that tell many at once, then again by
 * shorter ones of other shapes.
 *
 * @param grow a candidate made to tell more
 */
function cover(
  candidates: readonly Candidate[],
  catalogue: readonly BugModel[],
  { detected: told, planned: wanted }: DetectedBugModels,
  grow: (candidate: Candidate, worthOf: (candidate: Candidate) => number) => Candidate,
): readonly PlannedFilter[] {
  const times: number[] = catalogue.map(({ id }) => (told.has(id) ? 1 : 0))
  const filters: PlannedFilter[] = []
  const shapes = new Set<string>()
  const shapeByCandidate = new Map<Candidate, string>()
  const knownShape = (candidate: Candidate): string => {
    const shape = shapeByCandidate.get(candidate) ?? filterShape(candidate.filter)
    shapeByCandidate.set(candidate, shape)
    return shape
  }
  const chosen = new Set<Candidate>()
  const newsIn = (candidate: Candidate, round: number): number =>
    candidate.detects.reduce((sum, index) => sum + ((times[index] ?? 0) < round ? 1 : 0), 0)
  const take = (candidate: Candidate): void => {
    shapes.add(knownShape(candidate))
    chosen.add(candidate)
    for (const index of candidate.detects) times[index] = (times[index] ?? 0) + 1
    filters.push({ filter: candidate.filter, detects: candidate.detects.flatMap(index => catalogue[index]?.id ?? []) })
  }
  const bestOf = (worthOf: (candidate: Candidate) => number): Candidate | undefined => {
    let best: Candidate | undefined
    let most = 0
    for (const candidate of candidates) {
      const worth = chosen.has(candidate) ? 0 : worthOf(candidate)
      if (worth > most) [best, most] = [candidate, worth]
    }
    return best
  }
  for (;;) {
    const worthOf = (candidate: Candidate): number => newsIn(candidate, 1) - candidate.size / 200
    const best = bestOf(worthOf)
    if (best === undefined || newsIn(best, 1) < minNewBugModels) break
    chosen.add(best)
    take(grow(best, worthOf))
  }
  for (let round = 1; round <= rounds; round++) {
    while (filters.length < maxFilters) {
      const best = bestOf(candidate => {
        const news = newsIn(candidate, round)
        return news === 0 || (round > 1 && shapes.has(knownShape(candidate))) ? 0 : news / (4 + candidate.size)
      })
      if (best === undefined) break
      take(best)
    }
  }
  for (const { detects: tells } of filters) for (const id of tells) told.add(id)
  for (const each of catalogue) wanted.set(each.id, each)
  return filters
}

/** A candidate with more conditions joined by `or`, as long as each makes it tell more. */
function growCandidate(
  candidate: Candidate,
  pieces: readonly Candidate[],
  candidateOf: (filter: Expression) => Candidate,
  worthOf: (candidate: Candidate) => number,
  maxNodes: number,
): Candidate {
  let best = candidate
  let trials = 0
  for (const piece of pieces) {
    if (best.size + piece.size + 1 > maxNodes || worthOf(piece) === 0) continue
    if (piece.detects.every(index => best.detects.includes(index))) continue
    if (trials++ > maxTrials) break
    const filter = binary('or', best.filter, piece.filter)
    if (isFilterTooLong(filter)) continue
    const larger = candidateOf(filter)
    if (worthOf(larger) > worthOf(best)) best = larger
  }
  return best
}

/** Filters of some depth, made of conditions by the operators that the spec declares. */
export function filterArbitrary(atoms: readonly Condition[], grammar: Grammar): fc.Arbitrary<Expression> {
  const atom = fc.constantFrom(...atoms).map(({ filter }) => filter)
  const { tree } = fc.letrec<{ tree: Expression }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      { arbitrary: atom, weight: 2 },
      ...(grammar.has('and')
        ? [{ arbitrary: fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => binary('and', a, b)), weight: 3 }]
        : []),
      ...(grammar.has('or')
        ? [{ arbitrary: fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => binary('or', a, b)), weight: 3 }]
        : []),
      ...(grammar.has('not') ? [{ arbitrary: tie('tree').map(not), weight: 2 }] : []),
    ),
  }))
  return tree.map(filter => shortenFilter(filter, grammar.maxNodes))
}

/** Chains of conditions, of which each may tell something of its own. */
function chainArbitrary(
  operator: 'and' | 'or',
  atoms: readonly Condition[],
  grammar: Grammar,
): fc.Arbitrary<Expression> {
  return fc
    .array(fc.constantFrom(...atoms), { minLength: 3, maxLength: 6 })
    .map(([first, ...others]) => {
      const [head, ...rest] = [first, ...others].flatMap(each => (each === undefined ? [] : [each.filter]))
      return head === undefined ? not(binary('eq', nullOperand, nullOperand)) : joinConditions(operator, head, ...rest)
    })
    .map(filter => shortenFilter(filter, grammar.maxNodes))
}

const nullOperand: Expression = { kind: 'literal', type: 'null', value: null }

/** The left part of what is too long. */
function shortenFilter(filter: Expression, maxNodes: number): Expression {
  let result = filter
  while (nodeCount(result) > maxNodes || isFilterTooLong(result)) {
    if (result.kind === 'unary') result = result.operand
    else if (result.kind === 'binary' && (result.operator === 'and' || result.operator === 'or')) result = result.left
    else return result
  }
  return result
}

/** What the plans of a service's collections tell, by id, and what any of them would like to. */
interface DetectedBugModels {
  readonly detected: Set<string>
  readonly planned: Map<string, BugModel>
}

const detectedBySession = new WeakMap<Session, DetectedBugModels>()

/** What filters of a service's collections tell: each is told once in some collection before any is told again. */
function detectedBugModels(session: Session): DetectedBugModels {
  const found = detectedBySession.get(session) ?? { detected: new Set(), planned: new Map() }
  detectedBySession.set(session, found)
  return found
}

/** What the data of no collection planned so far can show, for people: `gt were ge`. */
export function undetectableBugs(session: Session): readonly string[] {
  const { detected: told, planned: wanted } = detectedBugModels(session)
  return [...wanted.values()].filter(({ id }) => !told.has(id)).map(({ description: says }) => says)
}

/** Rows that are planned with; more make no plan better. */
const maxPlannedRows = 80
const treeCount = 50
const chainCount = 60

const plans = new WeakMap<Session, Map<string, readonly PlannedFilter[]>>()

/** The plan of a collection, made when it is first asked for. */
export function planFilters(site: Site, session: Session): readonly PlannedFilter[] {
  const known = plans.get(session) ?? new Map()
  plans.set(session, known)
  const grammar = grammarOf(site, session)
  const wrong = bugModels.filter(({ id }) => !session.excludedBugModels.has(id))
  const plan = known.get(site.id) ?? (grammar === undefined ? [] : createPlan(site, grammar, session, wrong))
  known.set(site.id, plan)
  return plan
}

/**
 * Chooses filters that, evaluated over the harvested rows, tell the right reading from as many wrong ones as possible with as
 * few requests as possible. Sends nothing. The same rows and choices give the same plan.
 */
export function createPlan(
  site: Site,
  grammar: Grammar,
  session: Session,
  whole: readonly BugModel[] = bugModels,
): readonly PlannedFilter[] {
  const snapshot = session.snapshot(site)
  const atoms = snapshot === undefined ? [] : conditionsOf(grammar, snapshot, session)
  if (snapshot === undefined || atoms.length === 0) return []
  const rows = snapshot.rows.slice(0, maxPlannedRows)
  const subject = evaluationContextOf(snapshot, session)
  const alike = equivalentRows(rows)
  const right = correctEvaluator(alike, subject)
  const catalogue = whole.filter(each => isApplicable(each, atoms, subject.semantics))
  const wrong = catalogue.map(each => buggyEvaluator(each, alike, subject, right))
  const tells = detectionOf(right, wrong)
  const candidateOf = (filter: Expression): Candidate => {
    return { filter, size: nodeCount(filter), detects: tells(filter) }
  }
  const single = atoms.map(({ filter }) => candidateOf(filter))
  const telling = atoms.filter((_, index) => (single[index]?.detects.length ?? 0) > 0)
  const common = telling.filter(
    ({ filter }) => countOf(right.evaluateCondition(filter).mayBeTrue) * 4 >= rows.length * 3,
  )
  // Among conditions that few rows meet, each shows in a chain of `or` what it would show alone.
  const rare = telling.filter(({ filter }) => countOf(right.evaluateCondition(filter).mayBeTrue) * 5 <= rows.length)
  const seed = hashOf(site.id)
  const sampled = [
    ...fc.sample(filterArbitrary(telling.length > 0 ? telling : atoms, grammar), { seed, numRuns: treeCount }),
    ...(grammar.has('or') && rare.length > 0
      ? fc.sample(chainArbitrary('or', rare, grammar), { seed: seed + 1, numRuns: chainCount })
      : []),
    ...(grammar.has('and') && common.length > 0
      ? fc.sample(chainArbitrary('and', common, grammar), { seed: seed + 2, numRuns: chainCount / 3 })
      : []),
  ]
  const candidates = [...single, ...sampled.map(candidateOf)].filter(({ detects: tells }) => tells.length > 0)
  const rareFilters = new Set(rare.map(({ filter }) => filter))
  const pieces = grammar.has('or')
    ? single.filter(({ filter, detects: tells }) => tells.length > 0 && rareFilters.has(filter))
    : []
  const grow = (candidate: Candidate, worthOf: (candidate: Candidate) => number): Candidate =>
    growCandidate(candidate, pieces, candidateOf, worthOf, grammar.maxNodes)
  return cover(candidates, catalogue, detectedBugModels(session), grow)
}

/** Whether an interpreter would do anything otherwise with what is declared. */
function isApplicable(wrong: BugModel, atoms: readonly Condition[], laws: ComparisonSemantics): boolean {
  if (wrong.semantics !== undefined) return JSON.stringify(wrong.semantics(laws)) !== JSON.stringify(laws)
  if (wrong.rewriteFilter !== undefined || wrong.notOfNull !== undefined) return true
  return atoms.some(
    ({ filter }) =>
      mayAffect(wrong, operatorsIn(filter)) &&
      (wrong.rewriteCondition?.(filter) ?? wrong.evaluateRow?.(filter)) !== undefined,
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
