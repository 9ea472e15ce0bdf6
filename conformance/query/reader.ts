import type { Expression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { truthOn } from '../semantics/evaluate.js'
import type { Subject } from '../semantics/subject.js'
import { isFalse, isNull, isTrue, type Truth } from '../semantics/truth.js'
import { bothVectors, eitherVector, isSameVector, negatedVector, type Vector } from './vector.js'
import { hasPart } from './wrong/rewrite.js'
import type { WrongInterpreter } from './wrong/wrong-interpreter.js'

/** Evaluates filters over the same rows, each condition once. */
export interface Reader {
  readonly read: (filter: Expression) => Vector
  /** A condition without `and`, `or` and `not`. */
  readonly readAtom: (filter: Expression) => Vector
}

/** Reads filters as they are meant. */
export function rightReader(rows: readonly Row[], subject: Subject): Reader {
  const known = new Map<Expression, Vector>()
  const readAtom = (filter: Expression): Vector => {
    const found = known.get(filter) ?? vectorOf(rows, truthOn(filter, subject))
    known.set(filter, found)
    return found
  }
  return { readAtom, read: filter => combine(filter, readAtom, negatedVector) }
}

/** Evaluates filters over rows as a wrong interpreter does. */
export interface WrongReader {
  /** What it makes of a condition without `and`, `or` and `not`; absent: what it is. */
  readonly misread: (condition: Expression) => Vector | undefined
  /** What `not` makes of what it made of the operand. */
  readonly negate: (vector: Vector) => Vector
  readonly isTreeKept: boolean
  /** A whole filter, by what it makes of the conditions. */
  readonly join: (filter: Expression, readAtom: (condition: Expression) => Vector) => Vector
}

export function wrongReader(
  wrong: WrongInterpreter,
  rows: readonly Row[],
  subject: Subject,
  right: Reader,
): WrongReader {
  const negate = wrong.notNull === undefined ? negatedVector : negatedNull(wrong.notNull)
  const { tree = filter => filter } = wrong
  const read = misreading(wrong, rows, subject, right)
  return {
    negate,
    isTreeKept: wrong.tree === undefined,
    join: (filter, readAtom) => combine(tree(filter), readAtom, negate),
    misread: condition => {
      const vector = read(condition)
      return vector === undefined || isSameVector(vector, right.readAtom(condition)) ? undefined : vector
    },
  }
}

function misreading(
  wrong: WrongInterpreter,
  rows: readonly Row[],
  subject: Subject,
  right: Reader,
): (condition: Expression) => Vector | undefined {
  const { atom, truth, concerns = () => true } = wrong
  if (wrong.laws !== undefined) {
    // Such laws say how values compare, not how they are read: what was read is shared.
    const otherwise = { ...subject, laws: wrong.laws(subject.laws) }
    return condition => (hasPart(condition, concerns) ? vectorOf(rows, truthOn(condition, otherwise)) : undefined)
  }
  return condition => {
    const taken = atom?.(condition)
    if (taken !== undefined) return combine(taken, each => vectorOf(rows, truthOn(each, subject)), negatedVector)
    const seen = truth?.(condition)
    if (seen === undefined) return undefined
    const meant = right.readAtom(condition)
    return vectorOf(rows, (row, index) => seen(row) ?? truthAt(meant, index))
  }
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

function combine(
  filter: Expression,
  readAtom: (filter: Expression) => Vector,
  negate: (vector: Vector) => Vector,
): Vector {
  if (filter.kind === 'unary' && filter.operator === 'not') return negate(combine(filter.operand, readAtom, negate))
  if (filter.kind === 'binary' && (filter.operator === 'and' || filter.operator === 'or')) {
    const join = filter.operator === 'and' ? bothVectors : eitherVector
    return join(combine(filter.left, readAtom, negate), combine(filter.right, readAtom, negate))
  }
  return readAtom(filter)
}

/** Bits that a small integer holds. */
const chunk = 30

function vectorOf(rows: readonly Row[], truth: (row: Row, index: number) => Truth): Vector {
  let [mayBeTrue, mayBeFalse, mayBeNull] = [0n, 0n, 0n]
  for (let start = 0; start < rows.length; start += chunk) {
    let [bitsTrue, bitsFalse, bitsNull] = [0, 0, 0]
    for (const [index, row] of rows.slice(start, start + chunk).entries()) {
      const each = truth(row, start + index)
      if (each & isTrue) bitsTrue |= 1 << index
      if (each & isFalse) bitsFalse |= 1 << index
      if (each & isNull) bitsNull |= 1 << index
    }
    const shift = BigInt(start)
    mayBeTrue |= BigInt(bitsTrue) << shift
    mayBeFalse |= BigInt(bitsFalse) << shift
    mayBeNull |= BigInt(bitsNull) << shift
  }
  return { mayBeTrue, mayBeFalse, mayBeNull }
}
