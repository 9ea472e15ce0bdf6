import type { TypeTable } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import type { Laws } from './laws.js'
import { integerOf, rationalOf } from './rational.js'
import { daysOf, durationOf, instantOf, timeOf } from './temporal.js'
import type { Possible, Value } from './value.js'

/** What reading a value takes. */
export interface Reading {
  readonly laws: Laws
  readonly types: TypeTable
}

const integers: ReadonlySet<string> = new Set(['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64'])

/**
 * What a JSON value of a declared type stands for. `unknown` for what does not have the form of its type: that is another
 * rule's business.
 */
export function readJson(json: unknown, type: string, isCollection: boolean, reading: Reading): Possible {
  if (json === null || json === undefined) return [null]
  if (isCollection) {
    if (!Array.isArray(json)) return 'unknown'
    return [{ kind: 'items', items: json.map((item: unknown) => readJson(item, type, false, reading)) }]
  }
  const info = Object.hasOwn(reading.types, type) ? reading.types[type] : undefined
  switch (info?.kind) {
    case 'typeDefinition':
      return readPrimitive(json, info.type, reading.laws)
    case 'enumType':
      return typeof json === 'string' || typeof json === 'number'
        ? [enumOf(String(json), type, reading.types)]
        : 'unknown'
    case 'entityType':
    case 'complexType':
      return isRow(json) ? [{ kind: 'item', row: json, type }] : 'unknown'
    default:
      return type.startsWith('Edm.') ? readPrimitive(json, type, reading.laws) : 'unknown'
  }
}

/** The value of a primitive type that a text or a JSON value stands for. */
export function readPrimitive(json: unknown, type: string, laws: Laws): Possible {
  if (type === 'Edm.Boolean') return typeof json === 'boolean' ? [json] : 'unknown'
  if (typeof json === 'number') return isNumeric(type) ? numberOf(json, type) : 'unknown'
  if (typeof json !== 'string') return 'unknown'
  if (type === 'Edm.String') return textOf(json, laws)
  const value = isNumeric(type) ? numericText(json, type) : ofText(json, type, laws)
  return value === undefined ? 'unknown' : [value]
}

/** A text, which may be null when it is empty. */
export function textOf(text: string, { emptyIsNull }: Laws): Possible {
  const value: Value = { kind: 'text', text }
  if (text !== '' || !emptyIsNull.possible) return [value]
  return emptyIsNull.certain ? [null] : [value, null]
}

/** A member of an enumeration, or several joined by commas, by name or number. */
export function enumOf(text: string, type: string, types: TypeTable): Value {
  const info = Object.hasOwn(types, type) ? types[type] : undefined
  let number: bigint | undefined = 0n
  for (const part of text.split(',')) {
    const name = part.trim()
    const member = info?.kind === 'enumType' && Object.hasOwn(info.members, name) ? info.members[name] : undefined
    if (member !== undefined) number |= BigInt(member)
    else if (/^-?\d{1,19}$/.test(name)) number |= BigInt(name)
    else return { kind: 'enum', type, text }
  }
  return { kind: 'enum', type, text, number }
}

function isNumeric(type: string): boolean {
  return integers.has(type) || type === 'Edm.Decimal' || type === 'Edm.Double' || type === 'Edm.Single'
}

/** A JSON number beyond 2^53 has lost digits on the way. */
function numberOf(json: number, type: string): Possible {
  if (!Number.isFinite(json)) return 'unknown'
  if (Number.isInteger(json) && !Number.isSafeInteger(json) && type !== 'Edm.Double') return 'unknown'
  const value = Number.isInteger(json) ? integerOf(json) : rationalOf(String(json))
  if (value === undefined) return 'unknown'
  return [{ kind: 'number', value, isInteger: integers.has(type), approximate: isRounded(json, type) }]
}

/** Whether a Single shows other digits than those it has. */
function isRounded(json: number, type: string): boolean {
  return type === 'Edm.Single' && Math.fround(json) !== json
}

function numericText(text: string, type: string): Value | undefined {
  const value = rationalOf(text)
  if (value === undefined) return undefined
  return { kind: 'number', value, isInteger: integers.has(type), approximate: isRounded(Number(text), type) }
}

function ofText(text: string, type: string, { instantsAreFiner }: Laws): Value | undefined {
  switch (type) {
    case 'Edm.Guid':
      return { kind: 'guid', text: text.toLowerCase() }
    case 'Edm.Date': {
      const days = daysOf(text)
      return days === undefined ? undefined : { kind: 'date', days }
    }
    case 'Edm.DateTimeOffset': {
      const instant = instantOf(text)
      if (instant === undefined) return undefined
      const width = instantsAreFiner.possible ? instant.unit - 1n : 0n
      return { kind: 'instant', from: instant.ticks - width, to: instant.ticks + width, offset: instant.offset }
    }
    case 'Edm.TimeOfDay': {
      const time = timeOf(text)
      return time === undefined ? undefined : { kind: 'time', ticks: time.ticks }
    }
    case 'Edm.Duration': {
      const ticks = durationOf(text)
      return ticks === undefined ? undefined : { kind: 'duration', ticks }
    }
    default:
      return { kind: 'opaque', text }
  }
}

function isRow(json: unknown): json is Row {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
