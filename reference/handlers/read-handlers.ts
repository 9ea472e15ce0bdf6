import {
  type AnyHandler,
  omitsKeys,
  projectionRules,
  type Route,
  returnedProperties,
  structuredType,
} from '../../runtime/server/index.js'
import type { CallEndpoint, Meaning, Operation } from '../../spec/language/index.js'
import type { ParameterType, Session } from '../../sql/index.js'
import {
  collectionPlan,
  geoTraits,
  type QueryContext,
  queryContext,
  relatedScope,
  responseLimits,
  type Scope,
  storedType,
  transitiveScope,
} from '../../sql/index.js'
import { contentAdapters } from './content-preference.js'
import { type HandlerContext, parentCheck, placeholderValues } from './handler-context.js'
import { planCache } from './plan-cache.js'
import { readJsonPage, readPage } from './read-page.js'
import { faultOf, runRead } from './request-faults.js'

/** Answers with a collection. SQL does the filtering, search, ordering, expansion, counting and paging. */
export function collectionHandler(route: Route, scope: Scope, { store, signer }: HandlerContext): AnyHandler {
  const { types, choices } = store.table
  const searched = route.query?.search.properties ?? []
  const bytes = responseLimits(store.table).responseBytes
  const type = structuredType(types, route.type ?? '')
  const rules = projectionRules(choices, false)
  const planOf = planCache((options, placeholders) => {
    const context = queryContext(options.aliases, placeholders, route.query?.expand.maxDepth)
    const isWhole = type !== undefined && !omitsKeys(options, route.type ?? '', types, rules)
    // Without its key, an item has an id, which the engine does not write.
    // Nor does the engine write what a response says about streams.
    const shown = isWhole && scope.table.streams === undefined ? returnedProperties(options, type, rules) : undefined
    return collectionPlan(scope, { options, context, searchedProperties: searched, shown }, store)
  })
  const hasParent = parentCheck(scope, store)
  const adapterFor = contentAdapters(route, scope.type, store)
  return call => {
    const plan = planOf(call)
    const values = placeholderValues(call, store)
    const adapt = adapterFor(call.prefer)
    const requireParent = async (session: Session): Promise<void> => {
      if (!(await hasParent(session, values))) throw faultOf('itemNotFound', call, store.table)
    }
    return runRead(store, async session => {
      const source = { plan, session, values, signer, bytes }
      if (adapt === undefined && plan.json !== undefined) {
        const page = await readJsonPage(call, source, plan.json)
        if (page.length === 0) await requireParent(session)
        return page
      }
      const page = await readPage(call, source)
      if (page.length === 0) await requireParent(session)
      if (adapt !== undefined) page.value.forEach(adapt)
      return page
    })
  }
}

const all = { after: undefined, skip: 0, limit: undefined, bytes: undefined }

/** Answers with one item, or null if the path leads to none; the server core then answers as the route says. */
export function itemHandler(route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
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
  return call => {
    const plan = planOf(call)
    const values = placeholderValues(call, store)
    return runRead(store, async session => {
      const { items } = await plan.page(session, values, all)
      const entity = items[0]?.entity ?? null
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
export function countHandler(route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const searched = route.query?.search.properties ?? []
  const planOf = planCache((options, placeholders) =>
    collectionPlan(
      scope,
      { options, context: queryContext(options.aliases, placeholders), searchedProperties: searched },
      store,
    ),
  )
  const hasParent = parentCheck(scope, store)
  return call => {
    const plan = planOf(call)
    const values = placeholderValues(call, store)
    return runRead(store, async session => {
      const count = await plan.count(session, values)
      if (count === 0 && !(await hasParent(session, values))) throw faultOf('itemNotFound', call, store.table)
      return count
    })
  }
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
      const page = await readPage(call, { plan, session, values, signer, bytes })
      if (page.length === 0 && !(await hasBinding(session, values))) {
        throw faultOf('itemNotFound', call, store.table)
      }
      const given = { ...page, value: page.value.map(entity => resultValue(entity, meaning)) }
      return isSingle ? (given.value[0] ?? null) : given
    })
  }
}

function resultValue(entity: Readonly<Record<string, unknown>>, { value }: Meaning): unknown {
  return value === undefined ? entity : entity[value.name]
}

function parameterType({ type, collection, srid }: Operation['parameters'][number]): ParameterType {
  const stored = storedType(type)
  const geo = collection ? undefined : geoTraits(type, srid)
  return geo === undefined ? { type: stored, collection } : { type: stored, collection, geo }
}
