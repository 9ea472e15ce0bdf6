import type { Expression } from '../../runtime/query/index.js'

/** The properties of a row that an expression reads; absent when it may read others than it names. */
export function propertiesRead(expression: Expression): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  return collect(expression, names) ? names : undefined
}

function collect(expression: Expression, names: Set<string>): boolean {
  switch (expression.kind) {
    case 'literal':
      return true
    case 'path': {
      if (expression.root !== undefined) return expression.root.kind === 'variable'
      const [first] = expression.segments
      if (first?.kind !== 'property') return false
      names.add(first.name)
      return true
    }
    case 'unary':
      return collect(expression.operand, names)
    case 'binary':
      return collect(expression.left, names) && collect(expression.right, names)
    case 'call':
      // A function that has a type alone looks at the row itself.
      return expression.arguments.every((argument, index) =>
        argument.kind === 'type' ? index > 0 : collect(argument, names),
      )
    case 'lambda':
      return (
        collect(expression.collection, names) &&
        (expression.predicate === undefined || collect(expression.predicate, names))
      )
    case 'list':
      return expression.items.every(item => collect(item, names))
    default:
      return false
  }
}
