import {
  type ApplyOptions,
  type ExpandItem,
  isSubtype,
  type QueryOptions,
  type TypeTable,
} from '../../runtime/query/index.js'
import {
  type AnyCall,
  type ListResult,
  listRows,
  type RelationRead,
  type RequestFault,
  relationsRead,
} from '../../runtime/server/index.js'
import {
  type CollectionPlan,
  collectionPlan,
  decoderFor,
  type ItemId,
  isObject,
  type LiteralPlaceholders,
  type Page,
  type PlaceholderValues,
  queryContext,
  responseLimits,
  type Scope,
  type Session,
} from '../../sql/index.js'
import type { Store } from '../store/store.js'
import { callsHandler, splitFilter } from './handled-calls.js'
import { amongItems, itemsPerRead, tooManyItems } from './handled-selection.js'
import type { HandlerContext } from './handler-context.js'
import { planCache } from './query-shape.js'

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
    const { stored } = isInAlias ? { stored: undefined } : splitFilter(filter, functions, computed)
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
