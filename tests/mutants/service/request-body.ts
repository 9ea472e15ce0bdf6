import type {
  ComplexType,
  EntityType,
  Facets,
  PrimitiveTypeName,
  Property,
  StructuredType,
  ValueType,
} from '../../../spec/language/index.js'
import type { EndpointContext, Rejection, TypedValue } from './behaviour.js'
import { isObject, type Json, type JsonObject } from './json.js'
import { durationOf, enumOf, instantOf, isDate, timeOf } from './values.js'

/** Parses the body of a request as a JSON object. An empty body of a call counts as an empty object. */
export function parseBody(at: EndpointContext): { readonly kind: 'object'; readonly json: JsonObject } | Rejection {
  const { service, request } = at
  if (request.body.trim() === '' && at.endpoint.kind === 'call') return { kind: 'object', json: {} }
  const type = at.behaviour.header('Content-Type', at) ?? ''
  if (!/^application\/(.+\+)?json\b/i.test(type)) return { kind: 'refused', error: service.faults.unsupportedMediaType }
  try {
    const json: Json = JSON.parse(request.body)
    if (isObject(json)) return { kind: 'object', json }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { kind: 'refused', error: service.faults.malformedBody }
}

type BodyPurpose = 'create' | 'update' | 'replace'

/** The values of a body, or the reason why it is invalid. */
type BodyReading =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, Json>>; readonly type: StructuredType }
  | { readonly kind: 'problem'; readonly message: string }

/**
 * Validates a body as an item or a part of one.
 *
 * @param types the types that `@odata.type` may name
 */
export function readBody(
  json: JsonObject,
  declared: StructuredType,
  purpose: BodyPurpose,
  types: readonly StructuredType[],
  at: EndpointContext,
): BodyReading {
  const given = json['@odata.type']
  const name = typeof given === 'string' ? given.replace('#', '') : declared.qualifiedName
  const type = types.find(each => each.qualifiedName === name) ?? declared
  const values: Record<string, Json> = Object.create(null)
  for (const [member, value] of Object.entries(json)) {
    if (member.includes('@')) continue
    const property = type.properties.find(each => each.name === member)
    if (property === undefined) return bodyProblem(`The property '${member}' does not exist on type '${type.name}'.`)
    const isComputed = property.computed && !(at.behaviour.storesComputed && purpose === 'update')
    if (isComputed || (property.createOnly && purpose !== 'create')) {
      if (purpose === 'replace') continue
      return bodyProblem(`The property '${member}' cannot be set.`)
    }
    const message = at.behaviour.valueProblem(value, property, at)
    if (message !== undefined) return bodyProblem(message)
    const read = readMember(value, property, purpose, types, at)
    if (read.kind === 'problem') return read
    values[member] = read.json
  }
  if (purpose !== 'update') {
    for (const property of type.properties) {
      if (Object.hasOwn(values, property.name) || property.computed || (property.createOnly && purpose === 'replace'))
        continue
      if (property.required) return bodyProblem(`The property '${property.name}' is required.`)
      values[property.name] = property.default ?? (property.collection ? [] : null)
    }
  }
  return { kind: 'values', values, type }
}

type MemberReading = { readonly kind: 'json'; readonly json: Json } | Extract<BodyReading, { readonly kind: 'problem' }>

function readMember(
  value: Json,
  property: Property,
  purpose: BodyPurpose,
  types: readonly StructuredType[],
  at: EndpointContext,
): MemberReading {
  const { type } = property
  if (type.kind !== 'complexType' || value === null) return { kind: 'json', json: value }
  if (!property.collection) return readComplex(value, type, purpose, types, at)
  const items: Json[] = []
  for (const each of Array.isArray(value) ? value : []) {
    const read = readComplex(each, type, 'create', types, at)
    if (read.kind === 'problem') return read
    items.push(read.json)
  }
  return { kind: 'json', json: items }
}

function readComplex(
  value: Json,
  type: ComplexType,
  purpose: BodyPurpose,
  types: readonly StructuredType[],
  at: EndpointContext,
): MemberReading {
  if (!isObject(value)) return bodyProblem(`A value of type '${type.name}' must be an object.`)
  const read = readBody(value, type, purpose, types, at)
  return read.kind === 'problem' ? read : { kind: 'json', json: { ...read.values } }
}

function bodyProblem(message: string): { readonly kind: 'problem'; readonly message: string } {
  return { kind: 'problem', message }
}

/** The types that a body may have, given its declared type. */
export function typesBelow(declared: EntityType, all: readonly StructuredType[]): readonly StructuredType[] {
  const found: StructuredType[] = [declared]
  for (const type of all)
    if (type.kind === 'complexType' || (type.base !== undefined && found.includes(type.base))) found.push(type)
  return found
}

/**
 * The reason why a value is invalid for a property or parameter. Undefined if it is valid. Does not check inside complex
 * values.
 */
export function valueProblem(value: Json, property: TypedValue): string | undefined {
  const { name, type, collection, nullable, minItems, maxItems } = property
  if (!collection) {
    if (value === null) return nullable ? undefined : `'${name}' cannot be null.`
    return fits(value, type) && satisfiesFacets(value, facetsOf(property))
      ? undefined
      : `The value of '${name}' does not fit.`
  }
  if (!Array.isArray(value)) return `'${name}' must be a collection.`
  if (value.length < (minItems ?? 0) || value.length > (maxItems ?? value.length))
    return `'${name}' has too many or too few items.`
  const isFit = value.every(
    (item: Json) => item !== null && fits(item, type) && satisfiesFacets(item, facetsOf(property)),
  )
  return isFit ? undefined : `An item of '${name}' does not fit.`
}

function facetsOf(property: TypedValue): Facets {
  return property.type.kind === 'typeDefinition' ? { ...property.type, ...property } : property
}

function fits(value: Json, type: ValueType): boolean {
  switch (type.kind) {
    case 'primitive':
      return fitsPrimitive(value, type.name)
    case 'typeDefinition':
      return fitsPrimitive(value, type.underlying)
    case 'enumType':
      return typeof value === 'string' && enumOf(value, type) !== undefined
    default:
      return typeof value === 'object'
  }
}

const ranges: Readonly<Partial<Record<PrimitiveTypeName, readonly [number, number]>>> = {
  Byte: [0, 255],
  SByte: [-128, 127],
  Int16: [-32_768, 32_767],
  Int32: [-2_147_483_648, 2_147_483_647],
  Int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

const texts: Readonly<Partial<Record<PrimitiveTypeName, (text: string) => boolean>>> = {
  String: () => true,
  Binary: text => /^[A-Za-z0-9_+/-]*={0,2}$/.test(text),
  Date: isDate,
  DateTimeOffset: text => instantOf(text) !== undefined,
  TimeOfDay: text => timeOf(text) !== undefined,
  Duration: text => durationOf(text) !== undefined,
  Guid: text => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
}

function fitsPrimitive(value: Json, name: PrimitiveTypeName): boolean {
  if (name === 'Boolean') return typeof value === 'boolean'
  const range = ranges[name]
  if (range !== undefined) {
    return typeof value === 'number' && Number.isInteger(value) && value >= range[0] && value <= range[1]
  }
  if (name === 'Decimal' || name === 'Double' || name === 'Single') return typeof value === 'number'
  const isText = texts[name]
  // What remains are geographies and geometries, in GeoJSON.
  if (isText === undefined) return isObject(value) && typeof value['type'] === 'string'
  return typeof value === 'string' && isText(value)
}

function satisfiesFacets(value: Json, facets: Facets): boolean {
  const { minLength, maxLength, minimum, maximum, pattern, scale } = facets
  if (typeof value === 'number') {
    const isScaled = typeof scale !== 'number' || Number(value.toFixed(scale)) === value
    return isScaled && value >= (minimum ?? value) && value <= (maximum ?? value)
  }
  if (typeof value !== 'string') return true
  const length = [...value].length
  if (length < (minLength ?? 0) || length > (maxLength ?? length)) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}
