import type { Expression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { truthOn } from '../oracle/evaluate.js'
import type { EvaluationContext } from '../oracle/paths.js'
import { isFalse, isNull, isTrue, type TruthSet } from '../oracle/truth-set.js'
import { type BugModel, mayAffect, operatorsIn } from './bug-models/bug-model.js'
import { hasPart, propertiesReadBy } from './expressions.js'

/** Evaluates filters over fixed rows, each condition once. */
interface FilterEvaluator {
  readonly evaluate: (filter: Expression) => TruthVector
  /** Evaluates a condition without `and`, `or` and `not`. */
  readonly evaluateCondition: (filter: Expression) => TruthVector
}

/** The classes of rows that a condition can distinguish. */
export type RowClasses = (condition: Expression) => readonly RowClass[]

export function correctEvaluator(rows: RowClasses, context: EvaluationContext): FilterEvaluator {
  const cache = new Map<Expression, TruthVector>()
  const keep = (filter: Expression, vector: TruthVector): TruthVector => {
    cache.set(filter, vector)
    return vector
  }
  const evaluateCondition = (filter: Expression): TruthVector =>
    cache.get(filter) ?? keep(filter, vectorOf(rows(filter), onRow(filter, context)))
  const evaluate = (filter: Expression): TruthVector =>
    cache.get(filter) ?? keep(filter, combine(filter, evaluate, evaluateCondition, notVector))
  return { evaluateCondition, evaluate }
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
  correct: FilterEvaluator,
): BuggyEvaluator {
  const { affects, rewriteFilter, notOfNull, ...conditions } = bugModel
  const negate = notOfNull === undefined ? notVector : negateWithNull(notOfNull)
  const evaluateWrongly = misevaluation(conditions, rows, context, correct)
  const misevaluate = (condition: Expression): TruthVector | undefined => {
    const vector = evaluateWrongly(condition)
    return vector === undefined || isSameVector(vector, correct.evaluateCondition(condition)) ? undefined : vector
  }
  const evaluateCondition = (condition: Expression): TruthVector => {
    const wrong = mayAffect(bugModel, operatorsIn(condition)) ? misevaluate(condition) : undefined
    return wrong ?? correct.evaluateCondition(condition)
  }
  const evaluateFilter = (filter: Expression): TruthVector => combine(filter, evaluateFilter, evaluateCondition, negate)
  const { rewriteCondition, evaluateRow, semantics } = conditions
  const onlyRewritesFilters = notOfNull === undefined && (rewriteCondition ?? evaluateRow ?? semantics) === undefined
  const evaluate = onlyRewritesFilters ? correct.evaluate : evaluateFilter
  const evaluator: BuggyEvaluator = { ...(affects && { affects }), negate, misevaluate, evaluate }
  return rewriteFilter === undefined
    ? evaluator
    : { ...evaluator, tree: rewriteFilter, evaluate: filter => evaluate(rewriteFilter(filter)) }
}

function misevaluation(
  bugModel: Pick<BugModel, 'rewriteCondition' | 'evaluateRow' | 'semantics' | 'isAffected'>,
  rows: RowClasses,
  context: EvaluationContext,
  correct: FilterEvaluator,
): (condition: Expression) => TruthVector | undefined {
  const { rewriteCondition, evaluateRow, semantics, isAffected = () => true } = bugModel
  if (semantics !== undefined) {
    // These semantics affect comparisons only, so cached path values stay valid.
    const wrongContext: EvaluationContext = { ...context, semantics: semantics(context.semantics) }
    return condition =>
      hasPart(condition, isAffected) ? vectorOf(rows(condition), onRow(condition, wrongContext)) : undefined
  }
  return condition => {
    const rewritten = rewriteCondition?.(condition)
    if (rewritten !== undefined) return evaluateAnew(rewritten, rows, context)
    const truthOfRow = evaluateRow?.(condition)
    if (truthOfRow === undefined) return undefined
    const vector = correct.evaluateCondition(condition)
    return vectorOf(rows(condition), ({ row, index }) => truthOfRow(row) ?? truthAt(vector, index))
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
  const evaluate = (part: Expression): TruthVector =>
    combine(part, evaluate, each => vectorOf(rows(each), onRow(each, context)), notVector)
  return evaluate(filter)
}

/** Combines the results of a filter's conditions. */
function combine(
  filter: Expression,
  evaluate: (part: Expression) => TruthVector,
  evaluateCondition: (condition: Expression) => TruthVector,
  negate: (vector: TruthVector) => TruthVector,
): TruthVector {
  if (filter.kind === 'unary' && filter.operator === 'not') return negate(evaluate(filter.operand))
  if (filter.kind === 'binary' && (filter.operator === 'and' || filter.operator === 'or')) {
    return (filter.operator === 'and' ? andVectors : orVectors)(evaluate(filter.left), evaluate(filter.right))
  }
  return evaluateCondition(filter)
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
  readonly correct: TruthVector
  /** Ascending indices of the differing bug models, and their results. */
  readonly indices: readonly number[]
  readonly results: readonly TruthVector[]
}

/** Finds the bug models that the result of a filter would detect. */
export function detectionOf(
  correct: FilterEvaluator,
  buggy: readonly BuggyEvaluator[],
): (filter: Expression) => readonly number[] {
  const cache = new WeakMap<Expression, Evaluations>()
  const evaluate = (filter: Expression): Evaluations => {
    const cached = cache.get(filter)
    if (cached !== undefined) return cached
    const evaluations = evaluateParts(filter)
    cache.set(filter, evaluations)
    return evaluations
  }
  // Filters consist of parts that were evaluated before. Only the differing results are combined again.
  const evaluateParts = (filter: Expression): Evaluations => {
    if (filter.kind === 'unary' && filter.operator === 'not') return negate(evaluate(filter.operand))
    if (filter.kind !== 'binary') return evaluateCondition(filter)
    if (filter.operator === 'and') return joinEvaluations(evaluate(filter.left), evaluate(filter.right), andVectors)
    if (filter.operator === 'or') return joinEvaluations(evaluate(filter.left), evaluate(filter.right), orVectors)
    return evaluateCondition(filter)
  }
  const evaluateCondition = (condition: Expression): Evaluations => {
    const evaluations = collectEvaluations(correct.evaluateCondition(condition))
    const operators = operatorsIn(condition)
    for (const [index, evaluator] of buggy.entries()) {
      if (mayAffect(evaluator, operators)) evaluations.add(index, evaluator.misevaluate(condition))
    }
    return evaluations
  }
  const negatesDifferently = buggy.map(({ negate }) => negate !== notVector)
  const negate = (operand: Evaluations): Evaluations => {
    const evaluations = collectEvaluations(notVector(operand.correct))
    let next = 0
    for (const [index, evaluator] of buggy.entries()) {
      const result = operand.indices[next] === index ? operand.results[next++] : undefined
      if (result === undefined && !negatesDifferently[index]) continue
      evaluations.add(index, evaluator.negate(result ?? operand.correct))
    }
    return evaluations
  }
  const rewriting = [...buggy.entries()].filter(([, { tree }]) => tree !== undefined)
  return filter => {
    const { correct: expected, indices, results } = evaluate(filter)
    const detected = indices.filter((_, at) => areDistinguishable(expected, results[at] ?? expected))
    for (const [index, evaluator] of rewriting) {
      if (evaluator.tree?.(filter) === filter) continue
      if (areDistinguishable(expected, evaluator.evaluate(filter))) detected.push(index)
    }
    return detected
  }
}

function joinEvaluations(
  left: Evaluations,
  right: Evaluations,
  join: (a: TruthVector, b: TruthVector) => TruthVector,
): Evaluations {
  const evaluations = collectEvaluations(join(left.correct, right.correct))
  for (let a = 0, b = 0; a < left.indices.length || b < right.indices.length; ) {
    const index = Math.min(left.indices[a] ?? Number.POSITIVE_INFINITY, right.indices[b] ?? Number.POSITIVE_INFINITY)
    const first = left.indices[a] === index ? left.results[a++] : undefined
    const second = right.indices[b] === index ? right.results[b++] : undefined
    evaluations.add(index, join(first ?? left.correct, second ?? right.correct))
  }
  return evaluations
}

/** Collects results in the order of their indices; omits correct ones. */
function collectEvaluations(
  correct: TruthVector,
): Evaluations & { readonly add: (index: number, result: TruthVector | undefined) => void } {
  const indices: number[] = []
  const results: TruthVector[] = []
  const add = (index: number, result: TruthVector | undefined): void => {
    if (result === undefined || isSameVector(result, correct)) return
    indices.push(index)
    results.push(result)
  }
  return { correct, indices, results, add }
}

/** The truth sets of an expression on many rows, with one bit per row for true, false and null. */
interface TruthVector {
  readonly mayBeTrue: bigint
  readonly mayBeFalse: bigint
  readonly mayBeNull: bigint
}

function andVectors(a: TruthVector, b: TruthVector): TruthVector {
  return {
    mayBeTrue: a.mayBeTrue & b.mayBeTrue,
    mayBeFalse: a.mayBeFalse | b.mayBeFalse,
    mayBeNull: (a.mayBeNull & (b.mayBeTrue | b.mayBeNull)) | (b.mayBeNull & (a.mayBeTrue | a.mayBeNull)),
  }
}

function notVector({ mayBeTrue, mayBeFalse, mayBeNull }: TruthVector): TruthVector {
  return { mayBeTrue: mayBeFalse, mayBeFalse: mayBeTrue, mayBeNull }
}

function orVectors(a: TruthVector, b: TruthVector): TruthVector {
  return {
    mayBeTrue: a.mayBeTrue | b.mayBeTrue,
    mayBeFalse: a.mayBeFalse & b.mayBeFalse,
    mayBeNull: (a.mayBeNull & (b.mayBeFalse | b.mayBeNull)) | (b.mayBeNull & (a.mayBeFalse | a.mayBeNull)),
  }
}

function isSameVector(a: TruthVector, b: TruthVector): boolean {
  return a.mayBeTrue === b.mayBeTrue && a.mayBeFalse === b.mayBeFalse && a.mayBeNull === b.mayBeNull
}

/** The rows on which it is certainly true. */
export function certainlyTrue({ mayBeTrue, mayBeFalse, mayBeNull }: TruthVector): bigint {
  return mayBeTrue & ~mayBeFalse & ~mayBeNull
}

/** Whether one result excludes the other: on some row, one is certainly true and the other cannot be. */
function areDistinguishable(a: TruthVector, b: TruthVector): boolean {
  return (certainlyTrue(a) & ~b.mayBeTrue) !== 0n || (certainlyTrue(b) & ~a.mayBeTrue) !== 0n
}

/** Rows that a condition cannot distinguish. */
interface RowClass {
  /** A representative. */
  readonly row: Row
  /** The index of the representative. */
  readonly index: number
  /** One bit per row. */
  readonly bits: bigint
}

/**
 * Groups rows by the properties that a condition reads, so that a condition is evaluated once for all rows with the
 * same values.
 */
export function equivalentRows(rows: readonly Row[]): (condition: Expression) => readonly RowClass[] {
  const single = rows.map((row, index): RowClass => ({ row, index, bits: 1n << BigInt(index) }))
  const known = new Map<string, readonly RowClass[]>()
  return condition => {
    const names = propertiesReadBy(condition)
    if (names === undefined) return single
    const properties = [...names].sort()
    const id = properties.join('/')
    const found = known.get(id) ?? grouped(single, properties)
    known.set(id, found)
    return found
  }
}

function grouped(single: readonly RowClass[], properties: readonly string[]): readonly RowClass[] {
  const groups = new Map<string, RowClass>()
  for (const each of single) {
    const text = JSON.stringify(properties.map(name => (Object.hasOwn(each.row, name) ? [each.row[name]] : 'absent')))
    const group = groups.get(text)
    groups.set(text, group === undefined ? each : { ...group, bits: group.bits | each.bits })
  }
  return [...groups.values()]
}
