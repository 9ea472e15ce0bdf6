import { sql } from 'kysely'
import {
  bindExpression,
  childExpressions,
  compareValues,
  EvaluationError,
  type Expression,
  evaluate,
  evaluateFilter,
  functionNamed,
  type Json,
  type OrderbyItem,
  type PathExpression,
  type QueryOptions,
  type ServiceFunctions,
} from '../../runtime/query/index.js'
import { type AnyCall, RequestFault } from '../../runtime/server/index.js'
import { isStream } from '../../spec/language/index.js'
import {
  allOf,
  type CollectionPlan,
  collectionPlan,
  decoderFor,
  type ItemId,
  idColumn,
  mergeValues,
  Placeholder,
  type PlaceholderValues,
  queryContext,
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

/** Selects the items of a query whose filter or order calls functions that only handlers compute. */
export interface HandledSelection {
  /** Whether a query does that. */
  readonly isNeeded: (options: QueryOptions) => boolean
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
   * @throws {RequestFault} if there are more of them than the limit, or the part needs more than the item itself
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
  const isOrdered = ({ orderby = [], apply }: QueryOptions): boolean =>
    apply === undefined && orderby.some(({ expression }) => callsHandler(expression, functions))
  const isNeeded = (options: QueryOptions): boolean =>
    isOrdered(options) ||
    (options.filter !== undefined && options.apply === undefined && callsHandler(options.filter, functions))
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
  const { dialect } = store.engine
  return {
    isNeeded,
    isOrdered,
    scope: {
      ...scope,
      where: alias => {
        const ids = dialect.listValues(new Placeholder(idsPlaceholder), 'integer')
        return allOf([scope.where(alias), sql`${sql.id(alias, idColumn)} IN (${ids})`])
      },
    },
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
      const aliases = call.query.aliases ?? {}
      requireOwnProperties(filter, scope, aliases, '$filter')
      for (const { expression } of orderby) requireOwnProperties(expression, scope, aliases, '$orderby')
      return selectedIds(
        planOf(call),
        { filter, orderby, type: scope.type.name },
        { call, session, values, store, handled },
      )
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

function tooManyItems(limit: number, option: string): RequestFault {
  const reason = `It calls a function that the service computes item by item, for more items than the limit functionItems, which is ${limit}. Filter by a property as well, with 'and'.`
  return unsupported(reason, option)
}

/** Whether the filter or the order of a query calls a function that has no definition. */
export function callsHandlers(
  { filter, orderby = [] }: QueryOptions,
  functions: ServiceFunctions | undefined,
): boolean {
  const parts = [...(filter === undefined ? [] : [filter]), ...orderby.map(({ expression }) => expression)]
  return functions !== undefined && parts.some(part => callsHandler(part, functions))
}

/** Whether an expression calls a function that has no definition. */
function callsHandler(expression: Expression, functions: ServiceFunctions): boolean {
  const names =
    expression.kind === 'call'
      ? [expression.function]
      : expression.kind === 'path'
        ? expression.segments.flatMap(segment => (segment.kind === 'function' ? [segment.name] : []))
        : []
  return (
    names.some(name => {
      const called = functionNamed(name, functions)
      return called !== undefined && called.definition === undefined
    }) || childExpressions(expression).some(part => callsHandler(part, functions))
  )
}

/** Splits a conjunction. */
function split(filter: Expression | undefined, functions: ServiceFunctions): SplitFilter {
  const stored: Expression[] = []
  const handled: Expression[] = []
  let rest = filter
  while (rest?.kind === 'binary' && rest.operator === 'and') {
    ;(callsHandler(rest.right, functions) ? handled : stored).push(rest.right)
    rest = rest.left
  }
  if (rest !== undefined) (callsHandler(rest, functions) ? handled : stored).push(rest)
  return {
    stored: stored.length === 0 ? undefined : conjunction(stored.reverse()),
    handled: conjunction(handled.reverse()),
  }
}

function conjunction([first, ...others]: readonly Expression[]): Expression {
  const start: Expression = first ?? { kind: 'literal', type: 'Boolean', value: true }
  return others.reduce<Expression>((left, right) => ({ kind: 'binary', operator: 'and', left, right }), start)
}

/** The part with handlers is evaluated on the item that was read, without its relations. */
function requireOwnProperties(
  expression: Expression,
  scope: Scope,
  aliases: NonNullable<QueryOptions['aliases']>,
  option: '$filter' | '$orderby',
): void {
  if (expression.kind === 'path' && !isOwnPath(expression, scope)) {
    const reason =
      'It combines a function that the service computes item by item with a relation, a cast, a computed property or a lambda variable.'
    throw unsupported(option === '$filter' ? `${reason} Separate them with 'and'.` : reason, option)
  }
  const value =
    expression.kind === 'alias' && Object.hasOwn(aliases, expression.name) ? aliases[expression.name] : undefined
  const parts = value === undefined ? childExpressions(expression) : [value]
  for (const part of parts) requireOwnProperties(part, scope, aliases, option)
}

function isOwnPath({ root, segments: [first] }: PathExpression, { type: { properties } }: Scope): boolean {
  if (root !== undefined && root.kind !== 'it') return false
  return (
    first?.kind === 'function' || (first?.kind === 'property' && properties.some(({ name }) => name === first.name))
  )
}
