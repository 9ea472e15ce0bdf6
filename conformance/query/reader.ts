import type { Expression } from '../../runtime/query/index.js'
import { truthOn } from '../semantics/evaluate.js'
import type { Subject } from '../semantics/subject.js'
import { isFalse, isNull, isTrue, type Truth } from '../semantics/truth.js'
import type { Alike } from './rows-alike.js'
import { bothVectors, eitherVector, isSameVector, negatedVector, type Vector } from './vector.js'
import { hasPart } from './wrong/rewrite.js'
import type { WrongInterpreter } from './wrong/wrong-interpreter.js'

/** Evaluates filters over the same rows, each condition once. */
export interface Reader {
  readonly read: (filter: Expression) => Vector
  /** A condition without `and`, `or` and `not`. */
  readonly readAtom: (filter: Expression) => Vector
}

/** Tells for a condition which rows it may tell apart. */
export type Rows = (condition: Expression) => readonly Alike[]

/** Reads filters as they are meant. */
export function rightReader(rows: Rows, subject: Subject): Reader {
  const known = new Map<Expression, Vector>()
  const remember = (filter: Expression, vector: Vector): Vector => {
    known.set(filter, vector)
    return vector
  }
  const readAtom = (filter: Expression): Vector =>
    known.get(filter) ?? remember(filter, vectorOf(rows(filter), onRow(filter, subject)))
  const read = (filter: Expression): Vector =>
    known.get(filter) ?? remember(filter, combine(filter, read, readAtom, negatedVector))
  return { readAtom, read }
}

/** Evaluates filters over rows as a wrong interpreter does. */
export interface WrongReader extends Pick<Reader, 'read'>, Pick<WrongInterpreter, 'signs'> {
  /** What it makes of a condition without `and`, `or` and `not`; absent: what it is. */
  readonly misread: (condition: Expression) => Vector | undefined
  /** What `not` makes of what it made of the operand. */
  readonly negate: (vector: Vector) => Vector
  /** What it takes a whole filter for, of the same conditions; absent: for what it is. */
  readonly tree?: (filter: Expression) => Expression
}

export function wrongReader(wrong: WrongInterpreter, rows: Rows, subject: Subject, right: Reader): WrongReader {
  const { signs, tree, notNull, ...conditions } = wrong
  const negate = notNull === undefined ? negatedVector : negatedNull(notNull)
  const misreads = misreading(conditions, rows, subject, right)
  const misread = (condition: Expression): Vector | undefined => {
    const vector = misreads(condition)
    return vector === undefined || isSameVector(vector, right.readAtom(condition)) ? undefined : vector
  }
  const readAtom = (condition: Expression): Vector => misread(condition) ?? right.readAtom(condition)
  const readFilter = (filter: Expression): Vector => combine(filter, readFilter, readAtom, negate)
  const { atom, truth, laws } = conditions
  const isTreeAlone = notNull === undefined && (atom ?? truth ?? laws) === undefined
  const readTree = isTreeAlone ? right.read : readFilter
  const reader: WrongReader = { ...(signs && { signs }), negate, misread, read: readTree }
  return tree === undefined ? reader : { ...reader, tree, read: filter => readTree(tree(filter)) }
}

function misreading(
  { atom, truth, laws, concerns = () => true }: Pick<WrongInterpreter, 'atom' | 'truth' | 'laws' | 'concerns'>,
  rows: Rows,
  subject: Subject,
  right: Reader,
): (condition: Expression) => Vector | undefined {
  if (laws !== undefined) {
    // Such laws say how values compare, not how they are read: what was read is shared.
    const otherwise = { ...subject, laws: laws(subject.laws) }
    return condition =>
      hasPart(condition, concerns) ? vectorOf(rows(condition), onRow(condition, otherwise)) : undefined
  }
  return condition => {
    const taken = atom?.(condition)
    if (taken !== undefined) return readAnew(taken, rows, subject)
    const seen = truth?.(condition)
    if (seen === undefined) return undefined
    const meant = right.readAtom(condition)
    return vectorOf(rows(condition), ({ row, index }) => seen(row) ?? truthAt(meant, index))
  }
}

function onRow(condition: Expression, subject: Subject): (alike: Alike) => Truth {
  const truth = truthOn(condition, subject)
  return ({ row }) => truth(row)
}

function truthAt({ mayBeTrue, mayBeFalse, mayBeNull }: Vector, index: number): Truth {
  const bit = 1n << BigInt(index)
  return (mayBeTrue & bit ? isTrue : 0) | (mayBeFalse & bit ? isFalse : 0) | (mayBeNull & bit ? isNull : 0)
}

function negatedNull(result: 'true' | 'false'): (vector: Vector) => Vector {
  return ({ mayBeTrue, mayBeFalse, mayBeNull }) => ({
    mayBeTrue: mayBeFalse | (result === 'true' ? mayBeNull : 0n),
    mayBeFalse: mayBeTrue | (result === 'false' ? mayBeNull : 0n),
    mayBeNull: 0n,
  })
}

function readAnew(filter: Expression, rows: Rows, subject: Subject): Vector {
  const read = (part: Expression): Vector =>
    combine(part, read, each => vectorOf(rows(each), onRow(each, subject)), negatedVector)
  return read(filter)
}

/** A filter by what its parts are read as. */
function combine(
  filter: Expression,
  read: (part: Expression) => Vector,
  readAtom: (condition: Expression) => Vector,
  negate: (vector: Vector) => Vector,
): Vector {
  if (filter.kind === 'unary' && filter.operator === 'not') return negate(read(filter.operand))
  if (filter.kind === 'binary' && (filter.operator === 'and' || filter.operator === 'or')) {
    return (filter.operator === 'and' ? bothVectors : eitherVector)(read(filter.left), read(filter.right))
  }
  return readAtom(filter)
}

function vectorOf(rows: readonly Alike[], truth: (alike: Alike) => Truth): Vector {
  let [mayBeTrue, mayBeFalse, mayBeNull] = [0n, 0n, 0n]
  for (const alike of rows) {
    const each = truth(alike)
    if (each & isTrue) mayBeTrue |= alike.bits
    if (each & isFalse) mayBeFalse |= alike.bits
    if (each & isNull) mayBeNull |= alike.bits
  }
  return { mayBeTrue, mayBeFalse, mayBeNull }
}
