import type { Expression } from '../../runtime/query/index.js'

/** A filter without its literals, for people: `(subject eq …) and not …`. */
export function shapeOf(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return '…'
    case 'path':
      return expression.segments
        .map(segment => (segment.kind === 'property' ? segment.name : `$${segment.kind}`))
        .join('/')
    case 'unary':
      return expression.operator === 'not' ? `not (${shapeOf(expression.operand)})` : `-${shapeOf(expression.operand)}`
    case 'binary':
      return `(${shapeOf(expression.left)} ${expression.operator} ${shapeOf(expression.right)})`
    case 'call':
      return `${expression.function}(${expression.arguments.map(shapeOf).join(',')})`
    case 'lambda':
      return `${shapeOf(expression.collection)}/${expression.operator}(${expression.predicate === undefined ? '' : shapeOf(expression.predicate)})`
    case 'list':
      return '(…)'
    default:
      return expression.kind
  }
}
