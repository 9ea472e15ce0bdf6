import type { Expression, OrderbyItem } from '../ast.js'
import type { FunctionOperations } from '../functions.js'
import { roundNumber } from './arithmetic.js'
import { areEqual, compare } from './compare.js'
import { castText, type Json, jsonValue, valueJson } from './conversion.js'
import { evaluateExpression } from './expression.js'
import { geoDistance, geoIntersects, geoLength, readGeoArgument } from './geo.js'
import type { Environment, EvaluationOptions } from './path.js'
import { matchesPattern } from './pattern-matcher.js'
import { clockOf, dayAt, localParts } from './temporal.js'
import { isOfKind, truthOf, type Value } from './value.js'

/**
 * The value of an expression for one row, a JSON object as services send it (or a primitive, `$this`).
 *
 * Logic is three-valued: a filter keeps a row only for `true`, and `null` means unknown. With null, `eq` and `ne` are true or
 * false, and other comparisons are false. Functions of null, arithmetic with null and paths through null result in null.
 * Integers and decimals are exact. Instants compare by time, strings by code points, Guids in any letter case.
 *
 * Without `types`, the JSON values and the literals decide: a string takes the type of the literal that it is compared with,
 * a number is an integer or an exact decimal, and `has` and `eq` compare the names of enumeration members.
 *
 * @returns a JSON value: text for dates and times, and for numbers that a JavaScript number cannot represent exactly
 * @throws {EvaluationError} when types do not match, and for functions that only a service can evaluate
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export function evaluate(expression: Expression, row: unknown, options: EvaluationOptions = {}): Json {
  return valueJson(valueFor(expression, row, options))
}

/**
 * Whether a filter keeps a row: whether it is true, not false or null.
 *
 * @throws {EvaluationError} as `evaluate`, and when the value is not a Boolean
 */
export function evaluateFilter(expression: Expression, row: unknown, options: EvaluationOptions = {}): boolean {
  return truthOf(valueFor(expression, row, options), '$filter') === true
}

/** The value of an expression for a row, with its type. */
export function valueFor(expression: Expression, row: unknown, options: EvaluationOptions): Value {
  return evaluateExpression(expression, environmentFor(row, options))
}

function environmentFor(row: unknown, options: EvaluationOptions): Environment {
  const value = jsonValue(row, options.type, options.types)
  const it = options.it === undefined ? value : jsonValue(options.it, options.itType, options.types)
  return {
    options,
    row: value,
    it,
    bindings: undefined,
    level: { current: 0 },
    aliasValues: new Map(),
    aliasesInProgress: new Set(),
    evaluate: evaluateExpression,
    operations: functionOperations,
  }
}

/**
 * Compares two JSON values in the order of `$orderby ... asc`: null first, `false` before `true`, strings by code points, NaN
 * before all other numbers. `type` is the type of both values: `Edm.DateTimeOffset` orders texts by time.
 *
 * @returns negative, zero or positive
 * @throws {EvaluationError} when the values have no order
 * @see OData 4.01 Protocol, 11.2.6.2
 */
export function compareValues(left: unknown, right: unknown, type?: string, options: EvaluationOptions = {}): number {
  return orderValues(jsonValue(left, type, options.types), jsonValue(right, type, options.types), options)
}

/** The rows in the order of the keys. The sort is stable. @throws {EvaluationError} */
export function orderRows<Row>(
  rows: readonly Row[],
  orderby: readonly OrderbyItem[],
  options: EvaluationOptions = {},
): readonly Row[] {
  const keyed = rows.map(row => {
    const environment = environmentFor(row, options)
    return { row, keys: orderby.map(({ expression }) => evaluateExpression(expression, environment)) }
  })
  keyed.sort((left, right) => {
    for (const [index, { direction }] of orderby.entries()) {
      const order = orderValues(left.keys[index] ?? null, right.keys[index] ?? null, options)
      if (order !== 0) return direction === 'desc' ? -order : order
    }
    return 0
  })
  return keyed.map(({ row }) => row)
}

/** Compares two values in the order of `$orderby ... asc`: null first, then NaN. */
export function orderValues(left: Value, right: Value, { types }: EvaluationOptions): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  const order = compare(left, right, types)
  return Number.isNaN(order) ? Number(isNotANumber(right)) - Number(isNotANumber(left)) : order
}

function isNotANumber(value: Value): boolean {
  return isOfKind(value, 'double') && Number.isNaN(value.value)
}

/** The part of the evaluator that the table of canonical functions uses. */
const functionOperations: FunctionOperations = {
  areEqual,
  matchesPattern,
  parseText: castText,
  calendarDay: ({ days }) => dayAt(days),
  clock: clockOf,
  localParts,
  round: roundNumber,
  readGeo: readGeoArgument,
  geoDistance,
  geoLength,
  geoIntersects,
}
