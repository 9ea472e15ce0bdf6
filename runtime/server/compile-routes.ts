import { type CompiledRoute, compileRoute } from './compiled-route.js'
import type { HandlerLookup } from './handler.js'
import { createRouter, type Router } from './path/router.js'
import type { ServiceTable } from './service-table.js'

/** Prepares all routes of a service. */
export function compileRoutes(table: ServiceTable, handlerOf: HandlerLookup): Router<CompiledRoute> {
  const router = createRouter<CompiledRoute>(table.namespace)
  for (const route of table.routes) router.add(route.segments, route.method, compileRoute(route, table, handlerOf))
  return router
}

/** The methods of a resource, for `Allow`. @see RFC 9110, 10.2.1 */
export function allowedMethods(methods: Iterable<string>): string {
  const allowed: string[] = []
  for (const method of methods) allowed.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...allowed, 'OPTIONS'].join(', ')
}
