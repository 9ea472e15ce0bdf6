import type { AnyHandler, Route } from '../../runtime/server/index.js'
import { collectionPlan } from '../store/read/collection-plan.js'
import { contextOf } from '../store/read/query-frame.js'
import type { Scope } from '../store/read/scope.js'
import { contentAdapters } from './content-preference.js'
import { type HandlerContext, slotValues } from './handler-context.js'
import { parentCheck } from './parent-check.js'
import { planCache } from './plan-cache.js'
import { readAnswer } from './read-answer.js'
import { refusalOf } from './refuse.js'

const all = { after: undefined, skip: 0, limit: undefined }

/** Answers one item; null where a path leads to none, which the core answers as the route says. */
export function itemHandler(route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const planOf = planCache((options, moving) => {
    return collectionPlan(
      scope,
      { options, context: contextOf(options.aliases, moving, route.query?.expand.maxDepth), searched: [] },
      store,
    )
  })
  const hasParent = parentCheck(scope, store)
  const adapterFor = contentAdapters(route, scope.type, store)
  return call => {
    const plan = planOf(call)
    const values = slotValues(call, store)
    return readAnswer(store, async session => {
      const { items } = await plan.page(session, values, all)
      const entity = items[0]?.entity ?? null
      // An item that is not there has no relation that could be empty.
      if (entity === null && route.absent === 204 && !(await hasParent(session, values))) {
        throw refusalOf('itemNotFound', call, store.table)
      }
      if (entity !== null) adapterFor(call.prefer)?.(entity)
      return entity
    })
  }
}
