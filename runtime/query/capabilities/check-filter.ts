import type { BinaryExpression, Expression, PathExpression, QueryOptions, Transformation } from '../ast.js'
import { childExpressions, expandedSize, transformationExpressions } from '../traversal.js'
import {
  type Capabilities,
  type CheckContext,
  type Condition,
  nearestEntry,
  type PropertyFilterCapabilities,
  type ResolvedPath,
  resolvePath,
  type Support,
} from './capabilities.js'

/** The operators and functions that a property in a filter is an operand or argument of. */
interface PropertyUse {
  readonly operators: readonly string[]
  readonly functions: readonly string[]
}

/**
 * Checks that a filter can use a property in this way. `passesRelation`: the path itself contains a relation, in addition to
 * the collection of a lambda variable.
 */
function checkFilterProperty(
  trail: ResolvedPath,
  passesRelation: boolean,
  at: PropertyUse,
  context: CheckContext,
): void {
  const { report } = context
  const property = trail.names.join('/')
  const exception = nearestEntry(context.capabilities.filter.properties, trail.names)
  const isUnnamedRelation = passesRelation && (exception?.depth ?? 0) < trail.relationDepth
  if (isUnnamedRelation || exception?.entry.support === 'none') {
    report('$filter', 'filter', `Filtering by '${property}' is not supported here.`, property)
    return
  }
  if (exception === undefined) return
  const { operators, functions } = unsupportedOn(exception.entry, at)
  for (const name of operators) {
    const message = `The filter operator '${name}' is not supported on '${property}' here.`
    report('$filter', `filter.${name}`, message, property)
  }
  for (const name of functions) {
    const message = `The filter function '${name}' is not supported on '${property}' here.`
    report('$filter', `filter.${name}`, message, property)
  }
}

function unsupportedOn({ operators, functions }: PropertyFilterCapabilities, at: PropertyUse) {
  return { operators: missing(at.operators, operators), functions: missing(at.functions, functions) }
}

/** The names that are not declared, in any letter case. Without a declaration, all are allowed. */
function missing(names: readonly string[], declared: readonly string[] | undefined): readonly string[] {
  const lower = declared?.map(name => name.toLowerCase())
  return lower === undefined ? [] : names.filter(name => !lower.includes(name.toLowerCase()))
}

/** Reports an operator, function or segment of a filter that the record does not declare. */
function requireDeclared(
  sort: 'operator' | 'function' | 'lambda operator' | 'segment',
  name: string,
  record: Readonly<Record<string, Support>>,
  { report }: CheckContext,
): void {
  if (isSupported(record, name) || isSupported(record, name.toLowerCase())) return
  const others = sort === 'segment' ? '' : supportedNames(record)
  report('$filter', `filter.${name}`, `The filter ${sort} '${name}' is not supported here.${others}`)
}

/** The longest URL without aliases contains fewer nodes. */
const defaultMaxNodes = 20_000

const comparisonAndArithmetic: ReadonlySet<string> = new Set([
  ...['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'has', 'in'],
  ...['add', 'sub', 'mul', 'div', 'divby', 'mod'],
])

/** An expression still to visit, and its context. */
interface PendingNode {
  readonly expression: Expression
  /** The operators and functions that the expression is an operand or argument of. */
  readonly operators: readonly string[]
  readonly functions: readonly string[]
  readonly variables: ReadonlyMap<string, ResolvedPath>
  readonly current: ResolvedPath
  /** The aliases whose values contain the expression. */
  readonly within: readonly string[]
}

/**
 * Checks that the capabilities declare each operator, function, lambda operator and property of a filter. A filter can use a
 * relation only if the exceptions name it.
 */
export function checkFilter(filter: Expression, current: ResolvedPath, context: CheckContext): void {
  const { capabilities, report, aliases } = context
  const { support, maxNodes = defaultMaxNodes } = capabilities.filter
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
  const waiting: PendingNode[] = [
    { expression: filter, operators: [], functions: [], variables: new Map(), current, within: [] },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) visit(next, waiting, context)
}

function visit(at: PendingNode, waiting: PendingNode[], context: CheckContext): void {
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
      requireDeclared('operator', expression.operator, operators, context)
      waiting.push({ ...at, expression: expression.operand })
      return
    case 'binary':
      requireDeclared('operator', expression.operator, operators, context)
      pushOperands(expression, at, waiting)
      return
    case 'call':
      requireDeclared('function', expression.function, functions, context)
      for (const argument of [...expression.arguments].reverse()) {
        waiting.push({ ...at, expression: argument, functions: [...at.functions, expression.function] })
      }
      return
    case 'lambda': {
      requireDeclared('lambda operator', expression.operator, lambdas, context)
      const { collection, predicate, variable } = expression
      if (predicate !== undefined) {
        const variables = new Map(at.variables)
        const item = resolvePath(startOfPath(collection, at, context), collection.segments, context.types)
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

function pushOperands(binary: BinaryExpression, at: PendingNode, waiting: PendingNode[]): void {
  const applies = comparisonAndArithmetic.has(binary.operator)
  const operators = applies ? [...at.operators, binary.operator] : []
  const functions = applies ? at.functions : []
  for (const operand of [binary.right, binary.left]) waiting.push({ ...at, expression: operand, operators, functions })
}

function visitAlias(name: string, at: PendingNode, waiting: PendingNode[], context: CheckContext): void {
  const value = Object.hasOwn(context.aliases, name) ? context.aliases[name] : undefined
  if (value === undefined || at.within.includes(name)) return
  waiting.push({ ...at, expression: value, variables: new Map(), within: [...at.within, name] })
}

function visitPath(path: PathExpression, at: PendingNode, waiting: PendingNode[], context: CheckContext): void {
  if (path.root?.kind === 'root') {
    context.report('$filter', 'filter.$root', "Paths from '$root' are not supported in a filter here.")
    return
  }
  const start = startOfPath(path, at, context)
  const trail = resolvePath(start, path.segments, context.types)
  // `properties: { lines/$count: true }` allows the count, but no other use of the collection.
  const isCount = path.segments.at(-1)?.kind === 'count'
  const isDeclaredCount = isCount && isAllowedCount(`${trail.names.join('/')}/$count`, context)
  for (const index of path.segments.keys()) {
    visitSegment(path, index, at, waiting, context, isDeclaredCount && index === path.segments.length - 1)
  }
  if (trail.names.length > 0 && !isDeclaredCount)
    checkFilterProperty(trail, trail.relationDepth > start.names.length, at, context)
}

function isAllowedCount(name: string, { capabilities }: CheckContext): boolean {
  const { properties } = capabilities.filter
  return Object.hasOwn(properties, name) && properties[name]?.support !== 'none'
}

function visitSegment(
  path: PathExpression,
  index: number,
  at: PendingNode,
  waiting: PendingNode[],
  context: CheckContext,
  isAllowed: boolean,
): void {
  const segment = path.segments[index]
  const { functions } = context.capabilities.filter
  switch (segment?.kind) {
    case 'cast':
      requireDeclared('function', 'cast', functions, context)
      return
    case 'function':
      requireDeclared('function', segment.name, functions, context)
      for (const { value } of [...segment.parameters].reverse()) waiting.push({ ...at, expression: value })
      return
    case 'count':
    case 'filter': {
      if (!isAllowed) requireDeclared('segment', `$${segment.kind}`, functions, context)
      if (segment.kind === 'count' && segment.search !== undefined) {
        context.report('$filter', 'filter.$search', "'$search' is not supported inside a filter here.")
      }
      const predicate = segment.kind === 'filter' ? segment.predicate : segment.filter
      if (predicate === undefined) return
      const current = resolvePath(startOfPath(path, at, context), path.segments.slice(0, index), context.types)
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

function startOfPath({ root }: PathExpression, at: PendingNode, context: CheckContext): ResolvedPath {
  switch (root?.kind) {
    case 'it':
      return context.outermost
    case 'variable':
      return at.variables.get(root.name) ?? { names: [], typeName: undefined, relationDepth: 0 }
    default:
      return at.current
  }
}

/** Whether the record declares the name `required` or `optional`. */
function isSupported(record: Readonly<Record<string, Support>>, name: string): boolean {
  return Object.hasOwn(record, name) && record[name] !== 'none'
}

/** The supported names for messages: ` Supported: eq, ne.`. */
function supportedNames(record: Readonly<Record<string, Support>>): string {
  const names = Object.keys(record).filter(name => isSupported(record, name))
  return names.length === 0 ? '' : ` Supported: ${names.join(', ')}.`
}

/**
 * The conditions that a request triggers but does not meet, in the order of the capabilities. The comparison of the header's
 * value ignores letter case and surrounding space.
 *
 * @param constructs the result of `constructsOf`, and `countPath` if the path ends in `/$count`
 * @param header returns the value of a request header or null: `headers.get.bind(headers)`
 */
export function unmetConditions(
  constructs: readonly string[],
  capabilities: Capabilities,
  header: (name: string) => string | null,
): readonly Condition[] {
  const used = new Set(constructs)
  return capabilities.requires.filter(condition => {
    const isTriggered = condition.when.some(all => all.every(construct => used.has(construct)))
    return isTriggered && !isSame(header(condition.header.name), condition.header.value)
  })
}

function isSame(given: string | null, expected: string): boolean {
  return given !== null && given.trim().toLowerCase() === expected.trim().toLowerCase()
}

type AliasValues = NonNullable<QueryOptions['aliases']>

/**
 * The constructs of a query that a condition can name: `filter`, `filter.<operator, function or lambda operator>`,
 * `filter.$count`, `orderby`, `expand`, `search`, `count`, `skip`, `top`, `select`. `apply`. `$count=false` is not one of them. The
 * constructs of a filter or search in `$expand` are included (`filter.contains`, `search`), but not other nested options:
 * `orderby` is that of the request. A server adds `countPath` if the path ends in `/$count`.
 *
 * @see Condition.when
 */
export function constructsOf(options: QueryOptions): readonly string[] {
  const found = new Set<string>()
  const aliases = options.aliases ?? {}
  for (const name of ['filter', 'orderby', 'expand', 'search', 'skip', 'top', 'select', 'apply'] as const) {
    if (options[name] !== undefined) found.add(name)
  }
  if (options.count === true) found.add('count')
  addNested(options, aliases, found)
  return [...found]
}

function addNested(options: QueryOptions, aliases: AliasValues, found: Set<string>): void {
  const waiting = [options]
  const seen = new Set<string>()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.filter !== undefined) addFilter(next.filter, aliases, seen, found)
    for (const each of next.apply ?? []) addTransformation(each, aliases, seen, found)
    if (next.search !== undefined) found.add('search')
    for (const item of [...(next.expand ?? []), ...(next.select ?? [])]) {
      if (item.options !== undefined) waiting.push(item.options)
    }
  }
}

/** Transformations trigger the conditions of the options that they stand for. */
function addTransformation(step: Transformation, aliases: AliasValues, seen: Set<string>, found: Set<string>): void {
  if (step.kind === 'filter' || step.kind === 'search' || step.kind === 'orderby') found.add(step.kind)
  for (const expression of transformationExpressions([step])) addFilter(expression, aliases, seen, found)
  const inner = step.kind === 'groupby' ? step.apply : step.kind === 'concat' ? step.branches.flat() : []
  for (const each of inner) addTransformation(each, aliases, seen, found)
}

/** Visits each alias once: the constructs in its value do not depend on its position. */
function addFilter(filter: Expression, aliases: AliasValues, seen: Set<string>, found: Set<string>): void {
  const waiting = [filter]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const name of namesOf(node)) found.add(`filter.${name}`)
    if (node.kind === 'alias' && !seen.has(node.name)) {
      seen.add(node.name)
      const value = Object.hasOwn(aliases, node.name) ? aliases[node.name] : undefined
      if (value !== undefined) waiting.push(value)
    }
    for (const child of childExpressions(node)) waiting.push(child)
  }
}

function namesOf(node: Expression): readonly string[] {
  switch (node.kind) {
    case 'unary':
    case 'binary':
    case 'lambda':
      return [node.operator]
    case 'call':
      return [node.function]
    case 'path':
      return node.segments.flatMap(segment => {
        if (segment.kind === 'count') return segment.search === undefined ? ['$count'] : ['$count', '$search']
        if (segment.kind === 'filter') return ['$filter']
        if (segment.kind === 'cast') return ['cast']
        return segment.kind === 'function' ? [segment.name] : []
      })
    default:
      return []
  }
}
