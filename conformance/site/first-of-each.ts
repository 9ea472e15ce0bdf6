import type { Site } from './site.js'

/** One site of each endpoint, the first: what does not depend on the address is asked once. */
export function firstOfEach(sites: readonly Site[]): readonly Site[] {
  const names = new Set<string>()
  return sites.filter(({ endpoint }) => {
    const isFirst = !names.has(endpoint.name)
    names.add(endpoint.name)
    return isFirst
  })
}
