import type { Support } from './support.js'

/** Remembers what was answered and what was refused. */
export function supportRecord(): Support & { readonly refusals: (siteId: string) => readonly string[] } {
  const known = new Map<string, Set<string>>()
  const refused = new Map<string, ReadonlySet<string>[]>()
  const knownAt = (id: string): Set<string> => {
    const found = known.get(id) ?? new Set()
    known.set(id, found)
    return found
  }
  return {
    accepted: (site, constructs) => {
      const all = knownAt(site.endpoint.name)
      for (const construct of constructs) all.add(construct)
    },
    refused: (site, constructs) => {
      const all = refused.get(site.endpoint.name) ?? []
      refused.set(site.endpoint.name, all)
      // What was answered alone is not to blame; when each was, it is the combination.
      const unknown = constructs.filter(construct => !knownAt(site.endpoint.name).has(construct))
      all.push(new Set(unknown.length > 0 ? unknown : constructs))
    },
    mayAsk: (site, constructs) => {
      const asked = new Set(constructs)
      return !(refused.get(site.endpoint.name) ?? []).some(set => [...set].every(construct => asked.has(construct)))
    },
    isKnown: (site, construct) => knownAt(site.endpoint.name).has(construct),
    refusals: endpoint => [...new Set((refused.get(endpoint) ?? []).map(set => [...set].join(' + ')))],
  }
}
