import { anyTruth, isFalse, isNull, isTrue, type Truth } from './truth.js'
import type { Possible } from './value.js'

/** A collection that is null or absent is empty to some services, and null to others. */
export function overCollection(collection: Possible, ofNull: Truth, of: (items: readonly Possible[]) => Truth): Truth {
  if (collection === 'unknown') return anyTruth
  let truth: Truth = 0
  for (const value of collection) {
    if (value === null) truth |= ofNull
    else if (typeof value !== 'boolean' && value.kind === 'items') truth |= of(value.items)
    else return anyTruth
  }
  return truth
}

/** Where an item is null, and none is true, a query of SQL says false, three-valued logic null. */
export function anyOf(truths: readonly Truth[]): Truth {
  if (truths.includes(isTrue)) return isTrue
  const some = truths.reduce((sum, each) => sum | each, isFalse)
  return (some & isTrue) | isFalse | (some & isNull)
}

/** Where an item is null, and none is false, services part. */
export function allOf(truths: readonly Truth[]): Truth {
  if (truths.includes(isFalse)) return isFalse
  const some = truths.reduce((sum, each) => sum | each, 0)
  return some & isNull ? anyTruth : isTrue | (some & isFalse)
}
