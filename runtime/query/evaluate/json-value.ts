import { EvaluationError } from '../evaluation-error.js'
import type { TypeTable } from '../schema.js'
import { typeKey } from '../type-key.js'
import { fromInteger, parseDecimal, parseScientific } from './decimal.js'
import { enumText, enumValue } from './enum-value.js'
import { isJsonObject } from './json-object.js'
import { castNumeric, castText, parseDouble } from './text-cast.js'
import { typeNamed } from './type-lookup.js'
import { integer, type NumericValue, string, type Value } from './value.js'

/**
 * The value of a JSON value from a row, read as the declared type if there is one. A number without a declared type is an
 * integer or an exact decimal; a string takes on the type of what it meets.
 *
 * @throws {EvaluationError} when the JSON value does not fit the declared type
 */
export function jsonValue(json: unknown, type: string | undefined, types: TypeTable | undefined): Value {
  if (json === null || json === undefined) return null
  if (Array.isArray(json))
    return { kind: 'collection', items: json.map((item: unknown) => jsonValue(item, type, types)) }
  if (type?.startsWith('Edm.') === true) return primitiveValue(json, type)
  const info = typeNamed(type, types)
  if (info?.kind === 'typeDefinition') return jsonValue(json, info.type, types)
  if (type !== undefined && info?.kind === 'enumType') {
    if (typeof json === 'string') return enumValue(type, json, types)
    return typeof json === 'number' ? enumValue(type, enumText(BigInt(json), info), types) : undeclared(json, type)
  }
  return untypedValue(json, type, types)
}

function untypedValue(json: unknown, type: string | undefined, types: TypeTable | undefined): Value {
  switch (typeof json) {
    case 'boolean':
      return json
    case 'string':
      return string(json)
    case 'bigint':
      return integer(json)
    case 'number':
      return numberValue(json)
    default:
      if (!isJsonObject(json)) throw new EvaluationError(`${typeof json} is no value of JSON.`)
      return { kind: 'structured', json, type: actualType(json, type, types) }
  }
}

/** The type that an item names itself, when the table has it; otherwise the declared one. */
function actualType(
  json: Readonly<Record<string, unknown>>,
  declared: string | undefined,
  types: TypeTable | undefined,
): string | undefined {
  const named = json['@odata.type'] ?? json['@type']
  if (typeof named === 'string' && typeNamed(named, types) !== undefined) return typeKey(named, types)
  return declared === undefined ? undefined : typeKey(declared, types)
}

function numberValue(json: number): NumericValue {
  if (Number.isInteger(json)) return integer(json)
  if (!Number.isFinite(json)) return { kind: 'double', value: json }
  const text = String(json)
  return text.includes('e') ? { kind: 'double', value: json } : { kind: 'decimal', value: parseDecimal(text) }
}

const textKinds: Readonly<Record<string, string>> = {
  'Edm.Guid': 'guid',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'dateTimeOffset',
  'Edm.TimeOfDay': 'timeOfDay',
  'Edm.Duration': 'duration',
}

function primitiveValue(json: unknown, type: string): Value {
  if (typeof json === 'boolean') return type === 'Edm.Boolean' ? json : undeclared(json, type)
  switch (type) {
    case 'Edm.String':
      return typeof json === 'string' ? string(json) : undeclared(json, type)
    case 'Edm.Binary':
    case 'Edm.Stream':
      return { kind: 'binary', text: String(json) }
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.Int64':
    case 'Edm.Decimal':
    case 'Edm.Double':
    case 'Edm.Single':
      return numericValue(json, type)
    default:
      break
  }
  if (type.startsWith('Edm.Geo'))
    return { kind: type.startsWith('Edm.Geog') ? 'geography' : 'geometry', text: JSON.stringify(json) }
  const kind = Object.hasOwn(textKinds, type) ? textKinds[type] : undefined
  if (kind === undefined) return untypedValue(json, undefined, undefined)
  return (typeof json === 'string' ? castText(json, kind) : undefined) ?? undeclared(json, type)
}

/** A number, or the text of one, as services write Int64 and Decimal when asked for exactness. */
function numericValue(json: unknown, type: string): NumericValue {
  if (typeof json !== 'number' && typeof json !== 'string' && typeof json !== 'bigint') return undeclared(json, type)
  if (type === 'Edm.Double' || type === 'Edm.Single') {
    const value = typeof json === 'string' ? parseDouble(json) : Number(json)
    return value === undefined ? undeclared(json, type) : { kind: 'double', value }
  }
  const value = typeof json === 'number' ? numberValue(json) : castNumeric(String(json))
  if (type !== 'Edm.Decimal') return value?.kind === 'integer' ? value : undeclared(json, type)
  if (value === undefined) return undeclared(json, type)
  if (value.kind === 'integer') return { kind: 'decimal', value: fromInteger(value.value) }
  // Whoever writes the JSON may write a small decimal with an exponent.
  const exact = value.kind === 'double' ? parseScientific(String(value.value)) : undefined
  return exact === undefined ? value : { kind: 'decimal', value: exact }
}

function undeclared(json: unknown, type: string): never {
  throw new EvaluationError(
    `The row holds ${typeof json === 'bigint' ? json : JSON.stringify(json)} where a value of ${type} is declared.`,
  )
}
