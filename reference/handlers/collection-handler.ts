import type { AnyHandler, Route } from '../../runtime/server/index.js'
import { projectionRules } from '../../runtime/server/response/projection-rules.js'
import { shownProperties } from '../../runtime/server/response/shown-properties.js'
import { structuredType } from '../../runtime/server/response/structured-type.js'
import type { Session } from '../store/engine/engine.js'
import { collectionPlan } from '../store/read/collection-plan.js'
import { contextOf } from '../store/read/query-frame.js'
import type { Scope } from '../store/read/scope.js'
import { contentAdapters } from './content-preference.js'
import { type HandlerContext, slotValues } from './handler-context.js'
import { parentCheck } from './parent-check.js'
import { planCache } from './plan-cache.js'
import { readAnswer } from './read-answer.js'
import { readPage, readTextPage } from './read-page.js'
import { refusalOf } from './refuse.js'

/** Answers a collection: filtered, searched, ordered, expanded, counted and page by page, all of it in SQL. */
export function collectionHandler(route: Route, scope: Scope, { store, sealer }: HandlerContext): AnyHandler {
  const { types, choices } = store.table
  const searched = route.query?.search.properties ?? []
  const type = structuredType(types, route.type ?? '')
  const rules = projectionRules(choices, false)
  const planOf = planCache((options, moving) => {
    const context = contextOf(options.aliases, moving, route.query?.expand.maxDepth)
    const shown = type === undefined ? undefined : shownProperties(options, type, rules)
    return collectionPlan(scope, { options, context, searched, shown }, store)
  })
  const hasParent = parentCheck(scope, store)
  const adapterFor = contentAdapters(route, scope.type, store)
  return call => {
    const plan = planOf(call)
    const values = slotValues(call, store)
    const adapt = adapterFor(call.prefer)
    const requireParent = async (session: Session): Promise<void> => {
      if (!(await hasParent(session, values))) throw refusalOf('itemNotFound', call, store.table)
    }
    return readAnswer(store, async session => {
      const source = { plan, session, values, sealer }
      if (adapt === undefined && plan.text !== undefined) {
        const page = await readTextPage(call, source, plan.text)
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
