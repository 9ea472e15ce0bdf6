import { type Service, structuredTypes } from '../model/service.js'
import {
  type Facets,
  isNumericType,
  type PrimitiveTypeName,
  primitiveOf,
  primitiveTypeNames,
  type ValueType,
} from '../model/types.js'
import type { Check } from './check.js'

const numbers = primitiveTypeNames.filter(isNumericType)

/** The primitive types that each facet limits. */
const typesOfFacet: Readonly<Partial<Record<keyof Facets, readonly PrimitiveTypeName[]>>> = {
  minLength: ['String', 'Binary'],
  maxLength: ['String', 'Binary', 'Stream'],
  pattern: ['String'],
  unicode: ['String'],
  minimum: numbers,
  maximum: numbers,
  precision: ['Decimal', 'DateTimeOffset', 'Duration', 'TimeOfDay'],
  scale: ['Decimal'],
}

const isGeo = (name: PrimitiveTypeName): boolean => /^Geo(?:graphy|metry)/.test(name)

function applies(facet: keyof Facets, type: ValueType): boolean {
  const primitive = primitiveOf(type)
  if (primitive === undefined) return false
  return facet === 'srid' ? isGeo(primitive) : (typesOfFacet[facet]?.includes(primitive) ?? false)
}

const facetNames = [
  'minLength',
  'maxLength',
  'pattern',
  'unicode',
  'minimum',
  'maximum',
  'precision',
  'scale',
  'srid',
] as const

/**
 * Each facet applies to its type.
 *
 * @see OData CSDL 4.01, 7.2 (type facets)
 */
export const facets: Check = ({ service, report }) => {
  for (const element of faceted(service)) {
    for (const facet of facetNames) {
      if (element[facet] === undefined || applies(facet, element.type)) continue
      const of = facet === 'srid' ? 'geo types' : (typesOfFacet[facet] ?? []).join(', ')
      const message = `\`${facet}\` does not apply to "${element.type.name}" but to ${of}. Remove it.`
      report({ code: 'spec/facet', message, at: `${element.location.pointer}/${facet}`, on: 'key' })
    }
    for (const facet of ['minItems', 'maxItems'] as const) {
      if (element[facet] === undefined || element.collection) continue
      const message = `\`${facet}\` applies to collections only. Remove it, or add \`collection: true\`.`
      report({ code: 'spec/facet', message, at: `${element.location.pointer}/${facet}`, on: 'key' })
    }
  }
}

/** Anything that has a type and facets. */
interface Faceted extends Facets {
  readonly name: string
  readonly type: ValueType
  readonly collection: boolean
  readonly location: { readonly pointer: string }
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
