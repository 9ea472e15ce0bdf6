import type { Service } from '../../spec/language/index.js'
import type { Discovery } from '../engine/discover.js'
import { isSamePath } from '../site/is-same-path.js'
import { siteOf } from '../site/site-of.js'

const known = new WeakMap<Discovery, ReadonlySet<string>>()

/** Addresses, below the root, of all items that were there when the collections were first read. */
export function harvestedPaths(service: Service, found: Discovery): ReadonlySet<string> {
  const before = known.get(found)
  if (before !== undefined) return before
  const paths = new Set<string>()
  for (const { snapshot } of found.harvests.values()) {
    const { site, rows } = snapshot
    const items = service.endpoints.filter(({ resolved }) => isSamePath(resolved.slice(0, -1), site.endpoint.resolved))
    for (const row of rows) {
      for (const endpoint of items) {
        const path = siteOf(endpoint, { site, row })?.path
        if (path !== undefined) paths.add(path)
      }
    }
  }
  known.set(found, paths)
  return paths
}
