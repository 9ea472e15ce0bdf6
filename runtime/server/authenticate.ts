import { Failure } from './failure.js'
import type { Principal } from './principal.js'
import type { RequestHead } from './request-head.js'
import type { Authenticate } from './service-options.js'
import type { ServiceTable } from './service-table.js'

const nobody: Principal = { id: '', scopes: [] }

/** Makes the check of who calls. The answer is a promise only when the hook's is. */
export function authenticator(
  table: ServiceTable,
  authenticate: Authenticate | undefined,
): (head: RequestHead) => Principal | Promise<Principal> {
  const { scheme, missing } = table.authentication
  if (scheme === 'none') {
    const known = (principal: Principal | undefined): Principal => principal ?? nobody
    return head => later(authenticate?.(head), known)
  }
  if (authenticate === undefined || missing === undefined) {
    throw new TypeError(
      `The service ${table.name} needs the option authenticate, and the error of a missing credential.`,
    )
  }
  return head =>
    later(authenticate(head), principal => {
      if (principal === undefined)
        throw new Failure(missing, { headers: { 'www-authenticate': challenge(table, head) } })
      return principal
    })
}

function later<In, Out>(value: In | Promise<In>, then: (value: In) => Out): Out | Promise<Out> {
  return value instanceof Promise ? value.then(then) : then(value)
}

/** @see RFC 6750, 3 */
function challenge(table: ServiceTable, head: RequestHead): string {
  const realm = `Bearer realm="${table.name}"`
  return head.headers.get('authorization') === null ? realm : `${realm}, error="invalid_token"`
}
