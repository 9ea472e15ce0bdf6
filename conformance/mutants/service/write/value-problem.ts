import type { Facets, PrimitiveTypeName, Property, ValueType } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import { enumOf } from '../value/read-value.js'
import { durationOf, instantOf, isDate, timeOf } from '../value/temporal.js'

type Kept = Pick<Property, 'name' | 'type' | 'collection' | 'nullable'> & Facets

/** What is wrong with a value of a property or parameter; undefined when it fits. Complex values are looked into elsewhere. */
export function valueProblem(value: Json, property: Kept): string | undefined {
  const { name, type, collection, nullable, minItems, maxItems } = property
  if (!collection) {
    if (value === null) return nullable ? undefined : `'${name}' cannot be null.`
    return fits(value, type) && withinFacets(value, facetsOf(property))
      ? undefined
      : `The value of '${name}' does not fit.`
  }
  if (!Array.isArray(value)) return `'${name}' must be a collection.`
  if (value.length < (minItems ?? 0) || value.length > (maxItems ?? value.length))
    return `'${name}' has too many or too few items.`
  const isFit = value.every((item: Json) => item !== null && fits(item, type) && withinFacets(item, facetsOf(property)))
  return isFit ? undefined : `An item of '${name}' does not fit.`
}

function facetsOf(property: Kept): Facets {
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
  return isText === undefined ? typeof value === 'object' : typeof value === 'string' && isText(value)
}

function withinFacets(value: Json, { minLength, maxLength, minimum, maximum, pattern }: Facets): boolean {
  if (typeof value === 'number') return value >= (minimum ?? value) && value <= (maximum ?? value)
  if (typeof value !== 'string') return true
  const length = [...value].length
  if (length < (minLength ?? 0) || length > (maxLength ?? length)) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}
