import type { IncomingMessage } from 'node:http'
import { isLoopback } from './page.js'

/** Why the `Host` of a request is refused. */
export type HostProblem = 'missing' | 'invalid' | 'unknown'

/** The number of names to keep the answer for. */
const maxNames = 64

/**
 * Returns the function that checks the `Host` header of a request. HTTP/1.1 requires exactly one, with a valid value. A
 * server that listens on loopback refuses names of other machines: a page in a browser could otherwise read the service
 * through a name that resolves to 127.0.0.1 (DNS rebinding).
 *
 * @param listensOn the host that the server listens on
 * @param known names that the server has besides those of loopback, with or without a port
 * @see RFC 9112, 3.2 (Host); RFC 9110, 7.4 (rejecting misdirected requests)
 */
export function hostCheck(
  listensOn: string,
  known: readonly string[] = [],
): (request: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>) => HostProblem | undefined {
  const names = new Set(known.map(nameOf))
  const answers = new Map<string, HostProblem | undefined>()
  const problemOf = (host: string): HostProblem | undefined => {
    if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return 'invalid'
    const isKnown = !isLoopback(listensOn) || isLoopback(host) || names.has(nameOf(host))
    return isKnown ? undefined : 'unknown'
  }
  return ({ httpVersion, rawHeaders }) => {
    const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && isHostField(rawHeaders[index - 1]))
    const [host, ...others] = hosts
    if (host === undefined) return httpVersion === '1.0' ? undefined : 'missing'
    if (others.length > 0) return 'missing'
    if (answers.has(host)) return answers.get(host)
    const problem = problemOf(host)
    if (answers.size < maxNames) answers.set(host, problem)
    return problem
  }
}

function isHostField(name: string | undefined): boolean {
  return name?.length === 4 && name.toLowerCase() === 'host'
}

/** The name without its port, in lower case. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}
