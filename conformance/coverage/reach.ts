import { type Aspect, type AspectGroup, type Endpoint, isSamePath } from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'
import { groupsOf } from './coverage-record.js'
import { mainAspect, mayWrite } from './declared-aspects.js'

/** What the rules of a run can check, and why they did not. */
export interface Reach {
  /** Whether a rule of the run applies to an aspect of an endpoint. */
  readonly applies: (endpoint: Endpoint, aspect: AspectGroup) => boolean
  /** Whether a check would have to change items that the suite did not create. */
  readonly isForeign: (endpoint: Endpoint) => boolean
  /** Why nothing was checked. */
  readonly reasonFor: (endpoint: Endpoint, aspect: AspectGroup) => string
}

interface ReachContext {
  /** `why`: why the rule was not exercised. */
  readonly scheduled: readonly (Unit & { readonly why: string | undefined })[]
  /** Why discovery could not read an address or an endpoint, by id or name. */
  readonly unread: ReadonlyMap<string, string>
  /** Whether the run reached the point where rules are scheduled. */
  readonly isPlanned: boolean
}

export function createReach({ scheduled, unread, isPlanned }: ReachContext): Reach {
  const units = indexUnits(scheduled)
  const reasonOfDiscovery = (endpoint: Endpoint): string | undefined => {
    const ids = [endpoint.name, ...units.at(endpoint).map(({ site }) => site.id)]
    return ids.map(id => unread.get(id)).find(why => why !== undefined)
  }
  return {
    applies: (endpoint, aspect) => units.about(endpoint, aspect).length > 0,
    isForeign: endpoint =>
      isPlanned &&
      mayWrite(endpoint) &&
      reasonOfDiscovery(endpoint) === undefined &&
      !units.about(endpoint, mainAspect(endpoint)).some(({ rule }) => rule.writes),
    reasonFor: (endpoint, aspect) => {
      const unreadable = reasonOfDiscovery(endpoint)
      if (unreadable !== undefined) return unreadable
      if (!isPlanned) return 'the run ended before it was reached'
      const relevant = units.about(endpoint, aspect)
      if (relevant.length === 0) return 'no rule applies to it'
      const lacking = relevant.find(({ why }) => why !== undefined)?.why
      return lacking ?? 'the budget ended before its turn: allow more requests'
    },
  }
}

/** A rule on a site, as far as coverage depends on it. */
interface Unit {
  readonly rule: { readonly aspects: readonly Aspect[]; readonly writes: boolean }
  readonly site: Pick<Site, 'id' | 'endpoint'>
}

/** Which rules on which sites check an endpoint. */
interface UnitIndex<U extends Unit> {
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
