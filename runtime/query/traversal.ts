import type { Expression, GroupingItem, PathExpression, QueryOptions, Transformation } from './ast.js'

/** The direct subexpressions of an expression. The value of an alias is not one of them. */
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

/** All expressions of a query, including those in nested options. */
export function expressionsIn(options: QueryOptions): readonly Expression[] {
  const found: Expression[] = []
  const waiting: QueryOptions[] = [options]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.apply !== undefined) found.push(...transformationExpressions(next.apply))
    if (next.filter !== undefined) found.push(next.filter)
    for (const { expression } of next.orderby ?? []) found.push(expression)
    for (const { expression } of next.compute ?? []) found.push(expression)
    for (const item of [...(next.select ?? []), ...(next.expand ?? [])]) {
      if (item.options !== undefined) waiting.push(item.options)
    }
  }
  return found
}

/** The expressions of transformations, at any depth. The path of a property to group by is one of them. */
export function transformationExpressions(apply: readonly Transformation[]): readonly Expression[] {
  return apply.flatMap((step): readonly Expression[] => {
    switch (step.kind) {
      case 'filter':
        return [step.filter]
      case 'orderby':
        return step.orderby.map(({ expression }) => expression)
      case 'compute':
        return step.compute.map(({ expression }) => expression)
      case 'aggregate':
        return step.aggregate.flatMap(({ expression }): readonly Expression[] =>
          expression === undefined ? [] : [expression],
        )
      case 'groupby':
        return [...groupingPaths(step.by).map(pathOfNames), ...transformationExpressions(step.apply)]
      case 'ranked':
        return [step.amount, step.measure]
      case 'concat':
        return step.branches.flatMap(transformationExpressions)
      default:
        return []
    }
  })
}

/** The paths of the properties that `groupby` groups by. */
export function groupingPaths(by: readonly GroupingItem[]): readonly (readonly string[])[] {
  return by.flatMap(item => (item.kind === 'rollup' ? item.paths : [item.path]))
}

/** The path that leads through these names. A qualified name is a type cast. */
export function pathOfNames(names: readonly string[]): PathExpression {
  const segments = names.map(name =>
    name.includes('.') ? ({ kind: 'cast', type: name } as const) : ({ kind: 'property', name } as const),
  )
  return { kind: 'path', segments }
}

type Aliases = Readonly<Record<string, Expression>>

/** Longer chains of aliases count as infinitely large. */
const maxAliasChain = 100

/**
 * The number of nodes of an expression after the replacement of aliases. A few aliases that use each other twice result in a
 * billion nodes, which this function detects before anything visits them. An alias inside its own value counts once.
 */
export function expandedSize(expression: Expression, aliases: Aliases, known: Map<string, number> = new Map()): number {
  return sizeOf(expression, aliases, known, 0)
}

function sizeOf(expression: Expression, aliases: Aliases, known: Map<string, number>, chain: number): number {
  let size = 0
  const waiting = [expression]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    size++
    if (node.kind === 'alias') size += sizeOfAlias(node.name, aliases, known, chain)
    for (const child of childExpressions(node)) waiting.push(child)
  }
  return size
}

function sizeOfAlias(name: string, aliases: Aliases, known: Map<string, number>, chain: number): number {
  if (chain > maxAliasChain) return Number.POSITIVE_INFINITY
  const size = known.get(name)
  if (size !== undefined) return size
  const value = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (value === undefined) return 0
  known.set(name, 0)
  const computed = sizeOf(value, aliases, known, chain + 1)
  known.set(name, computed)
  return computed
}
