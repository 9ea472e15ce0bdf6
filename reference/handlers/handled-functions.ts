import { sql } from 'kysely'
import {
  childExpressions,
  EvaluationError,
  type Expression,
  evaluateFilter,
  functionNamed,
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

/** Selects the items of a query whose filter calls functions that only handlers compute. */
export interface HandledSelection {
  /** Whether a filter does that. */
  readonly isNeeded: (options: QueryOptions) => boolean
  /** The scope of the items that were selected. */
  readonly scope: Scope
  /** The options without that part of the filter. */
  readonly storedOptions: (options: QueryOptions) => QueryOptions
  /**
   * Reads the items that the rest of the query selects, and calls the handlers for each of them.
   *
   * @returns the values of the placeholders, with the selected items
   * @throws {RequestFault} if there are more of them than the limit, or the part needs more than the item itself
   */
  readonly select: (call: AnyCall, session: Session, values: PlaceholderValues) => Promise<PlaceholderValues>
}

/** @param searched the properties that `$search` searches */
export function handledSelection(
  scope: Scope,
  searched: readonly string[],
  { store, handled }: HandlerContext,
): HandledSelection | undefined {
  const { functions } = store.table
  if (functions === undefined || handled === undefined) return undefined
  const isNeeded = ({ filter, apply }: QueryOptions): boolean =>
    filter !== undefined && apply === undefined && callsHandler(filter, functions)
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
    scope: {
      ...scope,
      where: alias => {
        const ids = dialect.listValues(new Placeholder(idsPlaceholder), 'integer')
        return allOf([scope.where(alias), sql`${sql.id(alias, idColumn)} IN (${ids})`])
      },
    },
    storedOptions: options => {
      const { filter, ...rest } = options
      const { stored } = split(filter, functions)
      return stored === undefined ? rest : { ...rest, filter: stored }
    },
    select: async (call, session, values) => {
      const { handled: part } = split(call.query.filter, functions)
      requireOwnProperties(part, scope, call.query.aliases ?? {})
      const ids = await selectedIds(planOf(call), part, { call, session, values, store, handled })
      return mergeValues(values, { [idsPlaceholder]: dialect.encodeList(ids) })
    },
  }
}

interface Selecting {
  readonly call: AnyCall
  readonly session: Session
  readonly values: PlaceholderValues
  readonly store: Store
  readonly handled: HandledFunctions
}

async function selectedIds(
  plan: CollectionPlan,
  filter: Expression,
  { call, session, values, store, handled }: Selecting,
): Promise<readonly ItemId[]> {
  const { types, functions } = store.table
  const { handlers, items: limit } = handled
  const ids: ItemId[] = []
  let after: readonly unknown[] | undefined
  let read = 0
  do {
    const page = await plan.page(session, values, { after, skip: 0, limit: itemsPerRead, bytes: undefined })
    read += page.items.length
    if (read > limit || (read === limit && page.last !== undefined)) throw tooManyItems(limit)
    for (const { id, entity, type } of page.items) {
      const options = { types, functions, handlers, type: type.name, aliases: call.query.aliases, now: store.now }
      if (isMatch(filter, entity, options)) ids.push(id)
    }
    after = page.last
  } while (after !== undefined)
  return ids
}

function isMatch(filter: Expression, entity: object, options: Parameters<typeof evaluateFilter>[2]): boolean {
  try {
    return evaluateFilter(filter, entity, options)
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
    throw unsupported(error.message)
  }
}

function unsupported(reason: string): RequestFault {
  return new RequestFault('unsupportedQueryOption', {
    target: '$filter',
    values: { option: '$filter', reason },
  })
}

function tooManyItems(limit: number): RequestFault {
  return unsupported(
    `It calls a function that the service computes item by item, for more items than the limit functionItems, which is ${limit}. Filter by a property as well, with 'and'.`,
  )
}

/** Whether the filter of a query calls a function that has no definition. */
export function callsHandlers({ filter }: QueryOptions, functions: ServiceFunctions | undefined): boolean {
  return filter !== undefined && functions !== undefined && callsHandler(filter, functions)
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
): void {
  if (expression.kind === 'path' && !isOwnPath(expression, scope)) {
    throw unsupported(
      "It combines a function that the service computes item by item with a relation, a cast, a computed property or a lambda variable. Separate them with 'and'.",
    )
  }
  const value =
    expression.kind === 'alias' && Object.hasOwn(aliases, expression.name) ? aliases[expression.name] : undefined
  const parts = value === undefined ? childExpressions(expression) : [value]
  for (const part of parts) requireOwnProperties(part, scope, aliases)
}

function isOwnPath({ root, segments: [first] }: PathExpression, { type: { properties } }: Scope): boolean {
  if (root !== undefined && root.kind !== 'it') return false
  return (
    first?.kind === 'function' || (first?.kind === 'property' && properties.some(({ name }) => name === first.name))
  )
}
