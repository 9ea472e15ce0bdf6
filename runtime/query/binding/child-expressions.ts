import type { Expression, PathExpression } from '../ast.js'

/** The expressions that stand directly inside another one; the value of an alias is not inside it. */
export function childExpressions(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'alias':
    case 'type':
      return []
    case 'path':
      return insidePath(expression)
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'call':
      return expression.arguments
    case 'lambda':
      return expression.predicate === undefined
        ? [expression.collection]
        : [expression.collection, expression.predicate]
    case 'list':
      return expression.items
    case 'object':
      return expression.members.map(member => member.value)
  }
}

function insidePath({ segments }: PathExpression): readonly Expression[] {
  return segments.flatMap((segment): readonly Expression[] => {
    switch (segment.kind) {
      case 'key':
        return segment.values.map(key => key.value)
      case 'function':
        return segment.parameters.map(parameter => parameter.value)
      case 'filter':
        return [segment.predicate]
      case 'count':
        return segment.filter === undefined ? [] : [segment.filter]
      default:
        return []
    }
  })
}
