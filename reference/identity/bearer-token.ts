import type { RequestHead } from '../../runtime/server/index.js'

/** No token that anybody issues is longer, and headers of that length are refused by many servers. */
const longestToken = 16_384

const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * The bearer token of a request; undefined when it has none.
 *
 * @see RFC 6750, 2.1
 */
export function bearerToken({ headers }: RequestHead): string | undefined {
  const authorization = headers.get('authorization')
  if (authorization === null || authorization.length > longestToken) return undefined
  return credentials.exec(authorization)?.[1]
}
