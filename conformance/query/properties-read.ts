import type { Expression, PathSegment } from '../../runtime/query/index.js'

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
      const { root, segments } = expression
      if (!segments.every(staysInside)) return false
      if (root !== undefined) return root.kind === 'variable'
      const [first] = segments
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

/** Whether a step reads nothing but the value it starts from: no condition, argument or annotation, which stands beside it. */
function staysInside(segment: PathSegment): boolean {
  switch (segment.kind) {
    case 'property':
    case 'cast':
      return true
    case 'key':
      return segment.values.every(({ value }) => value.kind === 'literal')
    case 'count':
      return segment.filter === undefined && segment.search === undefined
    default:
      return false
  }
}
