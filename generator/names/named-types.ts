import type { Service } from '../../spec/language/model/index.js'
import type { NamedType } from './name-table.js'

/** All named types, in the order of the spec within each kind. */
export const namedTypes = (service: Service): readonly NamedType[] => [
  ...service.entityTypes,
  ...service.complexTypes,
  ...service.enumTypes,
  ...service.typeDefinitions,
]
