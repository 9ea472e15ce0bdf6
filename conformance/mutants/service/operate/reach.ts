import type { NavigationProperty } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'
import { choiceOr } from '../write/create-item.js'

/** The items that a relation leads to, followed to its end where the meaning says so and the service has not chosen otherwise. */
export function reach(
  start: Entity,
  relation: NavigationProperty,
  transitive: boolean,
  at: Exchange,
): readonly Entity[] {
  const direct = at.behaviour.related(start, relation, at)
  if (!transitive || choiceOr('membershipClosure', 'transitive', at) === 'direct') return direct
  const found = new Set(direct)
  for (const row of found) {
    const next = row.type.navigation.find(each => each.name === relation.name)
    if (next === undefined) continue
    for (const other of at.behaviour.related(row, next, at)) found.add(other)
  }
  return [...found]
}
