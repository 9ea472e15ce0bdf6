import type { ComplexType, PrimitiveTypeName, Property, ValueType } from '../../spec/language/index.js'
import { isRow } from '../is-row.js'
import { daysOf, durationOf, instantOf, timeOf } from '../semantics/temporal.js'

/** A value that is not of its declared type. */
export interface TypeFault {
  /** From the property down, `body/contentType`. */
  readonly path: string
  readonly value: unknown
  /** The name of the declared type. */
  readonly type: string
}

/** What in a value is not of the property's type; null is of every type, and members that are not declared are not judged. */
export function typeFault(value: unknown, property: Property, prefix = ''): TypeFault | undefined {
  const path = `${prefix}${property.name}`
  if (value === null || value === undefined) return undefined
  if (!property.collection) return faultOf(value, property.type, path)
  if (!Array.isArray(value)) return { path, value, type: 'Collection' }
  for (const item of value) {
    const fault = faultOf(item, property.type, path)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOf(value: unknown, type: ValueType, path: string): TypeFault | undefined {
  if (value === null) return undefined
  switch (type.kind) {
    case 'complexType':
      return isRow(value) ? memberFault(value, type, path) : { path, value, type: type.name }
    case 'enumType':
      return typeof value === 'string' && value !== '' ? undefined : { path, value, type: type.name }
    case 'typeDefinition':
      return isOf(value, type.underlying) ? undefined : { path, value, type: type.underlying }
    case 'primitive':
      return isOf(value, type.name) ? undefined : { path, value, type: type.name }
    default:
      return undefined
  }
}

function memberFault(value: Readonly<Record<string, unknown>>, type: ComplexType, path: string): TypeFault | undefined {
  for (const property of type.properties) {
    if (!Object.hasOwn(value, property.name)) continue
    const fault = typeFault(value[property.name], property, `${path}/`)
    if (fault !== undefined) return fault
  }
  return undefined
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const notFinite: ReadonlySet<unknown> = new Set(['INF', '-INF', 'NaN'])
const ranges: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['Byte', [0, 255]],
  ['SByte', [-128, 127]],
  ['Int16', [-32_768, 32_767]],
  ['Int32', [-2_147_483_648, 2_147_483_647]],
])

function isOf(value: unknown, name: PrimitiveTypeName): boolean {
  const range = ranges.get(name)
  if (range !== undefined) {
    return typeof value === 'number' && Number.isInteger(value) && value >= range[0] && value <= range[1]
  }
  const reads = (read: (text: string) => unknown): boolean => typeof value === 'string' && read(value) !== undefined
  switch (name) {
    case 'Boolean':
      return typeof value === 'boolean'
    // In quotes when the caller asks for it, or where a number would lose digits.
    case 'Int64':
      return Number.isInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value))
    case 'Decimal':
      return (
        typeof value === 'number' ||
        (typeof value === 'string' && /^[-+]?\d{1,40}(\.\d{1,40})?(e[-+]?\d{1,4})?$/i.test(value))
      )
    case 'Double':
    case 'Single':
      return typeof value === 'number' || notFinite.has(value)
    case 'Guid':
      return typeof value === 'string' && guid.test(value)
    case 'Date':
      return reads(daysOf)
    case 'DateTimeOffset':
      return reads(instantOf)
    case 'TimeOfDay':
      return reads(timeOf)
    case 'Duration':
      return reads(durationOf)
    case 'String':
    case 'Binary':
      return typeof value === 'string'
    case 'Stream':
      return true
    default:
      return isRow(value)
  }
}
