import type { BinaryExpression, Expression, PathExpression } from '../ast.js'
import { expandedSize } from '../binding/expanded-size.js'
import type { CheckContext } from './check-context.js'
import { checkFilterProperty } from './check-filter-property.js'
import { followTrail, type PropertyTrail } from './property-trail.js'
import { requireNamed } from './require-named.js'

/** Above this an endpoint that declares no limit refuses: more than the longest URL holds without aliases. */
const largestFilter = 20_000

const comparisonAndArithmetic: ReadonlySet<string> = new Set([
  ...['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'has', 'in'],
  ...['add', 'sub', 'mul', 'div', 'divby', 'mod'],
])

/** One expression still to look at, and what stands around it. */
interface Waiting {
  readonly expression: Expression
  /** Operators and functions that a property here is an operand or argument of. */
  readonly operators: readonly string[]
  readonly functions: readonly string[]
  readonly variables: ReadonlyMap<string, PropertyTrail>
  readonly current: PropertyTrail
  /** Aliases whose value this is part of. */
  readonly within: readonly string[]
}

/**
 * Each operator, function, lambda operator and property of a filter must be declared. Relations are no structural
 * properties: a filter may lead through one only when the exceptions name it.
 */
export function checkFilter(filter: Expression, current: PropertyTrail, context: CheckContext): void {
  const { capabilities, report, aliases } = context
  const { support, maxNodes = largestFilter } = capabilities.filter
  if (support === 'none') {
    report('$filter', 'filter', "The query option '$filter' is not supported here.")
    return
  }
  if (expandedSize(filter, aliases) > maxNodes) {
    report(
      '$filter',
      'filter.maxNodes',
      `The filter has more than ${maxNodes} terms, which is the most supported here.`,
    )
    return
  }
  const waiting: Waiting[] = [
    { expression: filter, operators: [], functions: [], variables: new Map(), current, within: [] },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) visit(next, waiting, context)
}

function visit(at: Waiting, waiting: Waiting[], context: CheckContext): void {
  const { expression } = at
  const { operators, functions, lambdas } = context.capabilities.filter
  switch (expression.kind) {
    case 'literal':
    case 'type':
      return
    case 'alias':
      visitAlias(expression.name, at, waiting, context)
      return
    case 'path':
      visitPath(expression, at, waiting, context)
      return
    case 'unary':
      requireNamed('operator', expression.operator, operators, context)
      waiting.push({ ...at, expression: expression.operand })
      return
    case 'binary':
      requireNamed('operator', expression.operator, operators, context)
      pushOperands(expression, at, waiting)
      return
    case 'call':
      requireNamed('function', expression.function, functions, context)
      for (const argument of [...expression.arguments].reverse()) {
        waiting.push({ ...at, expression: argument, functions: [...at.functions, expression.function] })
      }
      return
    case 'lambda': {
      requireNamed('lambda operator', expression.operator, lambdas, context)
      const { collection, predicate, variable } = expression
      if (predicate !== undefined) {
        const variables = new Map(at.variables)
        const item = followTrail(startOfTrail(collection, at, context), collection.segments, context.types)
        if (variable !== undefined) variables.set(variable, item)
        waiting.push({ ...at, expression: predicate, operators: [], functions: [], variables })
      }
      waiting.push({ ...at, expression: collection, operators: [], functions: [] })
      return
    }
    case 'list':
      for (const item of [...expression.items].reverse()) waiting.push({ ...at, expression: item })
      return
    case 'object':
      context.report('$filter', 'filter.object', 'JSON objects are not supported in a filter here.')
  }
}

function pushOperands(binary: BinaryExpression, at: Waiting, waiting: Waiting[]): void {
  const applies = comparisonAndArithmetic.has(binary.operator)
  const operators = applies ? [...at.operators, binary.operator] : []
  const functions = applies ? at.functions : []
  for (const operand of [binary.right, binary.left]) waiting.push({ ...at, expression: operand, operators, functions })
}

function visitAlias(name: string, at: Waiting, waiting: Waiting[], context: CheckContext): void {
  const value = Object.hasOwn(context.aliases, name) ? context.aliases[name] : undefined
  if (value === undefined || at.within.includes(name)) return
  waiting.push({ ...at, expression: value, variables: new Map(), within: [...at.within, name] })
}

function visitPath(path: PathExpression, at: Waiting, waiting: Waiting[], context: CheckContext): void {
  if (path.root?.kind === 'root') {
    context.report('$filter', 'filter.$root', "Paths from '$root' are not supported in a filter here.")
    return
  }
  for (const index of path.segments.keys()) visitSegment(path, index, at, waiting, context)
  const start = startOfTrail(path, at, context)
  const trail = followTrail(start, path.segments, context.types)
  if (trail.path.length > 0) checkFilterProperty(trail, trail.relationDepth > start.path.length, at, context)
}

function visitSegment(
  path: PathExpression,
  index: number,
  at: Waiting,
  waiting: Waiting[],
  context: CheckContext,
): void {
  const segment = path.segments[index]
  const { functions } = context.capabilities.filter
  switch (segment?.kind) {
    case 'cast':
      requireNamed('function', 'cast', functions, context)
      return
    case 'function':
      requireNamed('function', segment.name, functions, context)
      for (const { value } of [...segment.parameters].reverse()) waiting.push({ ...at, expression: value })
      return
    case 'count':
    case 'filter': {
      requireNamed('segment', `$${segment.kind}`, functions, context)
      if (segment.kind === 'count' && segment.search !== undefined) {
        context.report('$filter', 'filter.$search', "'$search' is not supported inside a filter here.")
      }
      const predicate = segment.kind === 'filter' ? segment.predicate : segment.filter
      if (predicate === undefined) return
      const current = followTrail(startOfTrail(path, at, context), path.segments.slice(0, index), context.types)
      waiting.push({ ...at, expression: predicate, operators: [], functions: [], current })
      return
    }
    case 'key':
      context.report('$filter', 'filter.key', 'Keys in a path are not supported in a filter here.')
      return
    case 'annotation':
      context.report('$filter', 'filter.annotation', 'Annotations are not supported in a filter here.')
  }
}

function startOfTrail({ root }: PathExpression, at: Waiting, context: CheckContext): PropertyTrail {
  switch (root?.kind) {
    case 'it':
      return context.outermost
    case 'variable':
      return at.variables.get(root.name) ?? { path: [], typeName: undefined, relationDepth: 0 }
    default:
      return at.current
  }
}
