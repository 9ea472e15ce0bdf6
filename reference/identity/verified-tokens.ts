import type { Principal } from '../../runtime/server/index.js'

/** Tokens that were found good a moment ago; checking a signature takes longer than many a query. */
export interface VerifiedTokens {
  readonly get: (token: string) => Principal | undefined
  /** @param expires milliseconds since 1970 */
  readonly add: (token: string, principal: Principal, expires: number) => void
}

/** How long a withdrawn key is still trusted. */
const remembered = 60_000
const most = 1_000

/** @param now milliseconds since 1970 */
export function verifiedTokens(now: () => number): VerifiedTokens {
  const tokens = new Map<string, { readonly principal: Principal; readonly until: number }>()
  return {
    get: token => {
      const found = tokens.get(token)
      if (found === undefined) return undefined
      if (now() < found.until) return found.principal
      tokens.delete(token)
      return undefined
    },
    add: (token, principal, expires) => {
      const [oldest] = tokens.keys()
      if (tokens.size >= most && oldest !== undefined) tokens.delete(oldest)
      tokens.set(token, { principal, until: Math.min(expires, now() + remembered) })
    },
  }
}
