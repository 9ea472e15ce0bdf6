import type { AspectGroup, Endpoint } from '../../spec/language/index.js'
import { mainAspect, mayWrite } from './declared-aspects.js'
import { indexUnits, type Unit } from './related-units.js'

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
