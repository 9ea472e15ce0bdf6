import type { QueryOptions } from '../../runtime/query/index.js'
import type { Case } from '../rule/case.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import type { Unit } from './unit.js'

/** What must hold for a case of another rule to say something of that rule. */
export interface Basis {
  readonly unit: Unit
  readonly test: Case
}

/**
 * The plainest cases that one rests on: the order that its pages are of, the filter whose rows it counts. A rule that has
 * such cases itself rests on no other.
 */
export function basesOf({ rule, site }: Unit, test: Case, units: readonly Unit[], session: Session): readonly Basis[] {
  if (rule.plainest !== undefined) return []
  const asked = units.filter(unit => unit.rule.plainest !== undefined && isAskedBy(site, unit.site))
  return (rule.queries?.(test) ?? queriesOf(test)).flatMap(query =>
    asked.flatMap(unit => {
      const plainest = unit.rule.plainest?.(query, unit.site, session)
      return plainest === undefined ? [] : [{ unit, test: plainest }]
    }),
  )
}

function queriesOf({ options, predicates = [] }: Case): readonly QueryOptions[] {
  return [...(options === undefined ? [] : [options]), ...predicates.map(filter => ({ filter }))]
}

/** A count is that of the list at the path above it. */
function isAskedBy({ id, endpoint, path }: Site, list: Site): boolean {
  if (list.id === id) return true
  return endpoint.kind === 'count' && list.path === path.replace(/\/(?:\$|%24)count$/i, '')
}
