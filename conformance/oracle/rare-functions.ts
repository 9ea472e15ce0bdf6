import { integerRange, isIntegerType } from '../../spec/language/index.js'
import { compareValues } from './compare.js'
import { matchText } from './functions.js'
import { integerOf } from './rational.js'
import { calendarOf } from './temporal.js'
import { anyTruth, isFalse, isNull, isTrue, type TruthSet } from './truth-set.js'
import { isItemOf, mapValues, type PossibleValues, type Value, type ValueContext } from './values.js'

const anyBoolean: PossibleValues = [true, false]

/**
 * The possible results of a cast. They are known where the standard is unambiguous, as for integers and their texts.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
export function castValue(value: PossibleValues, type: string): PossibleValues {
  return mapValues(value, each => {
    if (each === null) return [null]
    if (type === 'Edm.String') return textOf(each)
    const range = integerRange(type.replace('Edm.', ''))
    if (range !== undefined) return wholeNumber(each, range)
    if (typeof each === 'boolean') return type === 'Edm.Boolean' ? [each] : 'unknown'
    return type === 'Edm.Date' && each.kind === 'date' ? [each] : 'unknown'
  })
}

function textOf(value: Exclude<Value, null>): PossibleValues {
  if (typeof value === 'boolean') return [{ kind: 'text', text: String(value) }]
  switch (value.kind) {
    case 'text':
      return [value]
    case 'number':
      return value.isInteger && !value.approximate ? [{ kind: 'text', text: String(value.value.numerator) }] : 'unknown'
    case 'date': {
      const { year, month, day } = calendarOf(value.days)
      if (year < 1 || year > 9999) return 'unknown'
      const two = (number: number): string => String(number).padStart(2, '0')
      return [{ kind: 'text', text: `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}` }]
    }
    default:
      return 'unknown'
  }
}

function wholeNumber(value: Exclude<Value, null>, [least, most]: readonly [bigint, bigint]): PossibleValues {
  const number = numeratorOf(value)
  if (number === undefined) return 'unknown'
  if (number === null || number < least || number > most) return [null]
  return [{ kind: 'number', value: integerOf(number), isInteger: true, approximate: false }]
}

/** Null for a text that no service reads as a number; absent where services differ. */
function numeratorOf(value: Exclude<Value, null>): bigint | null | undefined {
  if (typeof value === 'boolean') return undefined
  if (value.kind === 'number') return value.isInteger && !value.approximate ? value.value.numerator : undefined
  if (value.kind !== 'text') return undefined
  if (/^(?:0|-?[1-9]\d{0,30})$/.test(value.text)) return BigInt(value.text)
  return /\p{N}/u.test(value.text) || value.text.trim() === '' ? undefined : null
}

/**
 * The possible results of `isof`. Services disagree on whether a numeric text is of a numeric type, and whether null is
 * of any type.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.2
 */
export function isofValue(value: PossibleValues, type: string, context: ValueContext): PossibleValues {
  return mapValues(value, each => {
    if (each === null) return [true, false, null]
    if (typeof each === 'boolean') return type === 'Edm.Boolean' ? [true] : anyBoolean
    if (each.kind === 'item') return isItemOf(each, type, context)
    if (each.kind === 'text' && type === 'Edm.String') return [true]
    if (isIntegerType(type.replace('Edm.', ''))) {
      if (each.kind === 'text') return numeratorOf(each) === null ? [false] : anyBoolean
      if (each.kind === 'number' && each.isInteger) return castValue([each], type)[0] === null ? [false] : [true]
    }
    return (each.kind === 'date' && type === 'Edm.Date') || (each.kind === 'guid' && type === 'Edm.Guid')
      ? [true]
      : anyBoolean
  })
}

/** The result of the first true condition, or all possible ones if it is not certain which is the first. */
export function caseValue(pairs: readonly (readonly [condition: TruthSet, result: PossibleValues])[]): PossibleValues {
  const found: Value[] = []
  for (const [condition, result] of pairs) {
    if (!(condition & isTrue)) continue
    if (result === 'unknown') return 'unknown'
    found.push(...result)
    if (condition === isTrue) return found
  }
  return [...found, null]
}

/**
 * `hassubsequence`: whether a collection contains the items of another one in the same order. Each item matches at the
 * first remaining position.
 */
export function hasSubsequence(whole: PossibleValues, part: PossibleValues, context: ValueContext): TruthSet {
  if (whole === 'unknown' || part === 'unknown' || whole.length !== 1 || part.length !== 1) return anyTruth
  const [a, b] = [whole[0], part[0]]
  if (!isItems(a) || !isItems(b)) return anyTruth
  const takes = (isEqual: (truth: TruthSet) => boolean): boolean => {
    let next = 0
    return b.items.every(expected => {
      while (
        next < a.items.length &&
        !isEqual(compareValues('eq', a.items[next] ?? 'unknown', expected, false, context))
      )
        next++
      next++
      return next <= a.items.length
    })
  }
  if (takes(truth => truth === isTrue)) return isTrue
  return takes(truth => (truth & isTrue) !== 0) ? isTrue | isFalse : isFalse
}

function isItems(value: Value | undefined): value is Extract<Value, { readonly kind: 'items' }> {
  return value !== undefined && value !== null && typeof value !== 'boolean' && value.kind === 'items'
}

const plainPattern = /^(\^?)([A-Za-z0-9]+)(\$?)$/

/**
 * Patterns of letters and digits with at most one anchor mean the same in every regular expression dialect. For null,
 * the result is false or null.
 */
export function matchesPattern(whole: PossibleValues, pattern: PossibleValues, context: ValueContext): TruthSet {
  const only = pattern === 'unknown' || pattern.length !== 1 ? undefined : pattern[0]
  if (whole === 'unknown' || only === undefined || only === null || typeof only === 'boolean') return anyTruth
  const [, start, part = '', end] = only.kind === 'text' ? (plainPattern.exec(only.text) ?? []) : []
  if (part === '' || (start !== '' && end !== '')) return anyTruth
  const isPlain = whole.every(each => each === null || (typeof each !== 'boolean' && isLine(each)))
  if (!isPlain) return anyTruth
  const match = start !== '' ? 'startswith' : end !== '' ? 'endswith' : 'contains'
  const there = whole.filter(each => each !== null)
  const ofNull = there.length < whole.length ? isFalse | isNull : 0
  // A choice about functions does not determine whether patterns ignore case.
  const functionsFoldCase = { ...context.semantics.functionsFoldCase, certain: false }
  const semantics = { ...context.semantics, functionsFoldCase }
  return ofNull | matchText(match, there, [{ kind: 'text', text: part }], { ...context, semantics })
}

/** Regular expression engines differ on line ends. */
function isLine(value: Exclude<Value, null | boolean>): boolean {
  return value.kind === 'text' && !/[\r\n\u0085\u2028\u2029]/.test(value.text)
}
