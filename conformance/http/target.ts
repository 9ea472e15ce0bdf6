import { OptionsError } from '../options.js'
import { inProcessSender, networkSender, type Sender } from './sender.js'

/** Where requests go: a live address, or a function in the same process. */
export interface Target {
  /** The address of the service's root, without a slash at the end. */
  readonly root: string
  readonly origin: string
  readonly send: Sender
}

/** An address for services that have none; never looked up. */
const inProcessOrigin = 'http://service.invalid'

/**
 * @param target the address of the root, or a function
 * @param version the path segment that a function's root gets
 * @throws {OptionsError} when the address is none of HTTP, or holds more than scheme, host and path
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
  const wanted = 'Give the address of its root with the version, such as http://localhost:8080/v1.0.'
  if (!URL.canParse(String(target))) throw new OptionsError(`"${target}" is no address of a service. ${wanted}`)
  const url = new URL(target)
  const { protocol } = url
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new OptionsError(`"${target}" is no address of HTTP. ${wanted}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new OptionsError('The address holds a credential. Give a token instead, so that it shows in no report.')
  }
  // What it says is not repeated: keys of an API stand in queries.
  if (url.search !== '' || url.hash !== '') {
    throw new OptionsError(
      `The address holds a ${url.search === '' ? 'fragment ("#…")' : 'query ("?…")'}, and requests have queries of their own. Leave it out; what the service needs with each request, give as a header.`,
    )
  }
  return { url, protocol }
}
