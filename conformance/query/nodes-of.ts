import type { Expression } from '../../runtime/query/index.js'

/** Operators, functions, paths and literals of an expression. */
export function nodesOf(expression: Expression): number {
  switch (expression.kind) {
    case 'unary':
      return 1 + nodesOf(expression.operand)
    case 'binary':
      return 1 + nodesOf(expression.left) + nodesOf(expression.right)
    case 'call':
      return expression.arguments.reduce((sum, argument) => sum + nodesOf(argument), 1)
    case 'lambda':
      return 2 + (expression.predicate === undefined ? 0 : nodesOf(expression.predicate))
    case 'list':
      return expression.items.reduce((sum, item) => sum + nodesOf(item), 1)
    default:
      return 1
  }
}
