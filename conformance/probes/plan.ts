import fc from 'fast-check'
import type { Expression } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import type { ComparisonSemantics } from '../oracle/comparison-semantics.js'
import { evaluationContextOf } from '../oracle/predict.js'
import type { Session } from '../session/session.js'
import { type BugModel, mayAffect, operatorsIn } from './bug-models/bug-model.js'
import { bugModels } from './bug-models/index.js'
import { conditionsOf } from './conditions.js'
import { buggyEvaluator, correctEvaluator, detectionOf, equivalentRows } from './evaluators.js'
import { binary, joinConditions, nodeCount, not } from './expressions.js'
import { type Condition, type Grammar, grammarOf } from './grammar.js'
import { filterShape, isFilterTooLong } from './query-keys.js'

/** A filter, and the bug models that it detects. */
interface PlannedFilter {
  readonly filter: Expression
  /** Ids of bug models. */
  readonly detects: readonly string[]
}

/** A filter that may be planned, and the catalogue indices of the bug models that it detects. */
interface Candidate {
  readonly filter: Expression
  readonly size: number
  readonly detects: readonly number[]
}

/** How often to detect each bug model again, with filters of different shapes. */
const rounds = 3
const maxFilters = 60
/** How many new bug models a long filter must detect. */
const minNewBugModels = 2
const maxTrials = 120

/**
 * Chooses filters until each bug model is detected: first a few long filters that detect many, then shorter ones of
 * other shapes.
 *
 * @param grow extends a candidate so that it detects more
 */
function cover(
  candidates: readonly Candidate[],
  catalogue: readonly BugModel[],
  { detected, planned }: DetectedBugModels,
  grow: (candidate: Candidate, worthOf: (candidate: Candidate) => number) => Candidate,
): readonly PlannedFilter[] {
  const times: number[] = catalogue.map(({ id }) => (detected.has(id) ? 1 : 0))
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
  for (const { detects } of filters) for (const id of detects) detected.add(id)
  for (const each of catalogue) planned.set(each.id, each)
  return filters
}

/** Extends a candidate with conditions joined by `or`, as long as each one detects more. */
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

/** Random filters of limited depth, composed with the operators that the spec declares. */
export function filterArbitrary(conditions: readonly Condition[], grammar: Grammar): fc.Arbitrary<Expression> {
  const atom = fc.constantFrom(...conditions).map(({ filter }) => filter)
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

/** Chains of conditions. */
function chainArbitrary(
  operator: 'and' | 'or',
  conditions: readonly Condition[],
  grammar: Grammar,
): fc.Arbitrary<Expression> {
  return fc
    .array(fc.constantFrom(...conditions), { minLength: 3, maxLength: 6 })
    .map(([first, ...others]) => {
      const [head, ...rest] = [first, ...others].flatMap(each => (each === undefined ? [] : [each.filter]))
      return head === undefined ? not(binary('eq', nullOperand, nullOperand)) : joinConditions(operator, head, ...rest)
    })
    .map(filter => shortenFilter(filter, grammar.maxNodes))
}

const nullOperand: Expression = { kind: 'literal', type: 'null', value: null }

/** Drops the right part of a filter that is too long. */
function shortenFilter(filter: Expression, maxNodes: number): Expression {
  let result = filter
  while (nodeCount(result) > maxNodes || isFilterTooLong(result)) {
    if (result.kind === 'unary') result = result.operand
    else if (result.kind === 'binary' && (result.operator === 'and' || result.operator === 'or')) result = result.left
    else return result
  }
  return result
}

/** The bug models that the plans of a service detect, and all that were planned for. */
interface DetectedBugModels {
  readonly detected: Set<string>
  readonly planned: Map<string, BugModel>
}

const detectedByRun = new WeakMap<object, DetectedBugModels>()

/** The bug models that some collection's plan detects. Each one is detected once before any is detected again. */
function detectedBugModels(session: Session): DetectedBugModels {
  const found = detectedByRun.get(session.run) ?? { detected: new Set(), planned: new Map() }
  detectedByRun.set(session.run, found)
  return found
}

/** The bug models that no planned filter can detect with these data, as text: `gt were ge`. */
export function undetectableBugs(session: Session): readonly string[] {
  const { detected, planned } = detectedBugModels(session)
  return [...planned.values()].filter(({ id }) => !detected.has(id)).map(({ description }) => description)
}

/** Maximum rows to plan with; more rows hardly improve the plan. */
const maxPlannedRows = 80
const treeCount = 50
const chainCount = 60

const plans = new WeakMap<object, Map<string, readonly PlannedFilter[]>>()

/** The plan of a collection, created on first use. */
export function planFilters(site: Site, session: Session): readonly PlannedFilter[] {
  const known = plans.get(session.run) ?? new Map()
  plans.set(session.run, known)
  const grammar = grammarOf(site, session)
  const wrong = bugModels.filter(({ id }) => !session.excludedBugModels.has(id))
  const plan = known.get(site.id) ?? (grammar === undefined ? [] : createPlan(site, grammar, session, wrong))
  known.set(site.id, plan)
  return plan
}

/**
 * Chooses filters that detect as many bug models as possible with as few requests as possible, by evaluating them over
 * the harvested rows. Sends nothing. The same rows and choices give the same plan.
 */
export function createPlan(
  site: Site,
  grammar: Grammar,
  session: Session,
  whole: readonly BugModel[] = bugModels,
): readonly PlannedFilter[] {
  const snapshot = session.snapshot(site)
  const conditions = snapshot === undefined ? [] : conditionsOf(grammar, snapshot, session)
  if (snapshot === undefined || conditions.length === 0) return []
  const rows = snapshot.rows.slice(0, maxPlannedRows)
  const context = evaluationContextOf(snapshot, session)
  const rowClass = equivalentRows(rows)
  const right = correctEvaluator(rowClass, context)
  const catalogue = whole.filter(each => isApplicable(each, conditions, context.semantics))
  const wrong = catalogue.map(each => buggyEvaluator(each, rowClass, context, right))
  const detectionsOf = detectionOf(right, wrong)
  const candidateOf = (filter: Expression): Candidate => {
    return { filter, size: nodeCount(filter), detects: detectionsOf(filter) }
  }
  const single = conditions.map(({ filter }) => candidateOf(filter))
  const useful = conditions.filter((_, index) => (single[index]?.detects.length ?? 0) > 0)
  const common = useful.filter(
    ({ filter }) => countOf(right.evaluateCondition(filter).mayBeTrue) * 4 >= rows.length * 3,
  )
  // In a chain of `or` of conditions that few rows meet, each one shows what it would show alone.
  const rare = useful.filter(({ filter }) => countOf(right.evaluateCondition(filter).mayBeTrue) * 5 <= rows.length)
  const seed = hashOf(site.id)
  const sampled = [
    ...fc.sample(filterArbitrary(useful.length > 0 ? useful : conditions, grammar), { seed, numRuns: treeCount }),
    ...(grammar.has('or') && rare.length > 0
      ? fc.sample(chainArbitrary('or', rare, grammar), { seed: seed + 1, numRuns: chainCount })
      : []),
    ...(grammar.has('and') && common.length > 0
      ? fc.sample(chainArbitrary('and', common, grammar), { seed: seed + 2, numRuns: chainCount / 3 })
      : []),
  ]
  const candidates = [...single, ...sampled.map(candidateOf)].filter(({ detects }) => detects.length > 0)
  const rareFilters = new Set(rare.map(({ filter }) => filter))
  const pieces = grammar.has('or')
    ? single.filter(({ filter, detects }) => detects.length > 0 && rareFilters.has(filter))
    : []
  const grow = (candidate: Candidate, worthOf: (candidate: Candidate) => number): Candidate =>
    growCandidate(candidate, pieces, candidateOf, worthOf, grammar.maxNodes)
  return cover(candidates, catalogue, detectedBugModels(session), grow)
}

/** Whether a bug could change any result, given what the spec declares. */
function isApplicable(bugModel: BugModel, conditions: readonly Condition[], semantics: ComparisonSemantics): boolean {
  if (bugModel.semantics !== undefined)
    return JSON.stringify(bugModel.semantics(semantics)) !== JSON.stringify(semantics)
  if (bugModel.rewriteFilter !== undefined || bugModel.notOfNull !== undefined) return true
  return conditions.some(
    ({ filter }) =>
      mayAffect(bugModel, operatorsIn(filter)) &&
      (bugModel.rewriteCondition?.(filter) ?? bugModel.evaluateRow?.(filter)) !== undefined,
  )
}

function countOf(bits: bigint): number {
  return bits.toString(2).replaceAll('0', '').length
}

/** A stable hash of a text. */
function hashOf(text: string): number {
  let hash = 17
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return hash
}
