import type { Aspect, AspectGroup, Endpoint } from '../../spec/language/index.js'
import { isSamePath, type Site } from '../discover/site.js'
import { groupsOf } from './coverage-record.js'
import { mainAspect, mayWrite } from './declared-aspects.js'

/** A rule on a site, as far as coverage depends on it. */
export interface Unit {
  readonly rule: { readonly aspects: readonly Aspect[]; readonly writes: boolean }
  readonly site: Pick<Site, 'id' | 'endpoint'>
}

/** Which rules on which sites check an endpoint. */
export interface UnitIndex<U extends Unit> {
  /** On its own sites. */
  readonly at: (endpoint: Endpoint) => readonly U[]
  /**
   * On its own sites and, for its main aspect and for writes, on those of its collection: a rule reads items where they
   * are listed, and updates and deletes items where it creates them.
   */
  readonly about: (endpoint: Endpoint, aspect: AspectGroup) => readonly U[]
}

export function indexUnits<U extends Unit>(units: readonly U[]): UnitIndex<U> {
  const byEndpoint = new Map<Endpoint, U[]>()
  for (const unit of units) {
    const known = byEndpoint.get(unit.site.endpoint)
    if (known === undefined) byEndpoint.set(unit.site.endpoint, [unit])
    else known.push(unit)
  }
  const byLength = new Map<number, Endpoint[]>()
  for (const endpoint of byEndpoint.keys()) {
    if (endpoint.kind !== 'collection' && endpoint.kind !== 'create') continue
    const { length } = endpoint.resolved
    byLength.set(length, [...(byLength.get(length) ?? []), endpoint])
  }
  const at = (endpoint: Endpoint): readonly U[] => byEndpoint.get(endpoint) ?? []
  const atCollection = new Map<Endpoint, readonly U[]>()
  const aboveOf = (endpoint: Endpoint): readonly U[] => {
    const known = atCollection.get(endpoint)
    if (known !== undefined) return known
    const list = endpoint.resolved.slice(0, -1)
    const wanted = mayWrite(endpoint) ? 'create' : 'collection'
    const above = (byLength.get(list.length) ?? []).filter(
      ({ kind, resolved }) => kind === wanted && isSamePath(resolved, list),
    )
    const found = above.flatMap(at)
    atCollection.set(endpoint, found)
    return found
  }
  return {
    at,
    about: (endpoint, aspect) => {
      const isRelated = aspect === mainAspect(endpoint) || mayWrite(endpoint)
      const all = isRelated ? [...at(endpoint), ...aboveOf(endpoint)] : at(endpoint)
      return all.filter(({ rule }) => groupsOf(rule.aspects).has(aspect))
    },
  }
}
