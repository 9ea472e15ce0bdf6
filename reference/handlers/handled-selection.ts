import { sql } from 'kysely'
import {
  bindExpression,
  compareValues,
  EvaluationError,
  type Expression,
  evaluate,
  evaluateFilter,
  type Json,
  type OrderbyItem,
  type QueryOptions,
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
import { callsHandler, splitFilter } from './handled-calls.js'
import type { HandledFunctions, HandlerContext } from './handler-context.js'
import { planCache } from './query-shape.js'

/** Items that are read at a time. */
export const itemsPerRead = 500

const idsPlaceholder = 'handled items'

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
    const { stored } = splitFilter(options.filter, functions)
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
      const { stored } = splitFilter(filter, functions)
      return {
        ...rest,
        ...(stored === undefined ? {} : { filter: stored }),
        ...(orderby === undefined || isOrdered(options) ? {} : { orderby }),
      }
    },
    select: async (call, session, values) => {
      const { handled: filter } = splitFilter(call.query.filter, functions)
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
export function amongItems(
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

export function tooManyItems(
  limit: number,
  option: string,
  fix = "Filter by a property as well, with 'and'.",
): RequestFault {
  const reason = `It calls a function that the service computes item by item, for more items than the limit functionItems, which is ${limit}. ${fix}`
  return unsupported(reason, option)
}
