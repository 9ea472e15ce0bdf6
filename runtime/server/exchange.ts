import type { CompiledRoute } from './compiled-route.js'
import type { Representation } from './http/accept.js'
import type { Incoming } from './incoming.js'
import type { Precondition } from './precondition.js'
import type { Preferences } from './preferences.js'
import type { Principal } from './principal.js'
import type { QueryPlan } from './query/query-plan.js'
import type { ServiceTable } from './service-table.js'

/** One request that has passed every check, up to its response. */
export interface Exchange {
  readonly table: ServiceTable
  readonly incoming: Incoming
  readonly compiled: CompiledRoute
  readonly principal: Principal
  /** Address of the service's root as callers know it, `https://example.com/v1.0`. */
  readonly serviceUrl: string
  /** The path below the root as it was sent, `/users/1`. */
  readonly path: string
  readonly keys: Readonly<Record<string, unknown>>
  readonly plan: QueryPlan
  readonly preferences: Preferences
  readonly precondition: Precondition
  readonly representation: Representation
  /** Headers that every response carries; each response adds its own. */
  readonly headers: Readonly<Record<string, string>>
}
