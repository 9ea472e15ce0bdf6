import type { EntityType, NavigationProperty } from '../model/types.js'
import type { Rule } from './rule.js'
import { structuredTypes } from './structured-types.js'

/**
 * Items that belong to one other item are in no entity set: they would have two homes. CSDL lets a type have items of both
 * kinds, so that it is only a warning: services that exist do it.
 *
 * @see OData CSDL 4.01, 8.3 (containment)
 */
export const containedInSet: Rule = ({ service, report }) => {
  const containedBy = new Map<EntityType, NavigationProperty>()
  for (const type of structuredTypes(service)) {
    for (const relation of type.ownNavigation) if (relation.contained) containedBy.set(relation.type, relation)
  }
  for (const element of service.container) {
    const relation = element.kind === 'entitySet' ? containedBy.get(element.type) : undefined
    if (relation === undefined) continue
    const message = `Items of "${element.type.name}" are contained in others, so an item has two homes: there, and in this set. Remove the set, or \`contained\`, unless the service is like that.`
    const related = [{ message: 'contained here', at: relation.place.pointer, on: 'key' as const }]
    report({
      severity: 'warning',
      code: 'spec/contained-in-set',
      message,
      at: `${element.place.pointer}/entitySet`,
      related,
    })
  }
}
