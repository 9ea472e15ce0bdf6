import type { EnumType, PrimitiveTypeName, ValueType } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import { durationOf, instantOf, timeOf } from './temporal.js'
import type { Value } from './value.js'

/** A JSON value as one of its declared type. */
export function readValue(json: Json, type: ValueType, collection: boolean): Value {
  if (json === null) return null
  if (collection) {
    return {
      kind: 'collection',
      items: Array.isArray(json) ? json.map((each: Json) => readValue(each, type, false)) : [],
    }
  }
  switch (type.kind) {
    case 'primitive':
      return readPrimitive(json, type.name)
    case 'typeDefinition':
      return readPrimitive(json, type.underlying)
    case 'enumType':
      return typeof json === 'string' ? (enumOf(json, type) ?? null) : null
    default:
      return isRecord(json) ? { kind: 'object', type, values: json } : null
  }
}

/** The value of an enumeration that a text names, `a,b` where its members may be combined. */
export function enumOf(text: string, type: EnumType): Value | undefined {
  const byName = new Map(type.members.map(member => [member.name, member.value]))
  const numbers = text.split(',').map(name => byName.get(name.trim()))
  if (numbers.some(number => number === undefined) || (!type.flags && numbers.length > 1)) return undefined
  return { kind: 'enum', type, number: numbers.reduce((all: number, each) => all | (each ?? 0), 0), text }
}

function readPrimitive(json: Json, name: PrimitiveTypeName): Value {
  if (typeof json === 'boolean' || typeof json === 'number') return json
  if (typeof json !== 'string') return { kind: 'other', json }
  switch (name) {
    case 'DateTimeOffset':
      return timed('instant', instantOf(json))
    case 'TimeOfDay':
      return timed('time', timeOf(json))
    case 'Duration':
      return timed('duration', durationOf(json))
    case 'Date':
      return { kind: 'date', text: json }
    case 'Guid':
      return { kind: 'guid', text: json.toLowerCase() }
    case 'Binary':
      return { kind: 'binary', text: json }
    default:
      return json
  }
}

function timed(kind: 'instant' | 'time' | 'duration', nanos: bigint | undefined): Value {
  return nanos === undefined ? null : { kind, nanos }
}

function isRecord(json: Json): json is { readonly [name: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
