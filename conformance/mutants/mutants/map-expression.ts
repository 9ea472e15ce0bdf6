import type { Expression } from '../../../runtime/query/index.js'

/** An expression with each of its nodes replaced, the innermost first. */
export function mapExpression(node: Expression, change: (node: Expression) => Expression): Expression {
  const inner = (each: Expression): Expression => mapExpression(each, change)
  switch (node.kind) {
    case 'unary':
      return change({ ...node, operand: inner(node.operand) })
    case 'binary':
      return change({ ...node, left: inner(node.left), right: inner(node.right) })
    case 'call':
      return change({ ...node, arguments: node.arguments.map(inner) })
    case 'lambda':
      return change(node.predicate === undefined ? node : { ...node, predicate: inner(node.predicate) })
    case 'list':
      return change({ ...node, items: node.items.map(inner) })
    default:
      return change(node)
  }
}
