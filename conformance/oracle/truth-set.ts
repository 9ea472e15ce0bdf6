import type { PossibleValues } from './values.js'

/**
 * What an expression may be on a row, as the sum of `isTrue`, `isFalse` and `isNull`: more than one where a choice is not
 * known, or where the row does not show what it takes.
 */
export type TruthSet = number

export const isTrue: TruthSet = 1
export const isFalse: TruthSet = 2
export const isNull: TruthSet = 4
/** Nothing is known. */
export const anyTruth: TruthSet = 7

/** `not`, for each of the truths. */
export function negated(truth: TruthSet): TruthSet {
  return (truth & isTrue ? isFalse : 0) | (truth & isFalse ? isTrue : 0) | (truth & isNull)
}

/** `and`: false if either is, null if neither is false and one is null. */
export function both(left: TruthSet, right: TruthSet): TruthSet {
  const mayBeTrue = left & right & isTrue
  const mayBeFalse = (left | right) & isFalse
  const isLeftNull = left & isNull && right & (isTrue | isNull)
  const isRightNull = right & isNull && left & (isTrue | isNull)
  return mayBeTrue | mayBeFalse | (isLeftNull || isRightNull ? isNull : 0)
}

/** `or`, by De Morgan. */
export function either(left: TruthSet, right: TruthSet): TruthSet {
  return negated(both(negated(left), negated(right)))
}

/** The truth of a condition of our own. */
export function truthOfBoolean(condition: boolean): TruthSet {
  return condition ? isTrue : isFalse
}

/** For people: `true`, `false or null`. */
export function describeTruth(truth: TruthSet): string {
  if (truth === anyTruth) return 'not known'
  const names = [
    ...(truth & isTrue ? ['true'] : []),
    ...(truth & isFalse ? ['false'] : []),
    ...(truth & isNull ? ['null'] : []),
  ]
  return names.join(' or ')
}

/** A collection that is null or absent is empty to some services, and null to others. */
export function quantify(
  collection: PossibleValues,
  ofNull: TruthSet,
  of: (items: readonly PossibleValues[]) => TruthSet,
): TruthSet {
  if (collection === 'unknown') return anyTruth
  let truth: TruthSet = 0
  for (const value of collection) {
    if (value === null) truth |= ofNull
    else if (typeof value !== 'boolean' && value.kind === 'items') truth |= of(value.items)
    else return anyTruth
  }
  return truth
}

/** Where an item is null, and none is true, a query of SQL says false, three-valued logic null. */
export function anyOf(truths: readonly TruthSet[]): TruthSet {
  if (truths.includes(isTrue)) return isTrue
  const some = truths.reduce((sum, each) => sum | each, isFalse)
  return (some & isTrue) | isFalse | (some & isNull)
}

/** Where an item is null, and none is false, services part. */
export function allOf(truths: readonly TruthSet[]): TruthSet {
  if (truths.includes(isFalse)) return isFalse
  const some = truths.reduce((sum, each) => sum | each, 0)
  return some & isNull ? anyTruth : isTrue | (some & isFalse)
}
