interface SplitTarget {
  /** Still percent-encoded. */
  readonly path: string
  /** The text after `?`, still percent-encoded. Empty if there is no `?`. */
  readonly query: string
}

/** Dot segments in any spelling, and backslashes, which URL parsers treat as slashes. */
const unusual = /\/(?:\.|%2e)|[\\#]/i

/**
 * Splits a request target at the first `?` and resolves dot segments, which some clients do not resolve.
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
 * The segments of a path below the service root, each percent-decoded once. Undefined: the encoding is invalid. A
 * trailing slash is ignored.
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

/** Whether a quote in the parentheses of a segment is not closed. Quotes elsewhere are part of a name or key. */
export function hasOpenQuote(segment: string): boolean {
  const open = segment.indexOf('(')
  return open >= 0 && segment.slice(open).split("'").length % 2 === 0
}

/** The arguments in the parentheses of a path segment: named arguments, or one without a name. */
export interface PathArguments {
  readonly named: ReadonlyMap<string, string>
  readonly single: string | undefined
}

export const noArguments: PathArguments = { named: new Map(), single: undefined }

/** A segment with parentheses, such as `users('x')` or `reminderView(start='a',end=@e)`. */
interface SegmentCall {
  readonly name: string
  readonly arguments: string
}

/** Splits a segment at its parentheses. Undefined: it has none. */
export function parseSegmentCall(segment: string): SegmentCall | undefined {
  if (!segment.endsWith(')')) return undefined
  const open = segment.indexOf('(')
  return open <= 0 ? undefined : { name: segment.slice(0, open), arguments: segment.slice(open + 1, -1) }
}

/**
 * Splits `'x'`, `a='x',b=2` or empty text into arguments. Undefined: it is malformed or repeats a name. The values stay
 * text. Commas and equals signs inside quotes, brackets, braces and parentheses belong to the value.
 *
 * @see OData URL Conventions 4.01, 4.3.1 (keys) and 4.4 (operations)
 */
export function parseCallArguments(text: string): PathArguments | undefined {
  if (text.trim() === '') return noArguments
  const parts = splitArguments(text)
  if (parts === undefined) return undefined
  const named = new Map<string, string>()
  for (const part of parts) {
    const match = namedArgument.exec(part)
    if (match === null) return parts.length === 1 ? { named, single: part.trim() } : undefined
    const [, name = '', value = ''] = match
    if (named.has(name) || value.trim() === '') return undefined
    named.set(name, value.trim())
  }
  return { named, single: undefined }
}

const namedArgument = /^\s*([\p{L}\p{Nl}_][\p{L}\p{N}_]*)\s*=(.*)$/su

function splitArguments(text: string): readonly string[] | undefined {
  const parts: string[] = []
  let start = 0
  let depth = 0
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (quote !== '') {
      if (character === '\\' && quote === '"') index++
      else if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
    if (depth < 0) return undefined
  }
  if (quote !== '' || depth !== 0) return undefined
  parts.push(text.slice(start))
  return parts
}
