import type { AspectGroup, Endpoint } from '../../spec/language/index.js'
import { isSamePath, type Site } from '../discover/site.js'
import type { ActiveRule } from '../rule/rule.js'
import { groupsOf } from './coverage-record.js'
import { mayWrite } from './declared-aspects.js'

/** A rule on a site, as far as coverage depends on it. */
interface Unit {
  readonly rule: Pick<ActiveRule, 'aspects' | 'writes'>
  readonly site: Pick<Site, 'id' | 'endpoint'>
  /** Why it was not exercised. */
  readonly why: string | undefined
}

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
  readonly scheduled: readonly Unit[]
  /** Why discovery could not read an address or an endpoint, by id or name. */
  readonly unread: ReadonlyMap<string, string>
  /** Whether the run reached the point where rules are scheduled. */
  readonly isPlanned: boolean
}

export function createReach({ scheduled, unread, isPlanned }: ReachContext): Reach {
  const byEndpoint = new Map<Endpoint, Unit[]>()
  for (const unit of scheduled) {
    const units = byEndpoint.get(unit.site.endpoint)
    if (units === undefined) byEndpoint.set(unit.site.endpoint, [unit])
    else units.push(unit)
  }
  const creating = [...byEndpoint].flatMap(([endpoint, units]) =>
    units.some(({ rule }) => rule.writes) ? [endpoint] : [],
  )
  /** Rules that update and delete items run where the items are created. */
  const unitsAbout = (endpoint: Endpoint): readonly Unit[] => {
    const own = byEndpoint.get(endpoint) ?? []
    if (!mayWrite(endpoint)) return own
    const list = endpoint.resolved.slice(0, -1)
    const origin = creating.find(each => each.kind === 'create' && isSamePath(each.resolved, list))
    return origin === undefined ? own : [...own, ...(byEndpoint.get(origin) ?? [])]
  }
  const unitsFor = (endpoint: Endpoint, aspect: AspectGroup): readonly Unit[] =>
    unitsAbout(endpoint).filter(({ rule }) => groupsOf(rule.aspects).has(aspect))
  const reasonOfDiscovery = (endpoint: Endpoint): string | undefined => {
    const ids = [endpoint.name, ...(byEndpoint.get(endpoint) ?? []).map(({ site }) => site.id)]
    return ids.map(id => unread.get(id)).find(why => why !== undefined)
  }
  return {
    applies: (endpoint, aspect) => unitsFor(endpoint, aspect).length > 0,
    isForeign: endpoint =>
      isPlanned &&
      mayWrite(endpoint) &&
      reasonOfDiscovery(endpoint) === undefined &&
      !unitsAbout(endpoint).some(({ rule }) => rule.writes),
    reasonFor: (endpoint, aspect) => {
      const unreadable = reasonOfDiscovery(endpoint)
      if (unreadable !== undefined) return unreadable
      if (!isPlanned) return 'the run ended before it was reached'
      const relevant = unitsFor(endpoint, aspect)
      if (relevant.length === 0) return 'no rule applies to it'
      const lacking = relevant.find(({ why }) => why !== undefined)?.why
      return lacking ?? 'the budget ended before its turn: allow more requests'
    },
  }
}
