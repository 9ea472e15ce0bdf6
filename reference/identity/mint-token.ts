import type { Principal } from '../../runtime/server/index.js'

/**
 * Makes a token for local work that `jsonWebTokens` takes with the same secret.
 *
 * @param lifetime in seconds
 * @param now milliseconds since 1970
 */
export async function mintToken(principal: Principal, secret: string, lifetime: number, now: number): Promise<string> {
  const { SignJWT } = await import('jose')
  const issued = Math.floor(now / 1000)
  return new SignJWT({ scp: principal.scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(principal.id)
    .setIssuedAt(issued)
    .setExpirationTime(issued + lifetime)
    .sign(new TextEncoder().encode(secret))
}
