import { timingSafeEqual } from 'node:crypto'
import type { Authenticate, Principal } from '../../runtime/server/index.js'
import { bearerToken } from './bearer-token.js'

/** Takes one fixed token, which means nothing by itself, for one principal. How long a wrong one takes tells nothing. */
export function opaqueToken(token: string, principal: Principal): Authenticate {
  const expected = Buffer.from(token)
  const bytes = Buffer.alloc(expected.length)
  return request => {
    const given = bearerToken(request)
    if (given === undefined) return undefined
    // As many bytes are compared whatever was given.
    bytes.fill(0).write(given)
    return timingSafeEqual(bytes, expected) && Buffer.byteLength(given) === expected.length ? principal : undefined
  }
}
