import type { Endpoint, Service } from '../../../../spec/language/index.js'
import { splitArguments } from './split-arguments.js'

/** The endpoints of one path, and the values of its variables. */
export interface PathMatch {
  readonly endpoints: readonly Endpoint[]
  /** Text of each variable: decoded, and of a function's arguments as they are written. */
  readonly variables: ReadonlyMap<string, string>
}

/** Finds the path of the spec that an encoded request path stands for; names win over keys. */
export function matchPath(service: Service, path: string): PathMatch | undefined {
  const given = path.split('/').slice(1)
  const found = service.paths
    .map(({ template, endpoints }) => ({ endpoints, template, variables: matchTemplate(template, given) }))
    .flatMap(({ endpoints, template, variables }) =>
      variables === undefined ? [] : [{ endpoints, template, variables }],
    )
  // Of `/users/delta` and `/users/{id}`, the one whose first variable comes later is meant.
  found.sort((a, b) => literalLength(b.template) - literalLength(a.template))
  return found[0]
}

function literalLength(template: string): number {
  const open = template.indexOf('{')
  return open < 0 ? Number.POSITIVE_INFINITY : open
}

function matchTemplate(template: string, given: readonly string[]): ReadonlyMap<string, string> | undefined {
  const wanted = template.split('/').slice(1)
  if (wanted.length !== given.length) return undefined
  const variables = new Map<string, string>()
  for (const [index, part] of wanted.entries()) {
    if (!matchSegment(part, given[index] ?? '', variables)) return undefined
  }
  return variables
}

function matchSegment(wanted: string, given: string, variables: Map<string, string>): boolean {
  const text = decode(given)
  if (text === undefined) return false
  const open = wanted.indexOf('(')
  if (wanted.startsWith('{')) {
    variables.set(wanted.slice(1, -1), text)
    return text !== ''
  }
  if (open < 0) return text === wanted
  if (!text.startsWith(wanted.slice(0, open + 1)) || !text.endsWith(')')) return false
  const values = splitArguments(text.slice(open + 1, -1))
  const names = splitArguments(wanted.slice(open + 1, -1))
  if (values === undefined || names === undefined || values.size !== names.size) return false
  for (const [name, variable] of names) {
    const value = values.get(name)
    if (value === undefined) return false
    variables.set(variable.slice(1, -1), value)
  }
  return true
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
