import type { Endpoint, Service } from '../../spec/language/index.js'
import { templatePattern } from '../discover/site.js'

/** Finds the endpoint that a request addresses, by method and by path below the service root. */
export type EndpointFinder = (method: string, path: string) => Endpoint | undefined

/** Literal parts of a template win over variables. */
export function createEndpointFinder({ endpoints }: Service): EndpointFinder {
  const groups = new Map<string, { readonly endpoint: Endpoint; readonly pattern: RegExp }[]>()
  const byFewestKeys = endpoints.toSorted((a, b) => a.keys.length - b.keys.length)
  for (const endpoint of byFewestKeys) {
    const { template } = endpoint.path
    const name = groupOf(endpoint.method, template)
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push({ endpoint, pattern: templatePattern(template) })
  }
  return (method, path) => {
    const name = groupOf(method === 'HEAD' ? 'GET' : method, path)
    return groups.get(name)?.find(({ pattern }) => pattern.test(path))?.endpoint
  }
}

/** The first segment, without a key in parentheses, is literal in each template. */
function groupOf(method: string, path: string): string {
  const segments = path.split('/')
  return `${method} ${segments.length} ${segments[1]?.split('(')[0]}`
}
