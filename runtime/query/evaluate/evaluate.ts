import type { Expression } from '../ast.js'
import type { Environment, EvaluationOptions } from './environment.js'
import { evaluateExpression } from './expression.js'
import { jsonValue } from './json-value.js'
import { truthOf } from './truth.js'
import type { Value } from './value.js'
import { type Json, valueJson } from './value-json.js'

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
export function valueFor(expression: Expression, row: unknown, options: EvaluationOptions): Value {
  return evaluateExpression(expression, environmentFor(row, options))
}

/** Where expressions are evaluated for one row. */
export function environmentFor(row: unknown, options: EvaluationOptions): Environment {
  const value = jsonValue(row, options.type, options.types)
  const it = options.it === undefined ? value : jsonValue(options.it, options.itType, options.types)
  return {
    options,
    row: value,
    it,
    bindings: undefined,
    level: { current: 0 },
    aliasValues: new Map(),
    openAliases: new Set(),
  }
}
