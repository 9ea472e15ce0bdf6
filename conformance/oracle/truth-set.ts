import type { PossibleValues } from './values.js'

/**
 * A set of truth values, as a bit mask of `isTrue`, `isFalse` and `isNull`. It has several members if a choice is
 * unknown or the row lacks a property.
 */
export type TruthSet = number

export const isTrue: TruthSet = 1
export const isFalse: TruthSet = 2
export const isNull: TruthSet = 4
export const anyTruth: TruthSet = 7

/** `not`, applied to each member. */
export function negated(truth: TruthSet): TruthSet {
  return (truth & isTrue ? isFalse : 0) | (truth & isFalse ? isTrue : 0) | (truth & isNull)
}

/** `and`: false if either operand is false; null if neither is false and one is null. */
export function both(left: TruthSet, right: TruthSet): TruthSet {
  const mayBeTrue = left & right & isTrue
  const mayBeFalse = (left | right) & isFalse
  const isLeftNull = left & isNull && right & (isTrue | isNull)
  const isRightNull = right & isNull && left & (isTrue | isNull)
  return mayBeTrue | mayBeFalse | (isLeftNull || isRightNull ? isNull : 0)
}

/** `or`, by De Morgan's law. */
export function either(left: TruthSet, right: TruthSet): TruthSet {
  return negated(both(negated(left), negated(right)))
}

export function truthOfBoolean(condition: boolean): TruthSet {
  return condition ? isTrue : isFalse
}

/** As text: `true`, `false or null`. */
export function describeTruth(truth: TruthSet): string {
  if (truth === anyTruth) return 'unknown'
  const names = [
    ...(truth & isTrue ? ['true'] : []),
    ...(truth & isFalse ? ['false'] : []),
    ...(truth & isNull ? ['null'] : []),
  ]
  return names.join(' or ')
}

/** Services treat a null or omitted collection as empty or as null. */
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

/** If a predicate is null for an item and true for none, SQL returns false and three-valued logic returns null. */
export function anyOf(truths: readonly TruthSet[]): TruthSet {
  if (truths.includes(isTrue)) return isTrue
  const some = truths.reduce((sum, each) => sum | each, isFalse)
  return (some & isTrue) | isFalse | (some & isNull)
}

/** If a predicate is null for an item and false for none, services differ. */
export function allOf(truths: readonly TruthSet[]): TruthSet {
  if (truths.includes(isFalse)) return isFalse
  const some = truths.reduce((sum, each) => sum | each, 0)
  return some & isNull ? anyTruth : isTrue | (some & isFalse)
}
