import type { ComparisonOperator } from '../../runtime/query/index.js'
import { areClose, compareRationals } from './rational.js'
import { readAs } from './read-literal.js'
import type { Reading } from './read-value.js'
import { anySign, isEqual, isGreater, isLess, type Signs, textSigns } from './text.js'
import { anyTruth, isFalse, isNull, isTrue, type Truth } from './truth.js'
import type { Possible, Value } from './value.js'

export type Relation = Exclude<ComparisonOperator, 'has' | 'in'>

/** For each operator, the signs that make it true. */
const trueSigns: Readonly<Record<Relation, Signs>> = {
  eq: isEqual,
  ne: isLess | isGreater,
  gt: isGreater,
  ge: isGreater | isEqual,
  lt: isLess,
  le: isLess | isEqual,
}

/**
 * What a comparison may be. `isLiteral`: one operand is the literal `null`, which is equal to null whatever the logic.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.1
 */
export function compared(
  operator: Relation,
  left: Possible,
  right: Possible,
  isLiteral: boolean,
  reading: Reading,
): Truth {
  if (left === 'unknown' || right === 'unknown') return anyTruth
  let truth: Truth = 0
  for (const a of left) for (const b of right) truth |= comparedValues(operator, a, b, isLiteral, reading)
  return truth
}

function comparedValues(operator: Relation, a: Value, b: Value, isLiteral: boolean, reading: Reading): Truth {
  if (a === null || b === null) return comparedWithNull(operator, a === b, isLiteral, reading)
  const signs = signsOf(a, b, reading)
  if (signs === undefined) return anyTruth
  const wanted = trueSigns[operator]
  return (signs & wanted ? isTrue : 0) | (signs & ~wanted ? isFalse : 0)
}

function comparedWithNull(operator: Relation, areBoth: boolean, isLiteral: boolean, { laws }: Reading): Truth {
  if (operator !== 'eq' && operator !== 'ne') {
    const { possible, certain } = laws.relationIsThreeValued
    return (certain ? 0 : isFalse) | (possible ? isNull : 0)
  }
  const plain = (operator === 'eq') === areBoth ? isTrue : isFalse
  if (isLiteral) return plain
  const { possible, certain } = laws.equalityIsThreeValued
  return (certain && !areBoth ? 0 : plain) | (possible ? isNull : 0)
}

/** How two values may stand to each other; absent when that is not known, or they do not go together. */
export function signsOf(a: Value, b: Value, reading: Reading): Signs | undefined {
  if (a === null || b === null) return undefined
  if (typeof a === 'boolean' || typeof b === 'boolean') return a === b ? isEqual : booleanSigns(a, b)
  if (a.kind === 'text' && b.kind === 'text') {
    return textSigns(a.text, b.text, reading.laws.comparisonFoldsCase, reading.laws)
  }
  if (a.kind === 'text') {
    const read = readAs(a.text, b, reading)
    return read === undefined ? undefined : signsOf(read, b, reading)
  }
  if (b.kind === 'text') {
    const read = readAs(b.text, a, reading)
    return read === undefined ? undefined : signsOf(a, read, reading)
  }
  return sameKindSigns(a, b, reading)
}

function booleanSigns(a: Value, b: Value): Signs | undefined {
  return typeof a === typeof b ? isLess | isGreater : undefined
}

type Present = Exclude<Value, null | boolean>

function sameKindSigns(a: Present, b: Present, reading: Reading): Signs | undefined {
  if (a.kind === 'number' && b.kind === 'number') {
    if ((a.approximate || b.approximate) && areClose(a.value, b.value)) return anySign
    return signOf(compareRationals(a.value, b.value))
  }
  if (a.kind === 'instant' && b.kind === 'instant') {
    const isSame = a.from === a.to && b.from === b.to && a.from === b.from
    if (isSame) return isEqual
    const overlaps = a.from <= b.to && b.from <= a.to
    return (a.from < b.to ? isLess : 0) | (overlaps ? isEqual : 0) | (a.to > b.from ? isGreater : 0)
  }
  if (a.kind === 'date' && b.kind === 'date') return signOf(a.days - b.days)
  if (a.kind === 'time' && b.kind === 'time') return signOf(Number(a.ticks - b.ticks))
  if (a.kind === 'duration' && b.kind === 'duration') return signOf(Number(a.ticks - b.ticks))
  // Guids and binary values have no order that services agree on.
  if (a.kind === 'guid' && b.kind === 'guid') return a.text === b.text ? isEqual : isLess | isGreater
  if (a.kind === 'opaque' && b.kind === 'opaque') return a.text === b.text ? isEqual : undefined
  if (a.kind === 'enum' && b.kind === 'enum') return enumSigns(a, b, reading)
  return undefined
}

type EnumValue = Extract<Present, { readonly kind: 'enum' }>

/** By number or by name, as far as it is known. Names that differ in letter case only may be the same member or not. */
function enumSigns(a: EnumValue, b: EnumValue, { laws }: Reading): Signs | undefined {
  if (a.number === undefined || b.number === undefined) return a.text === b.text ? isEqual : undefined
  const { possible, certain } = laws.enumsGoByName
  if (a.number === b.number) {
    // A member that is zero adds a name to flags, and nothing to their number.
    return a.text === b.text || !possible ? isEqual : isEqual | signOf(a.text < b.text ? -1 : 1)
  }
  const byNumber = certain ? 0 : signOf(a.number < b.number ? -1 : 1)
  return byNumber | (possible ? signOf(a.text < b.text ? -1 : 1) : 0)
}

export function signOf(difference: number): Signs {
  return difference < 0 ? isLess : difference > 0 ? isGreater : isEqual
}
