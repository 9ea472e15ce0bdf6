import { type Expression, printFilter } from '../../runtime/query/index.js'

/**
 * A filter with no more parentheses than it takes, so that a service must know that `and` binds tighter than `or`, and
 * `not` tighter than both. The printer of the query runtime writes more of them.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.17
 */
export function printMinimal(filter: Expression): string {
  if (filter.kind === 'unary' && filter.operator === 'not') {
    const { operand } = filter
    const bindsTighter = operand.kind === 'call' || operand.kind === 'lambda' || operand.kind === 'path'
    return bindsTighter ? `not ${printFilter(operand)}` : `not (${printMinimal(operand)})`
  }
  if (filter.kind !== 'binary' || (filter.operator !== 'and' && filter.operator !== 'or')) return printFilter(filter)
  const { operator, left, right } = filter
  const print = (part: Expression): string => {
    const needs = operator === 'and' && part.kind === 'binary' && part.operator === 'or'
    return needs ? `(${printMinimal(part)})` : printMinimal(part)
  }
  return `${print(left)} ${operator} ${print(right)}`
}
