import type { Expression } from '../../runtime/query/index.js'
import { truthOn } from '../oracle/evaluate.js'
import type { EvaluationContext } from '../oracle/paths.js'
import { isFalse, isNull, isTrue, type TruthSet } from '../oracle/truth-set.js'
import { type BugModel, mayAffect, operatorsIn } from './bug-models/bug-model.js'
import { hasPart } from './expressions.js'
import {
  andVectors,
  areDistinguishable,
  isSameVector,
  notVector,
  orVectors,
  type RowClass,
  type TruthVector,
} from './truth-vector.js'

/** Evaluates filters over fixed rows, each condition once. */
interface FilterEvaluator {
  readonly evaluate: (filter: Expression) => TruthVector
  /** Evaluates a condition without `and`, `or` and `not`. */
  readonly evaluateCondition: (filter: Expression) => TruthVector
}

/** The classes of rows that a condition can distinguish. */
export type RowClasses = (condition: Expression) => readonly RowClass[]

/** Evaluates filters correctly. */
export function correctEvaluator(rows: RowClasses, context: EvaluationContext): FilterEvaluator {
  const known = new Map<Expression, TruthVector>()
  const remember = (filter: Expression, vector: TruthVector): TruthVector => {
    known.set(filter, vector)
    return vector
  }
  const readAtom = (filter: Expression): TruthVector =>
    known.get(filter) ?? remember(filter, vectorOf(rows(filter), onRow(filter, context)))
  const read = (filter: Expression): TruthVector =>
    known.get(filter) ?? remember(filter, combine(filter, read, readAtom, notVector))
  return { evaluateCondition: readAtom, evaluate: read }
}

/** Evaluates filters as a service with the modelled bug does. */
interface BuggyEvaluator extends Pick<FilterEvaluator, 'evaluate'>, Pick<BugModel, 'affects'> {
  /** The result of a condition if it is wrong; absent if it is right. */
  readonly misevaluate: (condition: Expression) => TruthVector | undefined
  /** The result of `not`, given the result of its operand. */
  readonly negate: (vector: TruthVector) => TruthVector
  /** The filter that it evaluates instead; absent if it evaluates the right one. */
  readonly tree?: (filter: Expression) => Expression
}

export function buggyEvaluator(
  bugModel: BugModel,
  rows: RowClasses,
  context: EvaluationContext,
  right: FilterEvaluator,
): BuggyEvaluator {
  const { affects, rewriteFilter, notOfNull, ...conditions } = bugModel
  const negate = notOfNull === undefined ? notVector : negateWithNull(notOfNull)
  const misreads = misevaluation(conditions, rows, context, right)
  const misread = (condition: Expression): TruthVector | undefined => {
    const vector = misreads(condition)
    return vector === undefined || isSameVector(vector, right.evaluateCondition(condition)) ? undefined : vector
  }
  const readAtom = (condition: Expression): TruthVector => misread(condition) ?? right.evaluateCondition(condition)
  const readFilter = (filter: Expression): TruthVector => combine(filter, readFilter, readAtom, negate)
  const { rewriteCondition, evaluateRow, semantics } = conditions
  const isTreeAlone = notOfNull === undefined && (rewriteCondition ?? evaluateRow ?? semantics) === undefined
  const readTree = isTreeAlone ? right.evaluate : readFilter
  const reader: BuggyEvaluator = {
    ...(affects && { affects: affects }),
    negate,
    misevaluate: misread,
    evaluate: readTree,
  }
  return rewriteFilter === undefined
    ? reader
    : { ...reader, tree: rewriteFilter, evaluate: filter => readTree(rewriteFilter(filter)) }
}

function misevaluation(
  {
    rewriteCondition,
    evaluateRow,
    semantics,
    isAffected = () => true,
  }: Pick<BugModel, 'rewriteCondition' | 'evaluateRow' | 'semantics' | 'isAffected'>,
  rows: RowClasses,
  context: EvaluationContext,
  right: FilterEvaluator,
): (condition: Expression) => TruthVector | undefined {
  if (semantics !== undefined) {
    // These semantics affect comparisons only, so cached path values stay valid.
    const otherwise = { ...context, laws: semantics(context.semantics) }
    return condition =>
      hasPart(condition, isAffected) ? vectorOf(rows(condition), onRow(condition, otherwise)) : undefined
  }
  return condition => {
    const taken = rewriteCondition?.(condition)
    if (taken !== undefined) return evaluateAnew(taken, rows, context)
    const seen = evaluateRow?.(condition)
    if (seen === undefined) return undefined
    const meant = right.evaluateCondition(condition)
    return vectorOf(rows(condition), ({ row, index }) => seen(row) ?? truthAt(meant, index))
  }
}

function onRow(condition: Expression, context: EvaluationContext): (rowClass: RowClass) => TruthSet {
  const truth = truthOn(condition, context)
  return ({ row }) => truth(row)
}

function truthAt({ mayBeTrue, mayBeFalse, mayBeNull }: TruthVector, index: number): TruthSet {
  const bit = 1n << BigInt(index)
  return (mayBeTrue & bit ? isTrue : 0) | (mayBeFalse & bit ? isFalse : 0) | (mayBeNull & bit ? isNull : 0)
}

function negateWithNull(result: 'true' | 'false'): (vector: TruthVector) => TruthVector {
  return ({ mayBeTrue, mayBeFalse, mayBeNull }) => ({
    mayBeTrue: mayBeFalse | (result === 'true' ? mayBeNull : 0n),
    mayBeFalse: mayBeTrue | (result === 'false' ? mayBeNull : 0n),
    mayBeNull: 0n,
  })
}

function evaluateAnew(filter: Expression, rows: RowClasses, context: EvaluationContext): TruthVector {
  const read = (part: Expression): TruthVector =>
    combine(part, read, each => vectorOf(rows(each), onRow(each, context)), notVector)
  return read(filter)
}

/** Combines the results of a filter's conditions. */
function combine(
  filter: Expression,
  read: (part: Expression) => TruthVector,
  readAtom: (condition: Expression) => TruthVector,
  negate: (vector: TruthVector) => TruthVector,
): TruthVector {
  if (filter.kind === 'unary' && filter.operator === 'not') return negate(read(filter.operand))
  if (filter.kind === 'binary' && (filter.operator === 'and' || filter.operator === 'or')) {
    return (filter.operator === 'and' ? andVectors : orVectors)(read(filter.left), read(filter.right))
  }
  return readAtom(filter)
}

function vectorOf(rows: readonly RowClass[], truth: (rowClass: RowClass) => TruthSet): TruthVector {
  let [mayBeTrue, mayBeFalse, mayBeNull] = [0n, 0n, 0n]
  for (const rowClass of rows) {
    const each = truth(rowClass)
    if (each & isTrue) mayBeTrue |= rowClass.bits
    if (each & isFalse) mayBeFalse |= rowClass.bits
    if (each & isNull) mayBeNull |= rowClass.bits
  }
  return { mayBeTrue, mayBeFalse, mayBeNull }
}

/** The correct result of a filter, and the results of the bug models that differ from it. */
interface Evaluations {
  readonly right: TruthVector
  /** Ascending indices of the differing bug models, and their results. */
  readonly places: readonly number[]
  readonly wrong: readonly TruthVector[]
}

/** Finds the bug models that the result of a filter would detect. */
export function detectionOf(
  right: FilterEvaluator,
  wrong: readonly BuggyEvaluator[],
): (filter: Expression) => readonly number[] {
  const known = new WeakMap<Expression, Evaluations>()
  const read = (filter: Expression): Evaluations => {
    const before = known.get(filter)
    if (before !== undefined) return before
    const found = readAnew(filter)
    known.set(filter, found)
    return found
  }
  // Filters consist of parts that were evaluated before. Only the differing results are combined again.
  const readAnew = (filter: Expression): Evaluations => {
    if (filter.kind === 'unary' && filter.operator === 'not') return negated(read(filter.operand))
    if (filter.kind !== 'binary') return ofCondition(filter)
    if (filter.operator === 'and') return joinEvaluations(read(filter.left), read(filter.right), andVectors)
    if (filter.operator === 'or') return joinEvaluations(read(filter.left), read(filter.right), orVectors)
    return ofCondition(filter)
  }
  const ofCondition = (condition: Expression): Evaluations => {
    const found = collectEvaluations(right.evaluateCondition(condition))
    const signs = operatorsIn(condition)
    for (const [place, reader] of wrong.entries()) {
      if (mayAffect(reader, signs)) found.add(place, reader.misevaluate(condition))
    }
    return found
  }
  const negatesOtherwise = wrong.map(({ negate }) => negate !== notVector)
  const negated = (operand: Evaluations): Evaluations => {
    const found = collectEvaluations(notVector(operand.right))
    let next = 0
    for (const [place, { negate }] of wrong.entries()) {
      const misread = operand.places[next] === place ? operand.wrong[next++] : undefined
      if (misread !== undefined || negatesOtherwise[place]) found.add(place, negate(misread ?? operand.right))
    }
    return found
  }
  const ofTrees = [...wrong.entries()].filter(([, { tree }]) => tree !== undefined)
  return filter => {
    const { right: meant, places, wrong: taken } = read(filter)
    const detected = places.filter((_, index) => areDistinguishable(meant, taken[index] ?? meant))
    for (const [place, { tree, evaluate: readTree }] of ofTrees) {
      if (tree?.(filter) !== filter && areDistinguishable(meant, readTree(filter))) detected.push(place)
    }
    return detected
  }
}

function joinEvaluations(
  left: Evaluations,
  right: Evaluations,
  join: (a: TruthVector, b: TruthVector) => TruthVector,
): Evaluations {
  const found = collectEvaluations(join(left.right, right.right))
  for (let a = 0, b = 0; a < left.places.length || b < right.places.length; ) {
    const place = Math.min(left.places[a] ?? Number.POSITIVE_INFINITY, right.places[b] ?? Number.POSITIVE_INFINITY)
    const first = left.places[a] === place ? left.wrong[a++] : undefined
    const second = right.places[b] === place ? right.wrong[b++] : undefined
    found.add(place, join(first ?? left.right, second ?? right.right))
  }
  return found
}

/** Collects results in the order of their indices; omits correct ones. */
function collectEvaluations(
  right: TruthVector,
): Evaluations & { readonly add: (place: number, taken: TruthVector | undefined) => void } {
  const places: number[] = []
  const wrong: TruthVector[] = []
  const add = (place: number, taken: TruthVector | undefined): void => {
    if (taken === undefined || isSameVector(taken, right)) return
    places.push(place)
    wrong.push(taken)
  }
  return { right, places, wrong, add }
}
