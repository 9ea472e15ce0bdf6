import type { Endpoint } from '../../spec/language/index.js'

/** Every header that some construct needs on an endpoint: with them, nothing is refused for lack of one. */
export function allConditionHeaders(endpoint: Endpoint): Readonly<Record<string, string>> {
  if (!('query' in endpoint) || endpoint.query === undefined) return {}
  return Object.fromEntries(endpoint.query.requires.map(({ header }) => [header.name, header.value]))
}
