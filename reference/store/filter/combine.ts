import { sql } from 'kysely'
import type { Sql } from '../dialect/dialect.js'

export const always: Sql = sql`TRUE`
export const never: Sql = sql`FALSE`

/** That all conditions hold. They are paired in a balanced way: engines limit how deep an expression may be. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? always : balanced(conditions, 0, conditions.length, sql` AND `)
}

/** That one of the conditions holds. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? never : balanced(conditions, 0, conditions.length, sql` OR `)
}

function balanced(conditions: readonly Sql[], start: number, end: number, operator: Sql): Sql {
  const only = conditions[start]
  if (only === undefined || end - start === 1) return only ?? always
  const middle = (start + end) >> 1
  return sql`(${balanced(conditions, start, middle, operator)}${operator}${balanced(conditions, middle, end, operator)})`
}
