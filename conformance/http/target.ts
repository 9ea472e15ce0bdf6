import { OptionsError } from '../options.js'
import { inProcessSender, networkSender, type Sender } from './sender.js'

/** Where requests go: a URL, or a function in the same process. */
export interface Target {
  /** The address of the service root, without a trailing slash. */
  readonly root: string
  readonly origin: string
  readonly send: Sender
}

/** A placeholder for services without an address; never resolved. */
const inProcessOrigin = 'http://service.invalid'

/**
 * @param target the address of the root, or a function
 * @param version the path segment of the root, for a function
 * @throws {OptionsError} if the address is not an HTTP URL or has more than scheme, host and path
 */
export function openTarget(target: string | URL | ((request: Request) => Promise<Response>), version: string): Target {
  if (typeof target === 'function') {
    return {
      root: `${inProcessOrigin}/${encodeURIComponent(version)}`,
      origin: inProcessOrigin,
      send: inProcessSender(target),
    }
  }
  const { url, protocol } = parseTargetUrl(target)
  const root = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  return { root, origin: url.origin, send: networkSender(protocol) }
}

function parseTargetUrl(target: string | URL): { readonly url: URL; readonly protocol: 'http:' | 'https:' } {
  const advice = 'Give the address of the service root including the version, such as http://localhost:8080/v1.0.'
  if (!URL.canParse(String(target))) throw new OptionsError(`"${target}" is not a valid address. ${advice}`)
  const url = new URL(target)
  const { protocol } = url
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new OptionsError(`"${target}" is not an HTTP address. ${advice}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new OptionsError('The address contains a credential. Use a token instead, so that reports do not show it.')
  }
  // The message does not repeat the query: it may hold an API key.
  if (url.search !== '' || url.hash !== '') {
    throw new OptionsError(
      `The address contains a ${url.search === '' ? 'fragment ("#…")' : 'query ("?…")'}, but requests have their own query. Remove it. If the service needs a parameter with each request, give it as a header.`,
    )
  }
  return { url, protocol }
}
