import fc from 'fast-check'
import type { Expression } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import type { ComparisonSemantics } from '../oracle/comparison-semantics.js'
import { evaluationContextOf } from '../oracle/predict.js'
import type { Session } from '../session/session.js'
import { type BugModel, mayAffect, operatorsIn } from './bug-models/bug-model.js'
import { bugModels } from './bug-models/index.js'
import { conditionsOf } from './conditions.js'
import {
  buggyEvaluator,
  certainlyTrue,
  correctEvaluator,
  detectionOf,
  equivalentRows,
  type RowClasses,
} from './evaluators.js'
import { binary, joinConditions, nodeCount, not, pathTo } from './expressions.js'
import { type Condition, type Grammar, grammarOf } from './grammar.js'
import { observedValues } from './observed-values.js'
import { filterShape, isFilterTooLong, keyFilter } from './query-keys.js'
import { middleConditions } from './value-conditions.js'

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
 * Chooses filters until each bug model is detected: first long filters that detect several, then shorter ones of other
 * shapes.
 *
 * @param pieces conditions that few rows meet
 * @param grow extends a candidate so that it detects more
 */
function cover(
  candidates: readonly Candidate[],
  pieces: readonly Candidate[],
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
  const bestOf = (worthOf: (candidate: Candidate) => number, among = candidates): Candidate | undefined => {
    let best: Candidate | undefined
    let most = 0
    for (const candidate of among) {
      const worth = chosen.has(candidate) ? 0 : worthOf(candidate)
      if (worth > most) [best, most] = [candidate, worth]
    }
    return best
  }
  for (;;) {
    const worthOf = (candidate: Candidate): number => newsIn(candidate, 1) - candidate.size / 200
    const grown = [bestOf(worthOf), bestOf(worthOf, pieces)].flatMap(each => (each ? [grow(each, worthOf)] : []))
    const [best] = grown.toSorted((a, b) => worthOf(b) - worthOf(a))
    if (best === undefined || newsIn(best, 1) < minNewBugModels) break
    take(best)
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

/** For how many rows to try a condition on one row only. */
const maxRowsToTry = 6
/** How many of these to try in chains. */
const rowsPerCondition = 2

/**
 * Conditions that several rows meet, each for one row only, where it detects most bug models: several of them fit into a
 * chain of `or`.
 *
 * @param keys the condition that selects each row, if there is one
 */
function oneRowPieces(
  conditions: readonly Candidate[],
  candidateOf: (filter: Expression) => Candidate,
  right: ReturnType<typeof correctEvaluator>,
  rowClass: RowClasses,
  keys: readonly (Expression | undefined)[],
): readonly Candidate[] {
  return conditions.flatMap(({ filter, detects }, place) => {
    const truth = right.evaluateCondition(filter)
    if (detects.length === 0 || countOf(truth.mayBeTrue) < 2) return []
    const matching = rowClass(filter).filter(({ bits }) => (certainlyTrue(truth) & bits) !== 0n)
    // In a chain, conditions about the same row would hide each other.
    const first = place % Math.max(1, matching.length)
    return [...matching.slice(first), ...matching.slice(0, first)]
      .slice(0, maxRowsToTry)
      .flatMap(({ index }) => {
        const key = keys[index]
        return key === undefined ? [] : [candidateOf(binary('and', key, filter))]
      })
      .filter(candidate => candidate.detects.length > 0)
      .toSorted((a, b) => b.detects.length - a.detects.length)
      .slice(0, rowsPerCondition)
  })
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
    if (best.size + piece.size + 1 > maxNodes || worthOf(piece) <= 0) continue
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
  const keys = rows.map(row => keyFilter(row, site, session))
  const rareFilters = new Set(rare.map(({ filter }) => filter))
  const pieces = grammar.has('or')
    ? [
        ...single.filter(({ filter, detects }) => detects.length > 0 && rareFilters.has(filter)),
        ...(grammar.has('and') ? oneRowPieces(single, candidateOf, right, rowClass, keys) : []),
      ]
    : []
  const grow = (candidate: Candidate, worthOf: (candidate: Candidate) => number): Candidate =>
    growCandidate(candidate, pieces, candidateOf, worthOf, grammar.maxNodes)
  return cover(candidates, pieces, catalogue, detectedBugModels(session), grow)
}

/** More conditions would make it hard to see which one is wrong. */
const maxChainLength = 8
/** How many conditions of one kind to try in the open chains. */
const maxConditionsOfKind = 4

/** A condition in a chain, with the rows for which it decides, one bit per row. */
interface ChainLink {
  readonly filter: Expression
  readonly decides: bigint
  readonly mayDecide: bigint
  readonly worth: number
}

interface Chain {
  readonly operator: 'and' | 'or'
  readonly links: readonly ChainLink[]
}

/** A comparison with a value in the middle is worth several other conditions. */
const worthOfMiddle = 3

/**
 * Chains of conditions in which each one decides alone about some row, so that one request checks many of them. They
 * hold each kind of condition once: `or` joins those that few rows meet, `and` those that most rows meet.
 */
export function planChains(site: Site, grammar: Grammar, session: Session): readonly Expression[] {
  const snapshot = session.snapshot(site)
  if (snapshot === undefined) return []
  const rows = snapshot.rows.slice(0, maxPlannedRows)
  const all = (1n << BigInt(rows.length)) - 1n
  const right = correctEvaluator(equivalentRows(rows), evaluationContextOf(snapshot, session))
  let chains: readonly Chain[] = []
  const kinds = new Map<string, Condition[]>()
  // By operator, so that a chain compares different properties.
  const middle = grammar.terms
    .flatMap(term => [
      ...middleConditions(pathTo(term.path), term, observedValues(rows, term.path), term.path.join('/'), session),
    ])
    .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
  for (const condition of [...middle, ...conditionsOf(grammar, snapshot, session)]) {
    const known = kinds.get(condition.kind)
    if (known === undefined) kinds.set(condition.kind, [condition])
    else if (known.length < maxConditionsOfKind) known.push(condition)
  }
  const isMiddle = new Set(middle)
  for (const conditions of kinds.values()) {
    const worth = conditions.some(each => isMiddle.has(each)) ? worthOfMiddle : 1
    const links = conditions.flatMap(({ filter }): readonly Chain[] => {
      const truth = right.evaluateCondition(filter)
      const must = certainlyTrue(truth)
      const operator: Chain['operator'] = countOf(must) * 2 <= rows.length ? 'or' : 'and'
      const link =
        operator === 'or'
          ? { filter, worth, decides: must, mayDecide: truth.mayBeTrue & all }
          : { filter, worth, decides: all & ~truth.mayBeTrue, mayDecide: all & ~must }
      return link.decides === 0n ? [] : [{ operator, links: [link] }]
    })
    const [first] = links
    const joined = firstOf(links, link => firstOf(chains, chain => joinChains(chain, link, all, grammar)))
    if (joined !== undefined) chains = chains.map(chain => (chain === joined.before ? joined.after : chain))
    else if (first !== undefined) chains = [...chains, first]
  }
  return chains
    .filter(chain => worthOf(chain) > 1)
    .toSorted((a, b) => worthOf(b) - worthOf(a))
    .flatMap(({ operator, links: [first, ...others] }) =>
      first === undefined ? [] : [joinConditions(operator, first.filter, ...others.map(({ filter }) => filter))],
    )
}

function worthOf({ links }: Chain): number {
  return links.reduce((sum, { worth }) => sum + worth, 0)
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Both chains as one; absent if some condition would no longer decide alone about any row. */
function joinChains(
  before: Chain,
  added: Chain,
  all: bigint,
  grammar: Grammar,
): { readonly before: Chain; readonly after: Chain } | undefined {
  const links = [...before.links, ...added.links]
  if (before.operator !== added.operator || !grammar.has(before.operator) || links.length > maxChainLength) return
  const [once, twice] = links.reduce(
    ([some, several], { mayDecide }) => [some | mayDecide, several | (some & mayDecide)],
    [0n, 0n],
  )
  if ((all & ~once) === 0n || links.some(({ decides }) => (decides & ~twice) === 0n)) return
  const [first, ...others] = links.map(({ filter }) => filter)
  const filter = first && joinConditions(before.operator, first, ...others)
  if (filter === undefined || nodeCount(filter) > grammar.maxNodes || isFilterTooLong(filter)) return
  return { before, after: { operator: before.operator, links } }
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
