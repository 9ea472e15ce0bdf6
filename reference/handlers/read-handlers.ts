import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import {
  type AnyCall,
  type AnyHandler,
  JsonText,
  type ListResult,
  omitsKeys,
  projectionRules,
  type Route,
  returnedProperties,
  structuredType,
} from '../../runtime/server/index.js'
import type { CallEndpoint, Meaning, Operation } from '../../spec/language/index.js'
import {
  type CollectionPlan,
  collectionPlan,
  geoTraits,
  type ItemId,
  type JsonPage,
  type LiteralPlaceholders,
  type MaybePromise,
  type PageRequest,
  type ParameterType,
  type PlaceholderValues,
  type QueryContext,
  queryContext,
  relatedScope,
  responseLimits,
  type Scope,
  type Session,
  storedType,
  transitiveScope,
  valueReader,
} from '../../sql/index.js'
import type { Store } from '../store/store.js'
import { contentAdapters } from './content-preference.js'
import { pageStart, pageToken, type TokenSigner } from './continuation-token.js'
import { expansionLinks } from './expansion-links.js'
import { strategyOf } from './handled-calls.js'
import { handledReading } from './handled-reading.js'
import { type HandledSelection, handledSelection } from './handled-selection.js'
import { type HandlerContext, parentCheck, placeholderValues } from './handler-context.js'
import { planCache } from './query-shape.js'
import { faultOf, runRead } from './request-faults.js'

/** Answers with a collection. SQL does the filtering, search, ordering, expansion, counting and paging. */
export function collectionHandler(route: Route, scope: Scope, handlerContext: HandlerContext): AnyHandler {
  const { store, signer } = handlerContext
  const { types, choices } = store.table
  const searched = route.query?.search.properties ?? []
  const bytes = responseLimits(store.table).responseBytes
  const type = structuredType(types, route.type ?? '')
  const rules = projectionRules(choices, false)
  const planFor = (within: Scope, options: QueryOptions, placeholders: LiteralPlaceholders): CollectionPlan => {
    const context = queryContext(options.aliases, placeholders, route.query?.expand.maxDepth)
    const isWhole = type !== undefined && !omitsKeys(options, route.type ?? '', types, rules)
    // Without its key, an item has an id, which the engine does not write.
    // Nor does the engine write what a response says about streams.
    const shown = isWhole && scope.table.streams === undefined ? returnedProperties(options, type, rules) : undefined
    return collectionPlan(within, { options, context, searchedProperties: searched, shown }, store)
  }
  const planOf = selectingPlans(scope, searched, planFor, handlerContext)
  const hasParent = parentCheck(scope, store)
  const adapterFor = contentAdapters(route, scope.type, store)
  const reading = handledReading(scope, searched, route.query?.expand.maxDepth, handlerContext)
  const findPage = planCache((options, placeholders) => {
    const finding = reading?.findingOptions(options) ?? options
    const context = queryContext(options.aliases, placeholders)
    return collectionPlan(scope, { options: finding, context, searchedProperties: searched }, store)
  })
  return call => {
    const given = placeholderValues(call, store)
    const adapt = adapterFor(call.prefer)
    const by = strategyOf(call.query, scope, handlerContext)
    if (reading !== undefined && (by === 'memory' || by === 'page')) {
      return runRead(store, async session => {
        let page: ListResult<Readonly<Record<string, unknown>>>
        if (by === 'memory') page = await reading.list(call, session, given)
        else {
          const source = { plan: findPage(call), session, values: given, signer, bytes, store }
          const found = await readPageWith(call, source, async request => {
            const { items, last } = await source.plan.page(session, given, request)
            return { value: items.map(({ id }) => id), length: items.length, last }
          })
          page = { ...found, value: await reading.items(call, session, given, found.value) }
        }
        if (page.value.length === 0 && !(await hasParent(session, given)))
          throw faultOf('itemNotFound', call, store.table)
        if (adapt === undefined) return page
        const value = page.value.map(entity => ({ ...entity }))
        value.forEach(adapt)
        return { ...page, value }
      })
    }
    const { plan, selection } = planOf(call)
    const requireParent = async (session: Session): Promise<void> => {
      if (!(await hasParent(session, given))) throw faultOf('itemNotFound', call, store.table)
    }
    return runRead(store, async session => {
      const ids = selection === undefined ? undefined : await selection.select(call, session, given)
      const values = selection === undefined || ids === undefined ? given : selection.valuesOf(given, ids)
      const source = { plan, session, values, signer, bytes, store }
      const isOrdered = selection?.isOrdered(call.query) === true
      if (adapt === undefined && plan.json !== undefined && !isOrdered) {
        const page = await readJsonPage(call, source, plan.json)
        if (page.length === 0) await requireParent(session)
        return page
      }
      const page =
        isOrdered && ids !== undefined
          ? await readOrderedPage(call, source, ids, some => selection.valuesOf(given, some))
          : await readPage(call, source)
      if (page.length === 0) await requireParent(session)
      if (adapt !== undefined) page.value.forEach(adapt)
      return page
    })
  }
}

const all = { after: undefined, skip: 0, limit: undefined, bytes: undefined }

/** Answers with one item, or null if the path leads to none; the server core then answers as the route says. */
export function itemHandler(route: Route, scope: Scope, handlerContext: HandlerContext): AnyHandler {
  const { store, signer } = handlerContext
  const planOf = planCache((options, placeholders) => {
    return collectionPlan(
      scope,
      {
        options,
        context: queryContext(options.aliases, placeholders, route.query?.expand.maxDepth),
        searchedProperties: [],
      },
      store,
    )
  })
  const hasParent = parentCheck(scope, store)
  const adapterFor = contentAdapters(route, scope.type, store)
  const reading = handledReading(scope, [], route.query?.expand.maxDepth, handlerContext)
  return call => {
    const isHandled = reading !== undefined && strategyOf(call.query, scope, handlerContext) !== 'engine'
    const plan = isHandled ? undefined : planOf(call)
    const values = placeholderValues(call, store)
    return runRead(store, async session => {
      const read = async (): Promise<Record<string, unknown> | undefined> => {
        if (plan !== undefined)
          return (await plan.page(session, values, all, expansionLinks(call, store, signer))).items[0]?.entity
        const [row] = (await reading?.list(call, session, values))?.value ?? []
        return row === undefined ? undefined : { ...row }
      }
      const entity = (await read()) ?? null
      // If the parent item does not exist, it has no relation that could be empty.
      if (entity === null && route.absent === 204 && !(await hasParent(session, values))) {
        throw faultOf('itemNotFound', call, store.table)
      }
      if (entity !== null) adapterFor(call.prefer)?.(entity)
      return entity
    })
  }
}

/** Answers with the number of items. */
export function countHandler(route: Route, scope: Scope, handlerContext: HandlerContext): AnyHandler {
  const { store } = handlerContext
  const searched = route.query?.search.properties ?? []
  const planFor = (within: Scope, options: QueryOptions, placeholders: LiteralPlaceholders): CollectionPlan => {
    const context = queryContext(options.aliases, placeholders)
    return collectionPlan(within, { options, context, searchedProperties: searched }, store)
  }
  const planOf = selectingPlans(scope, searched, planFor, handlerContext)
  const hasParent = parentCheck(scope, store)
  const reading = handledReading(scope, searched, undefined, handlerContext)
  return call => {
    const given = placeholderValues(call, store)
    if (reading !== undefined && strategyOf(call.query, scope, handlerContext) === 'memory') {
      return runRead(store, async session => {
        const { count = 0 } = await reading.list(call, session, given)
        if (count === 0 && !(await hasParent(session, given))) throw faultOf('itemNotFound', call, store.table)
        return count
      })
    }
    const { plan, selection } = planOf(call)
    return runRead(store, async session => {
      const values =
        selection === undefined ? given : selection.valuesOf(given, await selection.select(call, session, given))
      const count = await plan.count(session, values)
      if (count === 0 && !(await hasParent(session, values))) throw faultOf('itemNotFound', call, store.table)
      return count
    })
  }
}

/** The plan of a query, and how to select its items first if it calls functions that only handlers compute. */
interface SelectingPlan {
  readonly plan: CollectionPlan
  readonly selection: HandledSelection | undefined
}

function selectingPlans(
  scope: Scope,
  searched: readonly string[],
  planFor: (within: Scope, options: QueryOptions, placeholders: LiteralPlaceholders) => CollectionPlan,
  context: HandlerContext,
): (call: AnyCall) => SelectingPlan {
  const selection = handledSelection(scope, searched, context)
  return planCache((options, placeholders): SelectingPlan => {
    if (selection === undefined || strategyOf(options, scope, context) !== 'selection')
      return { plan: planFor(scope, options, placeholders), selection: undefined }
    const { storedOptions, scope: selected } = selection
    return { plan: planFor(selected, storedOptions(options), placeholders), selection }
  })
}

/**
 * Answers an operation whose spec defines it as a query over the targets of a relation of the bound item. A transitive
 * relation is followed to its end.
 */
export function operationHandler(
  route: Route,
  binding: Scope,
  { operation }: Pick<CallEndpoint, 'operation'>,
  meaning: Meaning,
  { store, signer }: HandlerContext,
): AnyHandler {
  const scope = meaning.transitive
    ? transitiveScope(binding, meaning.of, store)
    : relatedScope(binding, meaning.of, store)
  const parameters = new Map(operation.parameters.map(parameter => [parameter.name, parameterType(parameter)]))
  const planOf = planCache((options, placeholders) => {
    const expandDepth = route.query?.expand.maxDepth ?? 1
    const context: QueryContext = {
      aliases: options.aliases ?? {},
      parameters,
      literalPlaceholders: placeholders,
      expandDepth,
    }
    const select = meaning.value === undefined ? options.select : [{ path: [meaning.value.name] }]
    const needs = {
      options: select === undefined ? options : { ...options, select },
      context,
      searchedProperties: route.query?.search.properties ?? [],
      filter: meaning.filter,
      orderby: meaning.orderby,
    }
    return collectionPlan(scope, needs, store)
  })
  const hasBinding = parentCheck(scope, store)
  const bytes = responseLimits(store.table).responseBytes
  const isSingle = operation.returns?.collection !== true
  return call => {
    const plan = planOf(call)
    const values = placeholderValues(call, store)
    return runRead(store, async session => {
      const page = await readPage(call, { plan, session, values, signer, bytes, store })
      if (page.length === 0 && !(await hasBinding(session, values))) {
        throw faultOf('itemNotFound', call, store.table)
      }
      const given = { ...page, value: page.value.map(entity => resultValue(entity, meaning)) }
      return isSingle ? (given.value[0] ?? null) : given
    })
  }
}

/** Answers a function with the value of its definition, on the item that it is bound to. */
export function definitionHandler(
  binding: Scope | undefined,
  definition: Expression,
  operation: Operation,
  { store }: HandlerContext,
): AnyHandler {
  const parameters = new Map(operation.parameters.map(parameter => [parameter.name, parameterType(parameter)]))
  const context: QueryContext = { ...queryContext({}), parameters }
  if (binding === undefined) {
    const read = valueReader(definition, store, context)
    return call => runRead(store, session => read(session, placeholderValues(call, store)))
  }
  const options = { compute: [{ expression: definition, alias: resultAlias }], select: [{ path: [resultAlias] }] }
  const plan = collectionPlan(binding, { options, context, searchedProperties: [] }, store)
  return call =>
    runRead(store, async session => {
      const { items } = await plan.page(session, placeholderValues(call, store), all)
      const [item] = items
      if (item === undefined) throw faultOf('itemNotFound', call, store.table)
      return item.entity[resultAlias] ?? null
    })
}

const resultAlias = 'value'

function resultValue(entity: Readonly<Record<string, unknown>>, { value }: Meaning): unknown {
  return value === undefined ? entity : entity[value.name]
}

function parameterType({ type, collection, srid }: Operation['parameters'][number]): ParameterType {
  const stored = storedType(type)
  const geo = collection ? undefined : geoTraits(type, srid)
  return geo === undefined ? { type: stored, collection } : { type: stored, collection, geo }
}

/** What a page is read with. */
interface PageSource {
  readonly plan: CollectionPlan
  readonly session: Session
  readonly values: PlaceholderValues
  readonly signer: TokenSigner
  readonly store: Store
  /** The bytes of the items of a page. */
  readonly bytes: number
}

/** A page as handlers return it. */
interface ReadPage<Value> {
  readonly value: Value
  /** The number of items. */
  readonly length: number
  readonly count: number | undefined
  readonly skipToken: string | undefined
}

/** Reads one page of a collection. Writes between two pages neither repeat an item nor hide another one. */
function readPage(call: AnyCall, source: PageSource): Promise<ReadPage<readonly Record<string, unknown>[]>> {
  const { plan, session, values, store, signer } = source
  const linkOf = expansionLinks(call, store, signer)
  return readPageWith(call, source, async request => {
    const { items, last } = await plan.page(session, values, request, linkOf)
    return { value: items.map(item => item.entity), length: items.length, last }
  })
}

/**
 * Reads one page of items in an order that the engine does not know. Its token has the last item and its position: where the
 * item is later, or was if it is gone, the next page begins.
 *
 * @param ids all items, in their order
 * @param valuesOf the values of the placeholders for some of them
 */
async function readOrderedPage(
  call: AnyCall,
  { plan, session, signer, bytes, store }: PageSource,
  ids: readonly ItemId[],
  valuesOf: (ids: readonly ItemId[]) => PlaceholderValues,
): Promise<ReadPage<readonly Record<string, unknown>[]>> {
  const { query, pageSize, limit } = call
  const start = query.skiptoken === undefined ? undefined : pageStart(query.skiptoken, call, signer)
  const left = start === undefined ? limit : start.left
  const first = start === undefined ? (query.skip ?? 0) : positionAfter(start.after, ids)
  const size = Math.min(pageSize ?? Number.POSITIVE_INFINITY, left ?? Number.POSITIVE_INFINITY, ids.length)
  const linkOf = expansionLinks(call, store, signer)
  let chosen = ids.slice(first, first + size)
  let page = await plan.page(session, valuesOf(chosen), { ...all, bytes }, linkOf)
  // The engine ends a page with too many bytes earlier, in its own order.
  while (page.last !== undefined && chosen.length > 1) {
    chosen = chosen.slice(0, Math.ceil(chosen.length / 2))
    page = await plan.page(session, valuesOf(chosen), { ...all, bytes }, linkOf)
  }
  const byId = new Map(page.items.map(({ id, entity }) => [String(id), entity]))
  const value = chosen.map(id => byId.get(String(id))).filter(entity => entity !== undefined)
  const next = first + chosen.length
  const remaining = left === undefined ? undefined : left - chosen.length
  const hasNext = next < ids.length && (remaining === undefined || remaining > 0)
  const last = chosen.at(-1)
  return {
    value,
    length: value.length,
    count: query.count === true ? ids.length : undefined,
    skipToken: hasNext && last !== undefined ? pageToken([String(last), next], remaining, call, signer) : undefined,
  }
}

function positionAfter([last, next]: readonly unknown[], ids: readonly ItemId[]): number {
  const index = ids.findIndex(id => String(id) === last)
  return index >= 0 ? index + 1 : Number(next)
}

/** Reads one page as JSON text, for pages whose items no handler inspects. */
function readJsonPage(
  call: AnyCall,
  source: PageSource,
  read: NonNullable<CollectionPlan['json']>,
): Promise<ReadPage<JsonText>> {
  const { session, values } = source
  return readPageWith(call, source, request => {
    const page = read(session, values, request)
    return page instanceof Promise ? page.then(jsonPage) : jsonPage(page)
  })
}

function jsonPage({ json: text, length, last }: JsonPage): Found<JsonText> {
  return { value: new JsonText(text), length, last }
}

interface Found<Value> {
  readonly value: Value
  readonly length: number
  readonly last: readonly unknown[] | undefined
}

async function readPageWith<Value>(
  call: AnyCall,
  { plan, session, values, signer, bytes }: PageSource,
  read: (request: PageRequest) => MaybePromise<Found<Value>>,
): Promise<ReadPage<Value>> {
  const { query, pageSize, limit } = call
  const start = query.skiptoken === undefined ? undefined : pageStart(query.skiptoken, call, signer)
  const left = start === undefined ? limit : start.left
  const size = Math.min(pageSize ?? Number.POSITIVE_INFINITY, left ?? Number.POSITIVE_INFINITY)
  const reading = read({
    after: start?.after,
    skip: start === undefined ? (query.skip ?? 0) : 0,
    limit: Number.isFinite(size) ? size : undefined,
    bytes,
  })
  // An embedded engine answers synchronously.
  const { value, length, last } = reading instanceof Promise ? await reading : reading
  const count = query.count === true ? await plan.count(session, values) : undefined
  const remaining = left === undefined ? undefined : left - length
  const hasNext = last !== undefined && (remaining === undefined || remaining > 0)
  return { value, length, count, skipToken: hasNext ? pageToken(last, remaining, call, signer) : undefined }
}
