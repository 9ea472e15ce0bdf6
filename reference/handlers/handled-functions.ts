import { sql } from 'kysely'
import {
  type ApplyOptions,
  bindExpression,
  childExpressions,
  compareValues,
  definitionOf,
  EvaluationError,
  type ExpandItem,
  type Expression,
  evaluate,
  evaluateFilter,
  expressionsIn,
  functionNamed,
  isSubtype,
  type Json,
  type OrderbyItem,
  type PathExpression,
  type QueryOptions,
  type ServiceFunctions,
  type TypeTable,
} from '../../runtime/query/index.js'
import {
  type AnyCall,
  type ListResult,
  listRows,
  type RelationRead,
  RequestFault,
  relationsRead,
} from '../../runtime/server/index.js'
import { isStream } from '../../spec/language/index.js'
import {
  allOf,
  type CollectionPlan,
  collectionPlan,
  decoderFor,
  type ItemId,
  idColumn,
  isObject,
  type LiteralPlaceholders,
  mergeValues,
  type Page,
  Placeholder,
  type PlaceholderValues,
  queryContext,
  responseLimits,
  type Scope,
  type Session,
} from '../../sql/index.js'
import type { Store } from '../store/store.js'
import type { HandledFunctions, HandlerContext } from './handler-context.js'
import { planCache } from './query-shape.js'

/** Items that are read at a time. */
const itemsPerRead = 500

const idsPlaceholder = 'handled items'

/** A filter: the part that the store evaluates, and the part that needs handlers. */
interface SplitFilter {
  readonly stored: Expression | undefined
  readonly handled: Expression
}

/** Selects the items of a query whose filter or order calls functions that only handlers compute, on the item itself. */
export interface HandledSelection {
  /** Whether handlers compute the order, so that the engine does not know it. */
  readonly isOrdered: (options: QueryOptions) => boolean
  /** The scope of the items that were selected. */
  readonly scope: Scope
  /** The options without that part of the filter, and without an order that handlers compute. */
  readonly storedOptions: (options: QueryOptions) => QueryOptions
  /**
   * Reads the items that the rest of the query selects, and calls the handlers for each of them.
   *
   * @returns the selected items, in their order if handlers compute it
   * @throws {RequestFault} if there are more of them than the limit
   */
  readonly select: (call: AnyCall, session: Session, values: PlaceholderValues) => Promise<readonly ItemId[]>
  /** The values of the placeholders for a page with these items. */
  readonly valuesOf: (values: PlaceholderValues, ids: readonly ItemId[]) => PlaceholderValues
}

/** @param searched the properties that `$search` searches */
export function handledSelection(
  scope: Scope,
  searched: readonly string[],
  { store, handled }: HandlerContext,
): HandledSelection | undefined {
  const { functions } = store.table
  if (functions === undefined || handled === undefined) return undefined
  const isOrdered = ({ orderby = [] }: QueryOptions): boolean =>
    orderby.some(({ expression }) => callsHandler(expression, functions))
  const select = scope.type.properties.filter(({ type }) => !isStream(type)).map(({ name }) => ({ path: [name] }))
  const planOf = planCache(({ search, ...options }, placeholders) => {
    const { stored } = split(options.filter, functions)
    const given: QueryOptions = {
      select,
      ...(stored === undefined ? {} : { filter: stored }),
      ...(search === undefined ? {} : { search }),
    }
    const context = queryContext(options.aliases, placeholders)
    return collectionPlan(
      scope,
      { options: given, context, searchedProperties: searched },
      { ...store, decoder: decoderFor },
    )
  })
  const among = amongItems(scope, store)
  return {
    isOrdered,
    scope: among.scope,
    storedOptions: options => {
      const { filter, orderby, ...rest } = options
      const { stored } = split(filter, functions)
      return {
        ...rest,
        ...(stored === undefined ? {} : { filter: stored }),
        ...(orderby === undefined || isOrdered(options) ? {} : { orderby }),
      }
    },
    select: async (call, session, values) => {
      const { handled: filter } = split(call.query.filter, functions)
      const orderby = isOrdered(call.query) ? (call.query.orderby ?? []) : []
      return selectedIds(
        planOf(call),
        { filter, orderby, type: scope.type.name },
        { call, session, values, store, handled },
      )
    },
    valuesOf: among.valuesOf,
  }
}

/** The items of a scope whose ids a placeholder has. */
function amongItems(
  scope: Scope,
  { engine: { dialect } }: Store,
): {
  readonly scope: Scope
  readonly valuesOf: (values: PlaceholderValues, ids: readonly ItemId[]) => PlaceholderValues
} {
  return {
    scope: {
      ...scope,
      where: alias => {
        const ids = dialect.listValues(new Placeholder(idsPlaceholder), 'integer')
        return allOf([scope.where(alias), sql`${sql.id(alias, idColumn)} IN (${ids})`])
      },
    },
    valuesOf: (values, ids) => mergeValues(values, { [idsPlaceholder]: dialect.encodeList(ids) }),
  }
}

interface Selecting {
  readonly call: AnyCall
  readonly session: Session
  readonly values: PlaceholderValues
  readonly store: Store
  readonly handled: HandledFunctions
}

/** What handlers are called for. */
interface HandledParts {
  readonly filter: Expression
  /** Empty: the engine orders the items. */
  readonly orderby: readonly OrderbyItem[]
  /** The name of the type of the list. */
  readonly type: string
}

async function selectedIds(
  plan: CollectionPlan,
  { filter, orderby, type: listed }: HandledParts,
  { call, session, values, store, handled }: Selecting,
): Promise<readonly ItemId[]> {
  const { types, functions, namespace } = store.table
  const { handlers, items: limit } = handled
  const { aliases } = call.query
  const found: { readonly id: ItemId; readonly keys: readonly Json[] }[] = []
  const option = orderby.length > 0 ? '$orderby' : '$filter'
  let after: readonly unknown[] | undefined
  let read = 0
  do {
    const page = await plan.page(session, values, { after, skip: 0, limit: itemsPerRead, bytes: undefined })
    read += page.items.length
    if (read > limit || (read === limit && page.last !== undefined)) throw tooManyItems(limit, option)
    for (const { id, entity, type } of page.items) {
      const options = { types, functions, handlers, type: type.name, aliases, now: store.now }
      if (!evaluated('$filter', () => evaluateFilter(filter, entity, options))) continue
      found.push({
        id,
        keys: orderby.map(({ expression }) => evaluated('$orderby', () => evaluate(expression, entity, options))),
      })
    }
    after = page.last
  } while (after !== undefined)
  const keys = orderby.map(({ expression, direction }) => {
    const { type } = bindExpression(expression, types, listed, { namespace, functions: functions ?? {} }, aliases)
    return { type: 'name' in type ? type.name : undefined, sign: direction === 'desc' ? -1 : 1 }
  })
  // The sort is stable: items with the same keys keep the order in which the engine lists them.
  const compare = (left: readonly Json[], right: readonly Json[]): number => {
    for (const [index, { type, sign }] of keys.entries()) {
      const order = compareValues(left[index] ?? null, right[index] ?? null, type, { types })
      if (order !== 0) return sign * order
    }
    return 0
  }
  return evaluated('$orderby', () => found.sort((left, right) => compare(left.keys, right.keys))).map(({ id }) => id)
}

function evaluated<Value>(option: string, evaluation: () => Value): Value {
  try {
    return evaluation()
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
    throw unsupported(error.message, option)
  }
}

function unsupported(reason: string, option: string): RequestFault {
  return new RequestFault('unsupportedQueryOption', { target: option, values: { option, reason } })
}

function tooManyItems(limit: number, option: string, fix = "Filter by a property as well, with 'and'."): RequestFault {
  const reason = `It calls a function that the service computes item by item, for more items than the limit functionItems, which is ${limit}. ${fix}`
  return unsupported(reason, option)
}

/** Whether a query calls a function that has no definition. */
export function callsHandlers(options: QueryOptions, functions: ServiceFunctions | undefined): boolean {
  if (functions === undefined) return false
  const parts = [...expressionsIn(options), ...Object.values(options.aliases ?? {})]
  return parts.some(part => callsHandler(part, functions))
}

/** Whether an expression calls a function that has no definition. */
function callsHandler(expression: Expression, functions: ServiceFunctions): boolean {
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
function split(
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
 * Who answers a query:
 *
 * - `engine`: nothing in it needs handlers
 * - `selection`: handlers select or order the items, from their own properties; the engine does the rest
 * - `page`: the engine finds the items of a page; handlers compute properties of theirs, or of related items
 * - `memory`: the query is evaluated in memory, on all items of the collection
 */
type Answering = 'engine' | 'selection' | 'page' | 'memory'

const answering = new WeakMap<QueryOptions, Answering>()

/** Who answers a query over the items of a scope. */
export function answeringOf(options: QueryOptions, scope: Scope, { store, handled }: HandlerContext): Answering {
  const { functions } = store.table
  if (handled === undefined || functions === undefined) return 'engine'
  const known = answering.get(options) ?? chooseAnswering(options, scope, functions)
  answering.set(options, known)
  return known
}

function chooseAnswering(options: QueryOptions, scope: Scope, functions: ServiceFunctions): Answering {
  if (!callsHandlers(options, functions)) return 'engine'
  const { filter, orderby = [], apply, compute = [], expand, aliases = {}, ...others } = options
  if (apply !== undefined) return 'memory'
  const calls = (part: Expression): boolean => callsHandler(part, functions)
  const inAliases = Object.values(aliases).some(calls)
  const keys = orderby.map(({ expression }) => expression)
  const parts = [...(filter === undefined ? [] : [filter]), ...keys]
  const rest: QueryOptions = { ...others, compute, ...(expand === undefined ? {} : { expand }) }
  if (!inAliases && !callsHandlers(rest, functions)) {
    const handled = [split(filter, functions).handled, ...(keys.some(calls) ? keys : [])]
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

/** Answers queries in memory, with handlers. */
export interface HandledReading {
  /** A query whose items the engine cannot find: all of it. */
  readonly list: (
    call: AnyCall,
    session: Session,
    values: PlaceholderValues,
  ) => Promise<ListResult<Readonly<Record<string, unknown>>>>
  /** The options with which the engine finds the items of a page. */
  readonly findingOptions: (options: QueryOptions) => QueryOptions
  /** These items, in this order, with what `$compute` and `$expand` add to them. */
  readonly items: (
    call: AnyCall,
    session: Session,
    values: PlaceholderValues,
    ids: readonly ItemId[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>
}

/**
 * @param searched the properties that `$search` searches
 * @param maxDepth the meaning of `$levels=max`
 */
export function handledReading(
  scope: Scope,
  searched: readonly string[],
  maxDepth: number | undefined,
  { store, handled }: HandlerContext,
): HandledReading | undefined {
  const { functions, types } = store.table
  if (functions === undefined || handled === undefined) return undefined
  const { name } = scope.type
  const target = { ...store, decoder: decoderFor }
  const planFor = (
    within: Scope,
    options: QueryOptions,
    conditions: Pick<QueryOptions, 'filter' | 'search'>,
    placeholders: LiteralPlaceholders,
  ): WholePlan => {
    const levels = levelsIn(options.expand ?? [])
    const expand = expandTree(relationsRead(options, name, types, functions), name, levels, types)
    const whole = { ...conditions, select: [{ path: ['*'] }], expand }
    const context = queryContext(options.aliases, placeholders, maxDepth)
    return { plan: collectionPlan(within, { options: whole, context, searchedProperties: searched }, target), expand }
  }
  const listPlan = planCache((options, placeholders) => {
    const { filter, search, apply, compute = [] } = options
    if (apply !== undefined) return planFor(scope, options, {}, placeholders)
    const computed = new Set(compute.map(({ alias }) => alias))
    const isInAlias = Object.values(options.aliases ?? {}).some(part => callsHandler(part, functions))
    const { stored } = isInAlias ? { stored: undefined } : split(filter, functions, computed)
    const conditions = {
      ...(stored === undefined ? {} : { filter: stored }),
      ...(search === undefined ? {} : { search }),
    }
    return planFor(scope, options, conditions, placeholders)
  })
  const among = amongItems(scope, store)
  const itemsPlan = planCache((options, placeholders) => planFor(among.scope, options, {}, placeholders))
  const settingsOf = ({ query }: AnyCall): ApplyOptions => {
    const { aliases } = query
    return {
      ...{ types, functions, handlers: handled.handlers, type: name, now: store.now },
      ...{ aliases, searchProperties: searched },
    }
  }
  const limit = handled.items
  return {
    list: async (call, session, values) => {
      const option = call.query.apply === undefined ? '$filter' : '$apply'
      const tooMany = tooManyItems(limit, option)
      const items = await readItems(listPlan(call), session, values, { store, limit, tooMany })
      const rows = items.map(({ entity }) => entity)
      const { search: _search, ...others } = call.query
      const query = call.query.apply === undefined ? others : call.query
      const { pageSize } = call
      return listRows(rows, { query, pageSize, limit: call.limit }, settingsOf(call))
    },
    findingOptions: ({ filter, orderby, search, compute, aliases }) => {
      const stored = (compute ?? []).filter(({ expression }) => !callsHandler(expression, functions))
      return {
        select: scope.type.key.map(key => ({ path: [key.name] })),
        ...(filter === undefined ? {} : { filter }),
        ...(orderby === undefined ? {} : { orderby }),
        ...(search === undefined ? {} : { search }),
        ...(stored.length === 0 ? {} : { compute: stored }),
        ...(aliases === undefined ? {} : { aliases }),
      }
    },
    items: async (call, session, values, ids) => {
      const { compute, expand } = call.query
      const query: QueryOptions = {
        ...(compute === undefined ? {} : { compute }),
        ...(expand === undefined ? {} : { expand }),
      }
      const found = new Map<string, Readonly<Record<string, unknown>>>()
      const plan = itemsPlan(call)
      const all = among.valuesOf(values, ids)
      const option = compute === undefined ? '$expand' : '$compute'
      const tooMany = tooManyItems(limit, option, "Request a smaller page with '$top'.")
      for (const { id, entity } of await readItems(plan, session, all, { store, limit, tooMany }))
        found.set(String(id), entity)
      const rows = ids.map(id => found.get(String(id))).filter(row => row !== undefined)
      return listRows(rows, { query }, settingsOf(call)).value
    },
  }
}

/** How often `$levels` expands each relation, by the names that lead to it. */
function levelsIn(
  expand: readonly ExpandItem[],
  above: readonly string[] = [],
  found: Map<string, number | 'max'> = new Map(),
): ReadonlyMap<string, number | 'max'> {
  for (const { path, options = {} } of expand) {
    const names = [...above, ...path.filter(each => !each.includes('.'))]
    if (options.levels !== undefined) found.set(names.join('/'), options.levels)
    levelsIn(options.expand ?? [], names, found)
  }
  return found
}

/** The `$expand` that reads relations with whole items. */
function expandTree(
  relations: readonly RelationRead[],
  type: string,
  levels: ReadonlyMap<string, number | 'max'>,
  types: TypeTable,
  above: readonly string[] = [],
): readonly ExpandItem[] {
  const prefix = above.map(name => `${name}/`).join('')
  return relations
    .filter(({ names }) => names.length === above.length + 1 && `${names.join('/')}`.startsWith(prefix))
    .map(({ names, owner, type: target }) => {
      const own = names.at(-1) ?? ''
      const depth = levels.get(names.join('/'))
      const expand = expandTree(relations, target, levels, types, names)
      return {
        path: isSubtype(type, owner, types) ? [own] : [`${namespaceMark}.${owner}`, own],
        options: { select: [{ path: ['*'] }], expand, ...(depth === undefined ? {} : { levels: depth }) },
      }
    })
}

/** The store finds types by their last name. */
const namespaceMark = 'types'

/** A plan that reads whole items, and the relations that it reads with them. */
interface WholePlan {
  readonly plan: CollectionPlan
  readonly expand: readonly ExpandItem[]
}

interface ReadingLimit {
  readonly store: Store
  /** The items, and items that are related to them, that one request may read. */
  readonly limit: number
  /** What is thrown if there are more. */
  readonly tooMany: RequestFault
}

async function readItems(
  { plan, expand }: WholePlan,
  session: Session,
  values: PlaceholderValues,
  { store, limit, tooMany }: ReadingLimit,
): Promise<Page['items']> {
  const { responseBytes } = responseLimits(store.table)
  const found: Page['items'][number][] = []
  let after: readonly unknown[] | undefined
  let read = 0
  do {
    const page = await plan.page(session, values, { after, skip: 0, limit: itemsPerRead, bytes: responseBytes })
    read += page.items.reduce((sum, { entity }) => sum + itemsIn(entity, expand), 0)
    if (read > limit || (read === limit && page.last !== undefined)) throw tooMany
    found.push(...page.items)
    after = page.last
  } while (after !== undefined)
  return found
}

/** The number of items in an item, itself included. */
function itemsIn(item: unknown, expand: readonly ExpandItem[]): number {
  if (!isObject(item)) return 0
  let sum = 1
  for (const { path, options = {} } of expand) {
    const { levels, expand: below = [] } = options
    const related = item[path.at(-1) ?? '']
    const inner = levels === undefined ? below : [...below, { path, options }]
    for (const each of Array.isArray(related) ? related : [related]) sum += itemsIn(each, inner)
  }
  return sum
}
