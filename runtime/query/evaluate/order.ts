import type { OrderbyItem } from '../ast.js'
import { compare } from './compare.js'
import type { EvaluationOptions } from './environment.js'
import { environmentFor } from './evaluate.js'
import { evaluateExpression } from './expression.js'
import { jsonValue } from './json-value.js'
import type { Value } from './value.js'

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
