import type { AnyHandler, HandlerLookup } from './handler.js'
import { createPlanner, type Planner } from './query/create-planner.js'
import { type ContextFragment, contextFragmentOf } from './response/context-url.js'
import type { PreferenceInfo, Route, ServiceTable } from './service-table.js'

/** A route with all that can be prepared before its first request. */
export interface CompiledRoute {
  readonly route: Route
  /** Undefined: not written yet. */
  readonly handler: AnyHandler | undefined
  /** What the route calls the keys of its path, in order. */
  readonly variables: readonly string[]
  readonly plan: Planner
  readonly preferences: readonly PreferenceInfo[]
  readonly context: ContextFragment
}

/** Prepares a route. */
export function compileRoute(route: Route, table: ServiceTable, handlerOf: HandlerLookup): CompiledRoute {
  return {
    route,
    handler: handlerOf(route),
    variables: route.segments.flatMap(segment => (segment.kind === 'key' ? segment.keys.map(key => key.variable) : [])),
    plan: createPlanner(route, table),
    preferences: route.preferences.flatMap((name): PreferenceInfo | readonly [] =>
      Object.hasOwn(table.preferences, name) ? (table.preferences[name] ?? []) : [],
    ),
    context: contextFragmentOf(route, table),
  }
}
