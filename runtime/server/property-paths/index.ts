import type { ServerResponse } from '../http/message.js'
import type { ServeRoute } from '../serve-route.js'
import type { ServiceTable } from '../service-table.js'
import type { PropertyPath } from './property-path.js'
import { type PropertyRequest, readProperty } from './read-property.js'
import { changingMethods, writeProperty } from './write-property.js'

export { type PropertyPath, resolvePropertyPath } from './property-path.js'

/** Answers a request for a property, with the function that serves the requests to its item. */
type PropertyTarget = (requested: PropertyRequest, serveRoute: ServeRoute) => Promise<ServerResponse>

/** The methods of a property, and how each is answered. */
export type PropertyTargets = (property: PropertyPath, table: ServiceTable) => ReadonlyMap<string, PropertyTarget>

export const propertyTargets: PropertyTargets = (property, table) => {
  const targets = new Map<string, PropertyTarget>()
  const { resource } = property.item
  const reader = resource.targets.get('GET')
  const updater = resource.targets.get('PATCH')
  if (reader !== undefined) {
    targets.set('GET', (requested, serveRoute) => readProperty(requested, property, reader, table, serveRoute))
  }
  if (updater !== undefined) {
    for (const method of changingMethods(property, table)) {
      targets.set(method, (requested, serveRoute) => writeProperty(requested, property, updater, table, serveRoute))
    }
  }
  return targets
}
