import { structuredTypes } from '../model/service.js'
import type { Check } from './check.js'

/**
 * A structural property is a value. Navigation properties lead to items.
 *
 * @see OData CSDL 4.01, 7.1 (type of a structural property)
 */
export const entityAsValue: Check = ({ service, report }) => {
  for (const type of structuredTypes(service)) {
    for (const { name, type: of, location } of type.ownProperties) {
      if (of.kind !== 'entityType') continue
      const message = `"${name}" is of the entity type "${of.name}". Declare it under \`navigation\`: \`${name}: { to: ${of.name} }\`.`
      report({ code: 'spec/entity-as-value', message, at: `${location.pointer}/type` })
    }
  }
}
