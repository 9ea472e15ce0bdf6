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
    // As many bytes are compared whatever was given; a bearer token has one for each character.
    bytes.write(given, 'latin1')
    return timingSafeEqual(bytes, expected) && given.length === expected.length ? principal : undefined
  }
}
