import type { AnyHandler, Route } from '../../runtime/server/index.js'
import { collectionPlan } from '../store/read/collection-plan.js'
import { contextOf } from '../store/read/query-frame.js'
import type { Scope } from '../store/read/scope.js'
import { contentAdapter } from './content-preference.js'
import { type HandlerContext, slotValues } from './handler-context.js'
import { parentCheck } from './parent-check.js'
import { planCache } from './plan-cache.js'
import { readAnswer } from './read-answer.js'
import { readPage } from './read-page.js'
import { refusalOf } from './refuse.js'

/** Answers a collection: filtered, searched, ordered, expanded, counted and page by page, all of it in SQL. */
export function collectionHandler(route: Route, scope: Scope, { store, sealer }: HandlerContext): AnyHandler {
  const searched = route.query?.search.properties ?? []
  const planOf = planCache((options, moving) =>
    collectionPlan(
      scope,
      { options, context: contextOf(options.aliases, moving, route.query?.expand.maxDepth), searched },
      store,
    ),
  )
  const hasParent = parentCheck(scope, store)
  const adapt = contentAdapter(route, scope.type, store)
  return call => {
    const plan = planOf(call)
    const values = slotValues(call, store)
    return readAnswer(store, async session => {
      const page = await readPage(call, plan, session, values, sealer)
      if (page.value.length === 0 && !(await hasParent(session, values))) {
        throw refusalOf('itemNotFound', call, store.table)
      }
      if (adapt !== undefined) for (const entity of page.value) adapt(entity, call.prefer)
      return page
    })
  }
}
