import type { PrimitiveTypeName } from '../model/primitive-type-name.js'
import type { Facets, ValueType } from '../model/types.js'
import { faceted } from './faceted.js'
import { primitiveOf } from './primitive-of.js'
import type { Rule } from './rule.js'

const numbers = ['Byte', 'SByte', 'Int16', 'Int32', 'Int64', 'Decimal', 'Double', 'Single'] as const

/** The primitive types that each facet limits. */
const limited: Readonly<Partial<Record<keyof Facets, readonly PrimitiveTypeName[]>>> = {
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
  return facet === 'srid' ? isGeo(primitive) : (limited[facet]?.includes(primitive) ?? false)
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
 * Each facet is of a type that it can limit.
 *
 * @see OData CSDL 4.01, 7.2 (type facets)
 */
export const facets: Rule = ({ service, report }) => {
  for (const element of faceted(service)) {
    for (const facet of facetNames) {
      if (element[facet] === undefined || applies(facet, element.type)) continue
      const of = facet === 'srid' ? 'geo types' : (limited[facet] ?? []).join(', ')
      const message = `\`${facet}\` does not apply to "${element.type.name}" but to ${of}. Remove it.`
      report({ code: 'spec/facet', message, at: `${element.place.pointer}/${facet}`, on: 'key' })
    }
    for (const facet of ['minItems', 'maxItems'] as const) {
      if (element[facet] === undefined || element.collection) continue
      const message = `\`${facet}\` applies to collections only. Remove it, or add \`collection: true\`.`
      report({ code: 'spec/facet', message, at: `${element.place.pointer}/${facet}`, on: 'key' })
    }
  }
}
