import type { TransformationParts } from '../query/index.js'
import type { AnyHandler, HandlerLookup, Principal } from './handler.js'
import type { Representation } from './http/content-negotiation.js'
import type { ServerRequest } from './http/message.js'
import type { Precondition } from './http/preconditions.js'
import type { Preferences } from './http/preferences.js'
import type { QueryFunctions } from './list-rows.js'
import { createPlanner, type Planner } from './planning/planner.js'
import type { QueryPlan } from './planning/related-scopes.js'
import { type ContextFragment, contextFragmentOf } from './response/context-url.js'
import type { PreferenceInfo, Route, ServiceTable } from './service-table.js'

/** A request that has passed all checks. */
export interface Exchange {
  readonly table: ServiceTable
  readonly request: ServerRequest
  readonly compiled: CompiledRoute
  readonly principal: Principal
  /** The public URL of the service root, `https://example.com/v1.0`. */
  readonly serviceUrl: string
  /** The path below the root, percent-encoded, `/users/1`. */
  readonly path: string
  readonly keys: Readonly<Record<string, unknown>>
  readonly plan: QueryPlan
  readonly preferences: Preferences
  readonly precondition: Precondition
  readonly representation: Representation
  /** Headers of every response. Each response adds its own. */
  readonly headers: Readonly<Record<string, string>>
}

/** A route with everything that can be prepared before its first request. */
export interface CompiledRoute {
  readonly route: Route
  /** Undefined if the service has no handler for the route: it responds with 501. */
  readonly handler: AnyHandler | undefined
  /** The names of the keys in the path, in order. */
  readonly variables: readonly string[]
  readonly plan: Planner
  readonly preferences: readonly PreferenceInfo[]
  readonly context: ContextFragment
  /** How handlers evaluate the functions of the service in queries. Undefined: it has none. */
  readonly functions: QueryFunctions | undefined
}

export function compileRoute(
  route: Route,
  table: ServiceTable,
  handlerOf: HandlerLookup,
  transformations?: TransformationParts,
  handlers: QueryFunctions['handlers'] = {},
): CompiledRoute {
  return {
    route,
    handler: handlerOf(route),
    variables: route.segments.flatMap(segment => ('keys' in segment ? segment.keys.map(key => key.variable) : [])),
    plan: createPlanner(route, table, transformations),
    preferences: route.preferences.flatMap((name): PreferenceInfo | readonly [] =>
      Object.hasOwn(table.preferences, name) ? (table.preferences[name] ?? []) : [],
    ),
    context: contextFragmentOf(route, table),
    functions: table.functions === undefined ? undefined : { functions: table.functions, handlers },
  }
}

/** Whether the preference `maxpagesize` applies. Changes come in pages even if the spec declares no query options. */
export function isPaged({ kind, query }: Route): boolean {
  return query !== undefined || kind === 'delta'
}

/** The keys of a path as text, for placeholders such as `{id}` in messages. */
export function keyTexts(keys: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, String(value)]))
}
