import type { EntityType, Service } from '../../../spec/language/model/index.js'
import type { NameTable } from '../../names/name-table.js'
import { concreteTypes, derivedEntityTypes } from '../derived-types.js'
import { shapeName, type TypeReference } from './value-type-text.js'
import { bodyUses } from './write-uses.js'

/** The type of a request body: of the endpoint's type, or of one that derives from it, which `@odata.type` then names. */
export function bodyTypeText(
  service: Service,
  names: NameTable,
  type: EntityType,
  kind: keyof typeof bodyUses,
  refer: TypeReference,
): string {
  const types = concreteTypes(type, derivedEntityTypes(service))
  return types.map(one => refer(shapeName(names, one, bodyUses[kind]))).join(' | ') || 'never'
}
