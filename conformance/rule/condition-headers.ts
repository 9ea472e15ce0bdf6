import type { Endpoint } from '../../spec/language/index.js'

/** The headers that an endpoint demands for these constructs, whether or not a service may do without. */
export function conditionHeaders(endpoint: Endpoint, constructs: readonly string[]): Readonly<Record<string, string>> {
  if (!('query' in endpoint) || endpoint.query === undefined) return {}
  const used = new Set(endpoint.kind === 'count' ? [...constructs, 'countPath'] : constructs)
  const headers: Record<string, string> = {}
  for (const { when, header } of endpoint.query.requires) {
    if (when.some(all => all.every(construct => used.has(construct)))) headers[header.name] = header.value
  }
  return headers
}
