import { structuredTypes } from '../model/service.js'
import type { Check } from './check.js'

/**
 * Properties and relations of a type, inherited ones included, have different names.
 *
 * @see OData CSDL 4.01, 7 and 8 (structural and navigation properties)
 */
export const memberNames: Check = ({ service, report }) => {
  for (const type of structuredTypes(service)) {
    const inherited = type.base ? [...type.base.properties, ...type.base.navigation] : []
    const taken = new Map(inherited.map(member => [member.name, member]))
    for (const member of [...type.ownProperties, ...type.ownNavigation]) {
      const first = taken.get(member.name)
      taken.set(member.name, first ?? member)
      if (first === undefined) continue
      const message = `"${type.name}" already has a member "${member.name}". Rename one of the two.`
      const related = [{ message: 'first declared here', at: first.location.pointer, on: 'key' as const }]
      report({ code: 'spec/duplicate-member', message, at: member.location.pointer, on: 'key', related })
    }
  }
}
