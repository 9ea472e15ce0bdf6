import type { OrderbyItem, PathExpression, SelectItem } from '../../runtime/query/index.js'

/** The tree of a path of property names. */
export function propertyPath(path: readonly string[]): PathExpression {
  return { kind: 'path', segments: path.map(name => ({ kind: 'property', name })) }
}

/** One key of `$orderby`. */
export function orderedBy(path: readonly string[], direction: OrderbyItem['direction']): OrderbyItem {
  return { expression: propertyPath(path), direction }
}

/** The names that a path goes through; absent when it is more than names. */
export function pathNames({ expression }: Pick<OrderbyItem, 'expression'>): readonly string[] | undefined {
  if (expression.kind !== 'path' || expression.root !== undefined) return undefined
  const names = expression.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return names.length === expression.segments.length ? names : undefined
}

/** `$select` of these properties. */
export function selecting(names: readonly string[]): readonly SelectItem[] {
  return names.map(name => ({ path: [name] }))
}
