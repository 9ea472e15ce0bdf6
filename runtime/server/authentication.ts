import { Failure, RequestFault } from './errors.js'
import type { Principal } from './handler.js'
import type { RequestHead } from './http/message.js'
import type { Authenticate } from './service-options.js'
import type { ServiceTable } from './service-table.js'

const anonymousPrincipal: Principal = { id: '', scopes: [] }

/** Returns the function that identifies the caller. It returns a promise only if the hook does. */
export function authenticator(
  table: ServiceTable,
  authenticate: Authenticate | undefined,
): (head: RequestHead) => Principal | Promise<Principal> {
  const { scheme, missing } = table.authentication
  if (scheme === 'none') {
    const known = (principal: Principal | undefined): Principal => principal ?? anonymousPrincipal
    return head => whenResolved(authenticate?.(head), known)
  }
  if (authenticate === undefined || missing === undefined) {
    throw new TypeError(
      `The service ${table.name} needs the option authenticate, and the error of a missing credential.`,
    )
  }
  return head =>
    whenResolved(authenticate(head), principal => {
      if (principal === undefined)
        throw new Failure(missing, { headers: { 'www-authenticate': challenge(table, head) } })
      return principal
    })
}

function whenResolved<In, Out>(value: In | Promise<In>, then: (value: In) => Out): Out | Promise<Out> {
  return value instanceof Promise ? value.then(then) : then(value)
}

/** @see RFC 6750, 3 */
function challenge(table: ServiceTable, head: RequestHead): string {
  const realm = `Bearer realm="${table.name}"`
  return head.headers.get('authorization') === null ? realm : `${realm}, error="invalid_token"`
}

/**
 * Rejects a caller whose credential has none of the scopes, if there are any.
 *
 * @see RFC 6750, 3.1 (insufficient_scope)
 */
export function requireScopes(principal: Principal, scopes: readonly string[], table: ServiceTable): void {
  if (table.authentication.scheme === 'none' || scopes.length === 0) return
  if (scopes.some(scope => principal.scopes.includes(scope))) return
  const challenge = `Bearer realm="${table.name}", error="insufficient_scope", scope="${scopes.join(' ')}"`
  const given = { headers: { 'www-authenticate': challenge }, values: { scopes: scopes.join(' ') } }
  const error = table.authentication.insufficient
  throw error === undefined ? new RequestFault('pathNotFound', given) : new Failure(error, given)
}
