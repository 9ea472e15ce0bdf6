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

/** Evaluates filters over the same rows, each condition once. */
interface FilterEvaluator {
  readonly evaluate: (filter: Expression) => TruthVector
  /** A condition without `and`, `or` and `not`. */
  readonly evaluateCondition: (filter: Expression) => TruthVector
}

/** Tells for a condition which rows it may tell apart. */
export type RowClasses = (condition: Expression) => readonly RowClass[]

/** Reads filters as they are meant. */
export function correctEvaluator(rows: RowClasses, subject: EvaluationContext): FilterEvaluator {
  const known = new Map<Expression, TruthVector>()
  const remember = (filter: Expression, vector: TruthVector): TruthVector => {
    known.set(filter, vector)
    return vector
  }
  const readAtom = (filter: Expression): TruthVector =>
    known.get(filter) ?? remember(filter, vectorOf(rows(filter), onRow(filter, subject)))
  const read = (filter: Expression): TruthVector =>
    known.get(filter) ?? remember(filter, combine(filter, read, readAtom, notVector))
  return { evaluateCondition: readAtom, evaluate: read }
}

/** Evaluates filters over rows as a wrong interpreter does. */
interface BuggyEvaluator extends Pick<FilterEvaluator, 'evaluate'>, Pick<BugModel, 'affects'> {
  /** What it makes of a condition without `and`, `or` and `not`; absent: what it is. */
  readonly misevaluate: (condition: Expression) => TruthVector | undefined
  /** What `not` makes of what it made of the operand. */
  readonly negate: (vector: TruthVector) => TruthVector
  /** What it takes a whole filter for, of the same conditions; absent: for what it is. */
  readonly tree?: (filter: Expression) => Expression
}

export function buggyEvaluator(
  wrong: BugModel,
  rows: RowClasses,
  subject: EvaluationContext,
  right: FilterEvaluator,
): BuggyEvaluator {
  const { affects: signs, rewriteFilter: tree, notOfNull: notNull, ...conditions } = wrong
  const negate = notNull === undefined ? notVector : negateWithNull(notNull)
  const misreads = misevaluation(conditions, rows, subject, right)
  const misread = (condition: Expression): TruthVector | undefined => {
    const vector = misreads(condition)
    return vector === undefined || isSameVector(vector, right.evaluateCondition(condition)) ? undefined : vector
  }
  const readAtom = (condition: Expression): TruthVector => misread(condition) ?? right.evaluateCondition(condition)
  const readFilter = (filter: Expression): TruthVector => combine(filter, readFilter, readAtom, negate)
  const { rewriteCondition: atom, evaluateRow: truth, semantics: laws } = conditions
  const isTreeAlone = notNull === undefined && (atom ?? truth ?? laws) === undefined
  const readTree = isTreeAlone ? right.evaluate : readFilter
  const reader: BuggyEvaluator = { ...(signs && { affects: signs }), negate, misevaluate: misread, evaluate: readTree }
  return tree === undefined ? reader : { ...reader, tree, evaluate: filter => readTree(tree(filter)) }
}

function misevaluation(
  {
    rewriteCondition: atom,
    evaluateRow: truth,
    semantics: laws,
    isAffected: concerns = () => true,
  }: Pick<BugModel, 'rewriteCondition' | 'evaluateRow' | 'semantics' | 'isAffected'>,
  rows: RowClasses,
  subject: EvaluationContext,
  right: FilterEvaluator,
): (condition: Expression) => TruthVector | undefined {
  if (laws !== undefined) {
    // Such laws say how values compare, not how they are read: what was read is shared.
    const otherwise = { ...subject, laws: laws(subject.semantics) }
    return condition =>
      hasPart(condition, concerns) ? vectorOf(rows(condition), onRow(condition, otherwise)) : undefined
  }
  return condition => {
    const taken = atom?.(condition)
    if (taken !== undefined) return evaluateAnew(taken, rows, subject)
    const seen = truth?.(condition)
    if (seen === undefined) return undefined
    const meant = right.evaluateCondition(condition)
    return vectorOf(rows(condition), ({ row, index }) => seen(row) ?? truthAt(meant, index))
  }
}

function onRow(condition: Expression, subject: EvaluationContext): (alike: RowClass) => TruthSet {
  const truth = truthOn(condition, subject)
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

function evaluateAnew(filter: Expression, rows: RowClasses, subject: EvaluationContext): TruthVector {
  const read = (part: Expression): TruthVector =>
    combine(part, read, each => vectorOf(rows(each), onRow(each, subject)), notVector)
  return read(filter)
}

/** A filter by what its parts are read as. */
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

function vectorOf(rows: readonly RowClass[], truth: (alike: RowClass) => TruthSet): TruthVector {
  let [mayBeTrue, mayBeFalse, mayBeNull] = [0n, 0n, 0n]
  for (const alike of rows) {
    const each = truth(alike)
    if (each & isTrue) mayBeTrue |= alike.bits
    if (each & isFalse) mayBeFalse |= alike.bits
    if (each & isNull) mayBeNull |= alike.bits
  }
  return { mayBeTrue, mayBeFalse, mayBeNull }
}

/** What a filter means, and what those wrong interpreters make of it that make something else of it. */
interface Evaluations {
  readonly right: TruthVector
  /** Places among the wrong readers, in order, and what each of them makes of it. */
  readonly places: readonly number[]
  readonly wrong: readonly TruthVector[]
}

/** Tells which wrong readers an answer to a filter would give away. */
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
  // Filters are put together from parts that were read before: only what the parts are misread as is looked at again.
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
    const told = places.filter((_, index) => areDistinguishable(meant, taken[index] ?? meant))
    for (const [place, { tree, evaluate: readTree }] of ofTrees) {
      if (tree?.(filter) !== filter && areDistinguishable(meant, readTree(filter))) told.push(place)
    }
    return told
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

/** Readings that are found one after the other, in the order of their places. What is no other reading is left out. */
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
