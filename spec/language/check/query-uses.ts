import type { QueryCapabilities } from '../model/query-capabilities.js'
import type { Service } from '../model/service.js'
import type { EntityType } from '../model/types.js'

/** The types of the items that each set of query options is used for. */
export function queryUses(service: Service): ReadonlyMap<QueryCapabilities, readonly EntityType[]> {
  const uses = new Map<QueryCapabilities, Set<EntityType>>()
  for (const endpoint of service.endpoints) {
    if (!('query' in endpoint) || endpoint.query === undefined) continue
    let types = uses.get(endpoint.query)
    if (types === undefined) {
      types = new Set()
      uses.set(endpoint.query, types)
    }
    if (endpoint.kind !== 'call') types.add(endpoint.type)
    else if (endpoint.operation.returns?.type.kind === 'entityType') types.add(endpoint.operation.returns.type)
  }
  return new Map([...uses].map(([capabilities, types]) => [capabilities, [...types]]))
}
