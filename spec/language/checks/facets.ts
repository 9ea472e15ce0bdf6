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
function faceted(service: Service): readonly Faceted[] {
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

const pairs = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
] as const

/** Lower bounds do not exceed upper bounds, and patterns are regular expressions. */
export const facetBounds: Check = ({ service, report }) => {
  for (const element of faceted(service)) {
    const { pointer } = element.location
    for (const [low, high] of pairs) {
      const [least, most] = [element[low], element[high]]
      if (least === undefined || most === undefined || least <= most) continue
      const message = `\`${low}\` is ${least}, more than \`${high}\`, which is ${most}. No value fits.`
      const related = [{ message: `\`${high}\` is here`, at: `${pointer}/${high}`, on: 'key' as const }]
      report({ code: 'spec/facet-bounds', message, at: `${pointer}/${low}`, related })
    }
    if (typeof element.scale === 'number' && element.precision !== undefined && element.scale > element.precision) {
      const message = `\`scale\` is ${element.scale}, more than \`precision\`, which is ${element.precision}.`
      report({ code: 'spec/facet-bounds', message, at: `${pointer}/scale` })
    }
    if (element.pattern !== undefined && !isPattern(element.pattern)) {
      const message = '`pattern` is not an ECMAScript regular expression with the flag `u`. Escape literal characters.'
      report({ code: 'spec/pattern', message, at: `${pointer}/pattern` })
    }
  }
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
