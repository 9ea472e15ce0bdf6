import {
  childExpressions,
  definitionOf,
  type Expression,
  expressionsIn,
  functionNamed,
  type PathExpression,
  type QueryOptions,
  type ServiceFunctions,
} from '../../runtime/query/index.js'
import type { Scope } from '../../sql/index.js'
import type { HandlerContext } from './handler-context.js'

/** A filter: the part that the store evaluates, and the part that needs handlers. */
interface SplitFilter {
  readonly stored: Expression | undefined
  readonly handled: Expression
}

/** Whether a query calls a function that has no definition. */
export function callsHandlers(options: QueryOptions, functions: ServiceFunctions | undefined): boolean {
  if (functions === undefined) return false
  const parts = [...expressionsIn(options), ...Object.values(options.aliases ?? {})]
  return parts.some(part => callsHandler(part, functions))
}

/** Whether an expression calls a function that has no definition. */
export function callsHandler(expression: Expression, functions: ServiceFunctions): boolean {
  return (
    calledIn(expression).some(name => {
      const called = functionNamed(name, functions)
      return called !== undefined && called.definition === undefined
    }) || childExpressions(expression).some(part => callsHandler(part, functions))
  )
}

/**
 * Splits a conjunction.
 *
 * @param computed names of computed properties. What reads them is not for the store.
 */
export function splitFilter(
  filter: Expression | undefined,
  functions: ServiceFunctions,
  computed: ReadonlySet<string> = new Set(),
): SplitFilter {
  const isHandled = (part: Expression): boolean => callsHandler(part, functions) || startsWith(part, computed)
  const stored: Expression[] = []
  const handled: Expression[] = []
  let rest = filter
  while (rest?.kind === 'binary' && rest.operator === 'and') {
    ;(isHandled(rest.right) ? handled : stored).push(rest.right)
    rest = rest.left
  }
  if (rest !== undefined) (isHandled(rest) ? handled : stored).push(rest)
  return {
    stored: stored.length === 0 ? undefined : conjunction(stored.reverse()),
    handled: conjunction(handled.reverse()),
  }
}

function conjunction([first, ...others]: readonly Expression[]): Expression {
  const start: Expression = first ?? { kind: 'literal', type: 'Boolean', value: true }
  return others.reduce<Expression>((left, right) => ({ kind: 'binary', operator: 'and', left, right }), start)
}

/** Whether an expression reads only properties of the item itself: no relation, cast or computed property. */
function readsOnlyItem(
  expression: Expression,
  scope: Scope,
  aliases: NonNullable<QueryOptions['aliases']>,
  functions: ServiceFunctions,
): boolean {
  if (expression.kind === 'path' && !isOwnPath(expression, scope)) return false
  const inside = (part: Expression): boolean => readsOnlyItem(part, scope, aliases, functions)
  const value =
    expression.kind === 'alias' && Object.hasOwn(aliases, expression.name) ? aliases[expression.name] : undefined
  const parts = value === undefined ? childExpressions(expression) : [value]
  const definitions = calledIn(expression).flatMap(name => {
    const called = functionNamed(name, functions)
    return (called === undefined ? undefined : definitionOf(called)) ?? []
  })
  return parts.every(inside) && definitions.every(each => readsOnlyItem(each, scope, {}, functions))
}

/** The names of the functions that an expression itself calls. */
function calledIn(expression: Expression): readonly string[] {
  if (expression.kind === 'call') return [expression.function]
  if (expression.kind !== 'path') return []
  return expression.segments.flatMap(segment => (segment.kind === 'function' ? [segment.name] : []))
}

function isOwnPath({ root, segments: [first] }: PathExpression, { type: { properties } }: Scope): boolean {
  if (root !== undefined && root.kind !== 'it') return false
  return (
    first?.kind === 'function' || (first?.kind === 'property' && properties.some(({ name }) => name === first.name))
  )
}

/**
 * How to answer a query:
 *
 * - `engine`: nothing in it needs handlers
 * - `selection`: handlers select or order the items, from their own properties; the engine does the rest
 * - `page`: the engine finds the items of a page; handlers compute properties of theirs, or of related items
 * - `memory`: the query is evaluated in memory, on all items of the collection
 */
type Strategy = 'engine' | 'selection' | 'page' | 'memory'

const strategies = new WeakMap<QueryOptions, Strategy>()

/** How to answer a query over the items of a scope. */
export function strategyOf(options: QueryOptions, scope: Scope, { store, handled }: HandlerContext): Strategy {
  const { functions } = store.table
  if (handled === undefined || functions === undefined) return 'engine'
  const known = strategies.get(options) ?? chooseStrategy(options, scope, functions)
  strategies.set(options, known)
  return known
}

function chooseStrategy(options: QueryOptions, scope: Scope, functions: ServiceFunctions): Strategy {
  if (!callsHandlers(options, functions)) return 'engine'
  const { filter, orderby = [], apply, compute = [], expand, aliases = {}, ...others } = options
  if (apply !== undefined) return 'memory'
  const calls = (part: Expression): boolean => callsHandler(part, functions)
  const inAliases = Object.values(aliases).some(calls)
  const keys = orderby.map(({ expression }) => expression)
  const parts = [...(filter === undefined ? [] : [filter]), ...keys]
  const rest: QueryOptions = { ...others, compute, ...(expand === undefined ? {} : { expand }) }
  if (!inAliases && !callsHandlers(rest, functions)) {
    const handled = [splitFilter(filter, functions).handled, ...(keys.some(calls) ? keys : [])]
    return handled.every(part => readsOnlyItem(part, scope, aliases, functions)) ? 'selection' : 'memory'
  }
  const names = new Set(compute.flatMap(({ expression, alias }) => (calls(expression) ? [alias] : [])))
  return inAliases || parts.some(part => calls(part) || startsWith(part, names)) ? 'memory' : 'page'
}

/** Whether an expression contains a path that starts with one of the names. */
function startsWith(expression: Expression, names: ReadonlySet<string>): boolean {
  if (expression.kind === 'path') {
    const [first] = expression.segments
    if (first?.kind === 'property' && names.has(first.name)) return true
  }
  return childExpressions(expression).some(part => startsWith(part, names))
}
