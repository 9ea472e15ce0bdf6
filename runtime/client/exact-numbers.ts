import type { Interceptor } from './connection.js'

const compatible = 'application/json;IEEE754Compatible=true'

/**
 * Requests Int64 and Decimal as strings, and says that the bodies of requests have them as strings, so that no digit is
 * lost. Counts stay numbers.
 *
 * @see OData JSON Format 4.01, 3.2 (IEEE754Compatible)
 */
export const exactNumbers: Interceptor = next => async (url, request) => {
  for (const name of ['accept', 'content-type']) {
    if (request.headers.get(name) === 'application/json') request.headers.set(name, compatible)
  }
  const response = await next(url, request)
  if (!/json/.test(response.headers.get('content-type') ?? '')) return response
  const text = (await response.text()).replace(/("(?:[^"\\]|\\.)*@odata\.count":)"(\d+)"/g, '$1$2')
  const { status, statusText, headers } = response
  return new Response(text || null, { status, statusText, headers })
}
