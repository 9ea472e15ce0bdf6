import type { Site } from './site.js'

/**
 * Sites in such an order that those of other kinds come first: an item, a collection, a call, each at the root and below
 * an item. What is handled apart is looked at early.
 */
export function mostDifferent(sites: readonly Site[]): readonly Site[] {
  const seen = new Set<string>()
  const first: Site[] = []
  const others: Site[] = []
  for (const site of sites) {
    const { kind, keys, resolved } = site.endpoint
    const last = resolved.at(-1)?.kind === 'key' ? 'by key' : 'by name'
    const group = `${kind} ${keys.length > 0 ? 'below an item' : 'at the root'} ${last}`
    if (seen.has(group)) others.push(site)
    else first.push(site)
    seen.add(group)
  }
  return [...first, ...others]
}
