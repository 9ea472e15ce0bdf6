import type { Facets, Property } from '../../../spec/language/model/index.js'
import type { TypeUse } from '../types/value-type-text.js'

/** What a description says of a property beside its own words: what the schema's keywords cannot. */
export function schemaNotes(property: Property, use: TypeUse): readonly string[] {
  const { computed, createOnly, unique, returned, type } = property
  return [
    ...(use === 'read' && computed ? ['Set by the service.'] : []),
    ...(use === 'read' && createOnly ? ['Never changes.'] : []),
    ...(unique ? ['Unique.'] : []),
    ...(use === 'read' && returned === 'onSelect' ? ['Returned only when selected.'] : []),
    ...(type.kind === 'primitive' && type.name === 'Decimal' ? decimalNotes(property) : []),
  ]
}

/** JSON Schema has a keyword for the step between numbers only, and validators round it differently. */
export function decimalNotes({ precision, scale }: Facets): readonly string[] {
  return [
    ...(precision === undefined ? [] : [`At most ${precision} digits.`]),
    ...(typeof scale === 'number' ? [`At most ${scale} digits after the point.`] : []),
  ]
}
