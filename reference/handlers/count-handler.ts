import type { AnyHandler, Route } from '../../runtime/server/index.js'
import { collectionPlan } from '../store/read/collection-plan.js'
import { contextOf } from '../store/read/query-frame.js'
import type { Scope } from '../store/read/scope.js'
import { type HandlerContext, slotValues } from './handler-context.js'
import { parentCheck } from './parent-check.js'
import { planCache } from './plan-cache.js'
import { readAnswer } from './read-answer.js'
import { refusalOf } from './refuse.js'

/** Answers how many items there are. */
export function countHandler(route: Route, scope: Scope, { store }: HandlerContext): AnyHandler {
  const searched = route.query?.search.properties ?? []
  const planOf = planCache((options, moving) =>
    collectionPlan(scope, { options, context: contextOf(options.aliases, moving), searched }, store),
  )
  const hasParent = parentCheck(scope, store)
  return call => {
    const plan = planOf(call)
    const values = slotValues(call, store)
    return readAnswer(store, async session => {
      const count = await plan.count(session, values)
      if (count === 0 && !(await hasParent(session, values))) throw refusalOf('itemNotFound', call, store.table)
      return count
    })
  }
}
