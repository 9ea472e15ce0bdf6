import type { Service } from '../model/service.js'
import type { StructuredType } from '../model/types.js'

/** Entity types and complex types. */
export function structuredTypes(service: Service): readonly StructuredType[] {
  return [...service.entityTypes, ...service.complexTypes]
}
