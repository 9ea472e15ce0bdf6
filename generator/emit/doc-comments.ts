import {
  type Annotations,
  type Endpoint,
  type Facets,
  isIntegerType,
  type PrimitiveTypeName,
  type Property,
  type ValueType,
} from '../../spec/language/index.js'
import type { TypeUse } from './types/value-types.js'

/** The comment on an endpoint: its request, and what it does. */
export function endpointDocs(endpoint: Endpoint): readonly string[] {
  const operation = endpoint.kind === 'call' ? endpoint.operation : undefined
  const description = endpoint.description ?? endpoint.path.description ?? operation?.description
  const request = `${endpoint.method} ${endpoint.path.template}`
  return [description === undefined ? request : `${request}: ${description}`]
}

/**
 * The comment on a declaration: its description and the notes, then its section of the interface. A section alone makes no
 * comment.
 */
export function annotatedDocs(element: Annotations, notes: readonly string[] = []): readonly string[] {
  const docs = memberDocs(element, notes)
  return docs.length === 0 ? [] : memberDocs(element, withSection(element, notes))
}

const withSection = ({ ref }: Annotations, notes: readonly string[]): readonly string[] =>
  ref === undefined ? notes : [...notes, `(interface, section ${ref})`]

/** The comment on a member. Its section is nearly always that of the declaration around it, so it is omitted. */
export function memberDocs({ description }: Annotations, notes: readonly string[] = []): readonly string[] {
  const text = [...(description === undefined ? [] : [description]), ...notes].join(' ')
  return text === '' ? [] : [text]
}

/** A text with a capital. */
export const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A type's name as prose, with its article: `driveItem` becomes `a drive item`. */
export function withArticle(name: string): string {
  const plain = name.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ').toLowerCase()
  return `${/^(?:[aeio]|u(?!ni|s|t))/.test(plain) ? 'an' : 'a'} ${plain}`
}

/** The description of a declaration in a schema or an OpenAPI document. */
export const description = (element: Annotations, notes: readonly string[] = []): string | undefined =>
  memberDocs(element, withSection(element, notes))[0]

/** The description of a member, such as a property or a parameter. */
export const memberDescription = (element: Annotations, notes: readonly string[] = []): string | undefined =>
  memberDocs(element, notes)[0]

/** Notes for the comment on a property: what its TypeScript type does not express. */
export function propertyNotes(property: Property, use: TypeUse): readonly string[] {
  const hasDefault = (use === 'create' || use === 'replace') && property.default !== undefined
  return [
    ...facetNotes(property.type, property),
    ...behaviourNotes(property, use),
    ...(hasDefault ? [`Default: ${JSON.stringify(property.default)}.`] : []),
  ]
}

/** Notes for the description of a property: what the keywords of JSON Schema do not express. */
export function schemaNotes(property: Property, use: TypeUse): readonly string[] {
  const { type } = property
  const isDecimal = type.kind === 'primitive' && type.name === 'Decimal'
  return [...behaviourNotes(property, use), ...(isDecimal ? decimalNotes(property) : [])]
}

function behaviourNotes({ computed, createOnly, unique, returned }: Property, use: TypeUse): readonly string[] {
  return [
    ...(use === 'read' && computed ? ['Set by the service.'] : []),
    ...(use === 'read' && createOnly ? ['Never changes.'] : []),
    ...(unique ? ['Unique.'] : []),
    ...(use === 'read' && returned === 'onSelect' ? ['Returned only when selected.'] : []),
  ]
}

/** Notes on a type's format and its facets. */
export function facetNotes(type: ValueType, facets: Facets): readonly string[] {
  const format = type.kind === 'primitive' ? formatOf(type.name) : undefined
  return [
    ...(format === undefined ? [] : [format]),
    ...range(facets.minLength, facets.maxLength, isBinary(type) ? 'byte' : 'character'),
    ...range(facets.minItems, facets.maxItems, 'item'),
    ...range(facets.minimum, facets.maximum),
    ...(facets.pattern === undefined ? [] : [`Matches \`${facets.pattern}\`.`]),
    ...digits(type, facets),
  ]
}

const formats: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  Binary: 'base64url.',
  Date: 'A date, ISO 8601.',
  DateTimeOffset: 'A timestamp, ISO 8601.',
  Duration: 'A duration, ISO 8601.',
  Guid: 'A GUID.',
  TimeOfDay: 'A time of day, ISO 8601.',
}

const formatOf = (name: PrimitiveTypeName): string | undefined =>
  formats[name] ?? (isIntegerType(name) ? 'A whole number.' : undefined)

const isBinary = (type: ValueType): boolean => type.kind === 'primitive' && type.name === 'Binary'

function range(least: number | undefined, most: number | undefined, unit?: string): readonly string[] {
  const amount = (count: number): string =>
    unit === undefined ? `${count}` : `${count} ${unit}${count === 1 ? '' : 's'}`
  if (least !== undefined && most !== undefined) {
    return [least === most ? `Exactly ${amount(most)}.` : `${least} to ${amount(most)}.`]
  }
  if (least !== undefined) return [`At least ${amount(least)}.`]
  return most === undefined ? [] : [`At most ${amount(most)}.`]
}

function digits(type: ValueType, { precision, scale }: Facets): readonly string[] {
  const name = type.kind === 'primitive' ? type.name : undefined
  if (name !== 'Decimal' || precision === undefined) return []
  return [`At most ${precision} digits${typeof scale === 'number' ? `, ${scale} of them after the point` : ''}.`]
}

/** JSON Schema has a keyword for the step between numbers only, and validators round it differently. */
export function decimalNotes({ precision, scale }: Facets): readonly string[] {
  return [
    ...(precision === undefined ? [] : [`At most ${precision} digits.`]),
    ...(typeof scale === 'number' ? [`At most ${scale} digits after the point.`] : []),
  ]
}
