import { Failure } from './failure.js'
import type { Principal } from './principal.js'
import { RequestFault } from './request-fault.js'
import type { Route, ServiceTable } from './service-table.js'

/**
 * Refuses a caller whose credential has none of the scopes that let it in.
 *
 * @see RFC 6750, 3.1 (insufficient_scope)
 */
export function requireScopes(principal: Principal, route: Route, table: ServiceTable): void {
  if (table.authentication.scheme === 'none' || route.scopes.length === 0) return
  if (route.scopes.some(scope => principal.scopes.includes(scope))) return
  const challenge = `Bearer realm="${table.name}", error="insufficient_scope", scope="${route.scopes.join(' ')}"`
  const given = { headers: { 'www-authenticate': challenge }, values: { scopes: route.scopes.join(' ') } }
  const error = table.authentication.insufficient
  throw error === undefined ? new RequestFault('pathNotFound', given) : new Failure(error, given)
}
