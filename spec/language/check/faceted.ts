import type { Service } from '../model/service.js'
import type { Facets, ValueType } from '../model/types.js'
import { structuredTypes } from './structured-types.js'

/** Anything that has a type and facets. */
export interface Faceted extends Facets {
  readonly name: string
  readonly type: ValueType
  readonly collection: boolean
  readonly place: { readonly pointer: string }
}

/** All properties, parameters and type definitions of a service. */
export function faceted(service: Service): readonly Faceted[] {
  return [
    ...structuredTypes(service).flatMap(type => type.ownProperties),
    ...service.operations.flatMap(operation => operation.parameters),
    ...service.typeDefinitions.map(
      (definition): Faceted => ({
        ...definition,
        type: { kind: 'primitive', name: definition.underlying },
        collection: false,
      }),
    ),
  ]
}
