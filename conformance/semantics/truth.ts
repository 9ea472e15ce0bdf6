/**
 * What an expression may be on a row, as the sum of `isTrue`, `isFalse` and `isNull`: more than one where a choice is not
 * known, or where the row does not show what it takes.
 */
export type Truth = number

export const isTrue: Truth = 1
export const isFalse: Truth = 2
export const isNull: Truth = 4
/** Nothing is known. */
export const anyTruth: Truth = 7

/** `not`, for each of the truths. */
export function negated(truth: Truth): Truth {
  return (truth & isTrue ? isFalse : 0) | (truth & isFalse ? isTrue : 0) | (truth & isNull)
}

/** `and`: false if either is, null if neither is false and one is null. */
export function both(left: Truth, right: Truth): Truth {
  const mayBeTrue = left & right & isTrue
  const mayBeFalse = (left | right) & isFalse
  const isLeftNull = left & isNull && right & (isTrue | isNull)
  const isRightNull = right & isNull && left & (isTrue | isNull)
  return mayBeTrue | mayBeFalse | (isLeftNull || isRightNull ? isNull : 0)
}

/** `or`, by De Morgan. */
export function either(left: Truth, right: Truth): Truth {
  return negated(both(negated(left), negated(right)))
}

/** The truth of a condition of our own. */
export function truthOf(condition: boolean): Truth {
  return condition ? isTrue : isFalse
}

/** For people: `true`, `false or null`. */
export function truthText(truth: Truth): string {
  if (truth === anyTruth) return 'not known'
  const names = [
    ...(truth & isTrue ? ['true'] : []),
    ...(truth & isFalse ? ['false'] : []),
    ...(truth & isNull ? ['null'] : []),
  ]
  return names.join(' or ')
}
