/** The parts of a request target. */
export interface SplitTarget {
  /** Still percent-encoded. */
  readonly path: string
  /** After `?`, still percent-encoded; empty without one. */
  readonly query: string
}

/** Dot segments, in any of their spellings, and backslashes, which URL parsers take for slashes. */
const unusual = /\/(?:\.|%2e)|[\\#]/i

/**
 * Splits a request target at its first `?` and resolves dot segments, which a server may get from a client that does not.
 *
 * @see RFC 3986, 5.2.4
 */
export function splitTarget(target: string): SplitTarget {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark + 1)
  if (!unusual.test(path)) return { path, query }
  const address = `http://service${path}`
  return URL.canParse(address) ? { path: new URL(address).pathname, query } : { path, query }
}

/**
 * The segments of a path below the service root, each percent-decoded once; undefined when the encoding is broken. A
 * slash at the end is let through.
 *
 * @see OData URL Conventions 4.01, 2 (split first, decode afterwards)
 */
export function splitPath(path: string): readonly string[] | undefined {
  const end = path.endsWith('/') ? path.length - 1 : path.length
  const segments = path.slice(path.startsWith('/') ? 1 : 0, end).split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}
