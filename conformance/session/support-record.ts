import type { Support } from './support.js'
import type { Refusals } from './support-choices.js'

/** A record, and what the report tells of it. */
export interface SupportRecord extends Support {
  /** What an endpoint refused. */
  readonly refusals: (endpoint: string) => readonly string[]
  readonly all: () => Refusals
}

/** Remembers what was answered and what was refused. */
export function supportRecord(): SupportRecord {
  const known = new Map<string, Set<string>>()
  const refused = new Map<string, ReadonlySet<string>[]>()
  const constructs = new Set<string>()
  const combinations = new Set<string>()
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
    refused: (site, asked) => {
      const all = refused.get(site.endpoint.name) ?? []
      refused.set(site.endpoint.name, all)
      // What was answered alone is not to blame; when each was, it is the combination.
      const unknown = asked.filter(construct => !knownAt(site.endpoint.name).has(construct))
      all.push(new Set(unknown.length > 0 ? unknown : asked))
      const told = unknown.length > 0 ? constructs : combinations
      told.add(`${site.endpoint.name}: ${(unknown.length > 0 ? unknown : asked).join(' + ')}`)
    },
    mayAsk: (site, constructs) => {
      const asked = new Set(constructs)
      return !(refused.get(site.endpoint.name) ?? []).some(set => [...set].every(construct => asked.has(construct)))
    },
    isKnown: (site, construct) => knownAt(site.endpoint.name).has(construct),
    all: () => ({ constructs: [...constructs], combinations: [...combinations] }),
    refusals: endpoint => [...new Set((refused.get(endpoint) ?? []).map(set => [...set].join(' + ')))],
  }
}
