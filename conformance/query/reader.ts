import type { Expression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { type Subject, truthOn } from '../semantics/evaluate.js'
import { isFalse, isNull, isTrue, type Truth } from '../semantics/truth.js'
import { bothVectors, eitherVector, negatedVector, type Vector } from './vector.js'
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

/** Reads filters as a wrong interpreter does. Where it does nothing wrong, the vectors are those of the right reader. */
export function wrongReader(wrong: WrongInterpreter, rows: readonly Row[], subject: Subject, right: Reader): Reader {
  const known = new Map<Expression, Vector>()
  // Such laws say how values compare, not how they are read: what was read is shared.
  const laws = wrong.laws?.(subject.laws)
  const read = (filter: Expression): Vector => {
    const isConcerned = laws !== undefined && hasPart(filter, wrong.concerns ?? (() => true))
    if (isConcerned) return vectorOf(rows, truthOn(filter, { ...subject, laws }))
    const taken = wrong.atom?.(filter)
    if (taken !== undefined) return combine(taken, each => vectorOf(rows, truthOn(each, subject)), negatedVector)
    const truth = wrong.truth?.(filter)
    if (truth === undefined) return right.readAtom(filter)
    const meant = truthOn(filter, subject)
    return vectorOf(rows, row => truth(row) ?? meant(row))
  }
  const readAtom = (filter: Expression): Vector => {
    const found = known.get(filter) ?? same(read(filter), right.readAtom(filter))
    known.set(filter, found)
    return found
  }
  const negate = wrong.notNull === undefined ? negatedVector : negatedNull(wrong.notNull)
  return { readAtom, read: filter => combine(wrong.tree?.(filter) ?? filter, readAtom, negate) }
}

/** The right vector itself where the wrong one is equal to it, so that they need not be compared again. */
function same(wrong: Vector, right: Vector): Vector {
  const isSame =
    wrong.mayBeTrue === right.mayBeTrue && wrong.mayBeFalse === right.mayBeFalse && wrong.mayBeNull === right.mayBeNull
  return isSame ? right : wrong
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

function vectorOf(rows: readonly Row[], truth: (row: Row) => Truth): Vector {
  let mayBeTrue = ''
  let mayBeFalse = ''
  let mayBeNull = ''
  for (const row of rows) {
    const each = truth(row)
    mayBeTrue = (each & isTrue ? '1' : '0') + mayBeTrue
    mayBeFalse = (each & isFalse ? '1' : '0') + mayBeFalse
    mayBeNull = (each & isNull ? '1' : '0') + mayBeNull
  }
  return {
    mayBeTrue: BigInt(`0b0${mayBeTrue}`),
    mayBeFalse: BigInt(`0b0${mayBeFalse}`),
    mayBeNull: BigInt(`0b0${mayBeNull}`),
  }
}
