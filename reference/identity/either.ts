import type { Authenticate } from '../../runtime/server/index.js'

/** Takes a credential that any of several takes, asked one after the other. */
export function either(ways: readonly Authenticate[]): Authenticate {
  return async request => {
    for (const way of ways) {
      const principal = await way(request)
      if (principal !== undefined) return principal
    }
    return undefined
  }
}
