import { type Expression, printFilter } from '../../runtime/query/index.js'

/**
 * Prints a filter with the fewest possible parentheses, so that the service must know the precedence of `and`, `or` and
 * `not`. The printer of the query runtime prints more.
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

/** Length of the encoded filter. Some servers reject longer ones. */
const maxFilterLength = 1500

/** Caches the length of conditions, which occur in many filters. */
const lengthCache = new WeakMap<Expression, number>()

/** Whether a filter is longer than servers commonly accept. */
export function isFilterTooLong(filter: Expression): boolean {
  return maxEncodedLength(filter) > maxFilterLength && encodedLength(filter) > maxFilterLength
}

/** The length if every operand of `and`, `or` and `not` had parentheses. */
function maxEncodedLength(filter: Expression): number {
  if (filter.kind === 'unary' && filter.operator === 'not') return maxEncodedLength(filter.operand) + 'not%20()'.length
  if (filter.kind === 'binary' && (filter.operator === 'and' || filter.operator === 'or')) {
    return maxEncodedLength(filter.left) + maxEncodedLength(filter.right) + '()%20and%20()'.length
  }
  const length = lengthCache.get(filter) ?? encodedLength(filter)
  lengthCache.set(filter, length)
  return length
}

function encodedLength(filter: Expression): number {
  return encodeURIComponent(printFilter(filter)).length
}

/** A filter without its literals, for people: `(subject eq …) and not …`. */
export function filterShape(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return '…'
    case 'path':
      return expression.segments
        .map(segment => (segment.kind === 'property' ? segment.name : `$${segment.kind}`))
        .join('/')
    case 'unary':
      return expression.operator === 'not'
        ? `not (${filterShape(expression.operand)})`
        : `-${filterShape(expression.operand)}`
    case 'binary':
      return `(${filterShape(expression.left)} ${expression.operator} ${filterShape(expression.right)})`
    case 'call':
      return `${expression.function}(${expression.arguments.map(filterShape).join(',')})`
    case 'lambda':
      return `${filterShape(expression.collection)}/${expression.operator}(${expression.predicate === undefined ? '' : filterShape(expression.predicate)})`
    case 'list':
      return '(…)'
    default:
      return expression.kind
  }
}
