import { type Expression, printFilter } from '../../runtime/query/index.js'

/** Encoded; longer ones are refused by some servers on the way. */
const longest = 1500

/** What conditions take, printed: they stand in many filters. */
const lengths = new WeakMap<Expression, number>()

/** Whether a filter is longer than servers can be expected to take. */
export function isTooLong(filter: Expression): boolean {
  return mostLength(filter) > longest && encodedLength(filter) > longest
}

/** As long as it is with the parts of `and`, `or` and `not` all in parentheses. */
function mostLength(filter: Expression): number {
  if (filter.kind === 'unary' && filter.operator === 'not') return mostLength(filter.operand) + 'not%20()'.length
  if (filter.kind === 'binary' && (filter.operator === 'and' || filter.operator === 'or')) {
    return mostLength(filter.left) + mostLength(filter.right) + '()%20and%20()'.length
  }
  const length = lengths.get(filter) ?? encodedLength(filter)
  lengths.set(filter, length)
  return length
}

function encodedLength(filter: Expression): number {
  return encodeURIComponent(printFilter(filter)).length
}
