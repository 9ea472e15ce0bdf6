import type { Expression, OrderbyItem } from '../ast.js'
import { compare } from './compare.js'
import { type Json, jsonValue, valueJson } from './conversion.js'
import type { Environment, EvaluationOptions } from './environment.js'
import { evaluateExpression } from './expression.js'
import { truthOf, type Value } from './value.js'

/**
 * The value of an expression for one row, a JSON object as services send it (or a primitive, `$this`).
 *
 * Logic is three-valued: a filter keeps a row only for `true`; `null` is "unknown". `eq` and `ne` with null are true or
 * false, the other comparisons false; functions and arithmetic with null give null; what lies behind null in a path is
 * null. Numbers without a binary point are exact; instants compare by time, strings by code points, Guids in any case.
 *
 * Without `types`, JSON values and the literals beside them decide: a string takes on the type of the literal that it is
 * compared with, a number is an integer or an exact decimal, `has` and `eq` compare the names of members.
 *
 * @returns a value of JSON; text for dates and the like, and for numbers that a JavaScript number cannot hold exactly
 * @throws {EvaluationError} when types do not go together, and for what only a service can answer: functions of its own
 * @see OData 4.01 URL Conventions, 5.1.1
 */
export function evaluate(expression: Expression, row: unknown, options: EvaluationOptions = {}): Json {
  return valueJson(valueFor(expression, row, options))
}

/**
 * Whether a filter keeps a row: whether it is true, and neither false nor null.
 *
 * @throws {EvaluationError} as `evaluate`, and when the value is no truth value
 */
export function evaluateFilter(expression: Expression, row: unknown, options: EvaluationOptions = {}): boolean {
  return truthOf(valueFor(expression, row, options), '$filter') === true
}

/** The value, with its type, of an expression for one row. */
function valueFor(expression: Expression, row: unknown, options: EvaluationOptions): Value {
  return evaluateExpression(expression, environmentFor(row, options))
}

/** Where expressions are evaluated for one row. */
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
  }
}

/**
 * Compares two JSON values as `$orderby … asc` orders them: null first, `false` before `true`, strings by code points,
 * NaN before all other numbers. `type` is that of both values: `Edm.DateTimeOffset` orders texts by time.
 *
 * @returns negative, zero or positive
 * @throws {EvaluationError} when the values have no order
 * @see OData 4.01 Protocol, 11.2.6.2
 */
export function compareValues(left: unknown, right: unknown, type?: string, options: EvaluationOptions = {}): number {
  return orderOf(jsonValue(left, type, options.types), jsonValue(right, type, options.types), options)
}

/** The rows in the order of the keys; rows that compare equal keep their places. @throws {EvaluationError} */
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
      const order = orderOf(left.keys[index] ?? null, right.keys[index] ?? null, options)
      if (order !== 0) return direction === 'desc' ? -order : order
    }
    return 0
  })
  return keyed.map(({ row }) => row)
}

function orderOf(left: Value, right: Value, { types }: EvaluationOptions): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  const order = compare(left, right, types)
  return Number.isNaN(order) ? Number(isNotANumber(right)) - Number(isNotANumber(left)) : order
}

function isNotANumber(value: Exclude<Value, null>): boolean {
  return typeof value !== 'boolean' && value.kind === 'double' && Number.isNaN(value.value)
}
