import type { Expression, QueryOptions } from '../ast.js'

/** All expressions of a query, those of nested options included. */
export function expressionsIn(options: QueryOptions): readonly Expression[] {
  const found: Expression[] = []
  const waiting: QueryOptions[] = [options]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.filter !== undefined) found.push(next.filter)
    for (const { expression } of next.orderby ?? []) found.push(expression)
    for (const { expression } of next.compute ?? []) found.push(expression)
    for (const item of [...(next.select ?? []), ...(next.expand ?? [])]) {
      if (item.options !== undefined) waiting.push(item.options)
    }
  }
  return found
}
