import { type Endpoint, structuredTypes } from '../model/service.js'
import type { Check } from './check.js'

/** Endpoint names are unique, and none is the prefix of another: `users.list` excludes `users.list.get`. */
export const endpointNames: Check = ({ service, report }) => {
  const byName = new Map<string, Endpoint>()
  const clash = (endpoint: Endpoint, other: Endpoint, message: string): void => {
    const related = [{ message: `"${other.name}" is here`, at: other.location.pointer, on: 'key' as const }]
    report({ code: 'spec/endpoint-name', message, at: endpoint.location.pointer, on: 'key', related })
  }
  for (const endpoint of service.endpoints) {
    const other = byName.get(endpoint.name)
    if (other === undefined) byName.set(endpoint.name, endpoint)
    else clash(endpoint, other, `Two endpoints are called "${endpoint.name}". Give one of them another \`name\`.`)
  }
  for (const endpoint of service.endpoints) {
    for (let end = endpoint.name.lastIndexOf('.'); end > 0; end = endpoint.name.lastIndexOf('.', end - 1)) {
      const other = byName.get(endpoint.name.slice(0, end))
      if (other === undefined) continue
      clash(
        endpoint,
        other,
        `"${endpoint.name}" lies within "${other.name}", which is an endpoint. Give one of them another \`name\`.`,
      )
    }
  }
}

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
