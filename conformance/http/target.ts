/** Where requests go: a live address, or a function in the same process. */
export interface Target {
  /** The address of the service's root, without a slash at the end. */
  readonly root: string
  readonly origin: string
  /** Answers one request. Rejects when there is no connection. */
  readonly fetch: (request: Request) => Promise<Response>
}

/** An address for services that have none; never looked up. */
const inProcess = 'http://service.invalid'

/**
 * @param target the address of the root, or a function
 * @param version the path segment that a function's root gets
 * @throws {TypeError} when the address is none of HTTP
 */
export function targetOf(target: string | URL | ((request: Request) => Promise<Response>), version: string): Target {
  if (typeof target === 'function') {
    return { root: `${inProcess}/${encodeURIComponent(version)}`, origin: inProcess, fetch: target }
  }
  const url = addressOf(target)
  const root = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  return { root, origin: url.origin, fetch: request => fetch(request) }
}

function addressOf(target: string | URL): URL {
  const wanted = 'Give the address of its root with the version, such as http://localhost:8080/v1.0.'
  if (!URL.canParse(String(target))) throw new TypeError(`"${target}" is no address of a service. ${wanted}`)
  const url = new URL(target)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`"${target}" is no address of HTTP. ${wanted}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The address holds a credential. Give a token instead, so that it shows in no report.')
  }
  return url
}
