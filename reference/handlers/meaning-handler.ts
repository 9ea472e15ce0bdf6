import type { AnyHandler, Route } from '../../runtime/server/index.js'
import type { CallEndpoint, Meaning, Operation } from '../../spec/language/index.js'
import type { ParameterType } from '../store/filter/frame.js'
import { geoTraits } from '../store/filter/geo-operand.js'
import { collectionPlan } from '../store/read/collection-plan.js'
import { closureScope, targetScope } from '../store/read/meaning-scope.js'
import type { QueryContext } from '../store/read/query-frame.js'
import type { Scope } from '../store/read/scope.js'
import { storedType } from '../store/schema/storage.js'
import { type HandlerContext, slotValues } from './handler-context.js'
import { parentCheck } from './parent-check.js'
import { planCache } from './plan-cache.js'
import { readAnswer } from './read-answer.js'
import { readPage } from './read-page.js'
import { refusalOf } from './refuse.js'

/**
 * Answers an operation that its spec tells as a query: over the targets of a relation of the item it is bound to, followed
 * to its end where it is transitive.
 */
export function meaningHandler(
  route: Route,
  binding: Scope,
  { operation }: Pick<CallEndpoint, 'operation'>,
  meaning: Meaning,
  { store, sealer }: HandlerContext,
): AnyHandler {
  const scope = meaning.transitive ? closureScope(binding, meaning.of, store) : targetScope(binding, meaning.of, store)
  const parameters = new Map(operation.parameters.map(parameter => [parameter.name, parameterType(parameter)]))
  const planOf = planCache((options, moving) => {
    const expandDepth = route.query?.expand.maxDepth ?? 1
    const context: QueryContext = { aliases: options.aliases ?? {}, parameters, moving, expandDepth }
    const select = meaning.value === undefined ? options.select : [{ path: [meaning.value.name] }]
    const needs = {
      options: select === undefined ? options : { ...options, select },
      context,
      searched: route.query?.search.properties ?? [],
      filter: meaning.filter,
      orderby: meaning.orderby,
    }
    return collectionPlan(scope, needs, store)
  })
  const hasBinding = parentCheck(scope, store)
  const isSingle = operation.returns?.collection !== true
  return call => {
    const plan = planOf(call)
    const values = slotValues(call, store)
    return readAnswer(store, async session => {
      const page = await readPage(call, { plan, session, values, sealer })
      if (page.length === 0 && !(await hasBinding(session, values))) {
        throw refusalOf('itemNotFound', call, store.table)
      }
      const given = { ...page, value: page.value.map(entity => answered(entity, meaning)) }
      return isSingle ? (given.value[0] ?? null) : given
    })
  }
}

function answered(entity: Readonly<Record<string, unknown>>, { value }: Meaning): unknown {
  return value === undefined ? entity : entity[value.name]
}

function parameterType({ type, collection, srid }: Operation['parameters'][number]): ParameterType {
  const stored = storedType(type)
  const geo = collection ? undefined : geoTraits(type, srid)
  return geo === undefined ? { type: stored, collection } : { type: stored, collection, geo }
}
