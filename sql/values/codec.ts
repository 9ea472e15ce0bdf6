import { type ExactNumber, exactNumber, numeral } from '../../runtime/query/index.js'
import { JsonText, parseExactJson, printJson } from '../../runtime/server/index.js'
import type { EnumType } from '../../spec/language/index.js'
import type { Dialect, SqlValue } from '../dialects/dialect.js'
import type { Storage, StoredType } from '../schema/stored-type.js'
import { sortableDecimal, storedNumber } from './sortable-decimal.js'
import { formatDuration, parseDuration, storedDate, storedInstant, storedTimeOfDay, wireInstant } from './temporal.js'

/**
 * Encodes a value from its form in requests and responses to its stored form; undefined if it does not have the type. Null
 * stays null.
 */
export function encodeValue(value: unknown, { kind, enumType }: StoredType, dialect: Dialect): SqlValue | undefined {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'json':
      return printJson(value)
    case 'boolean':
      return typeof value === 'boolean' ? dialect.boolean(value) : undefined
    case 'double':
      return encodeDouble(value, dialect)
    case 'integer':
      return encodeInteger(value)
    case 'decimal':
      return encodeDecimal(value, dialect)
    default:
      break
  }
  if (typeof value !== 'string') return undefined
  switch (kind) {
    case 'guid':
      return value.toLowerCase()
    case 'date':
      return storedDate(value)
    case 'dateTimeOffset':
      return storedInstant(value)
    case 'timeOfDay':
      return storedTimeOfDay(value)
    case 'duration':
      return parseDuration(value) ?? undefined
    case 'enum':
      return enumType === undefined ? undefined : parseEnum(value, enumType)
    default:
      return value
  }
}

/** Decodes stored values for a response. Stored JSON is sent as it is. */
export function wireDecoderFor(type: StoredType): (stored: unknown) => unknown {
  if (type.kind !== 'json') return decoderFor(type)
  return stored => (typeof stored === 'string' ? new JsonText(stored) : null)
}

/** Decodes stored values to the form of responses, as objects that can be inspected. */
export function decoderFor({ kind, enumType }: StoredType): (stored: unknown) => unknown {
  switch (kind) {
    case 'json':
      return stored => (stored === '[]' ? [] : typeof stored === 'string' ? parseExactJson(stored) : null)
    case 'boolean':
      return stored => (stored === null ? null : stored === 1 || stored === true)
    case 'integer':
    case 'decimal':
      return stored => (typeof stored === 'number' ? stored : storedNumber(stored))
    case 'dateTimeOffset':
      return stored => (typeof stored === 'string' ? wireInstant(stored) : null)
    case 'duration':
      return stored => (stored === null ? null : formatDuration(Number(stored)))
    case 'enum':
      return stored => (stored === null || enumType === undefined ? null : formatEnum(Number(stored), enumType))
    default:
      return stored => stored
  }
}

/** Undefined: the value is not an integer of 64 bits. */
export function encodeInteger(value: unknown): SqlValue | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  const number = exactOf(value)
  const digits = number === undefined ? '' : numeral(number)
  if (!/^-?[0-9]+$/.test(digits)) return typeof number === 'number' ? number : undefined
  const integer = BigInt(digits)
  return BigInt.asIntN(64, integer) === integer ? integer : undefined
}

/** SQLite has no exact decimal numbers. They are stored as sortable text. */
function encodeDecimal(value: unknown, { name }: Dialect): SqlValue | undefined {
  const number = exactOf(value)
  return name === 'sqlite' && number !== undefined ? sortableDecimal(number) : number
}

function exactOf(value: unknown): ExactNumber | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const given = value instanceof JsonText ? value.text : value
  return typeof given === 'string' || typeof given === 'bigint' ? exactNumber(String(given)) : undefined
}

function numberOf(value: unknown): SqlValue | undefined {
  if (typeof value !== 'string' && typeof value !== 'bigint') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** SQLite has no NaN. It is stored as text, which sorts after all numbers. */
function encodeDouble(value: unknown, dialect: Dialect): SqlValue | undefined {
  const words: Readonly<Record<string, number>> = { INF: Number.POSITIVE_INFINITY, '-INF': Number.NEGATIVE_INFINITY }
  if (value === 'NaN' || Number.isNaN(value)) return dialect.name === 'sqlite' ? 'NaN' : Number.NaN
  if (typeof value === 'string' && Object.hasOwn(words, value)) return words[value]
  return typeof value === 'number' ? value : numberOf(value)
}

/** The number of the members that a text names, such as `fiction,history`; undefined if it names an unknown member. */
export function parseEnum(text: string, { members }: EnumType): number | undefined {
  let number = 0
  for (const name of text.split(',')) {
    const trimmed = name.trim()
    const member = members.find(candidate => candidate.name === trimmed)
    if (member !== undefined) number |= member.value
    else if (/^-?\d{1,9}$/.test(trimmed)) number |= Number(trimmed)
    else return undefined
  }
  return number
}

/**
 * The text of a number: the name of its member; for flags, the names of the members that it consists of; otherwise the
 * number.
 */
function formatEnum(number: number, { members, flags }: EnumType): string {
  const exact = members.find(member => member.value === number)
  if (exact !== undefined) return exact.name
  if (!flags) return String(number)
  const parts = members.filter(({ value }) => value !== 0 && (number & value) === value)
  const sum = parts.reduce((bits, { value }) => bits | value, 0)
  return sum === number ? parts.map(part => part.name).join(',') : String(number)
}

/** Decodes stored values to plain JSON, with numbers that would lose digits as texts. */
export function plainDecoderFor(type: StoredType): (stored: unknown) => unknown {
  const decode = decoderFor(type)
  if (type.kind === 'json') return stored => plainJson(decode(stored))
  if (type.kind !== 'double') return decode
  // A driver can return numbers as texts.
  return stored => (typeof stored === 'string' && stored !== 'NaN' ? Number(stored) : stored)
}

function plainJson(value: unknown): unknown {
  if (value instanceof JsonText) return value.text
  if (Array.isArray(value)) return value.map(plainJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainJson(member)]))
}

/** The digits of fractional seconds that engines keep. */
const instant = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?$/
const date = /^(?!0000)\d{4}-\d\d-\d\d$/
const time = /^\d\d:\d\d:\d\d(?:\.\d{1,6})?$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A stored value as a value of a type of the engine; undefined if the engine cannot represent it exactly. It is then compared
 * in its stored form.
 */
export function nativeValue(
  value: SqlValue | undefined,
  storage: Storage,
  { enumType }: StoredType,
): SqlValue | undefined {
  if (storage === 'untyped') return enumType?.members.find(member => member.value === value)?.name
  if (typeof value !== 'string') return undefined
  switch (storage) {
    case 'uuid':
      return uuid.test(value) ? value : undefined
    case 'timestamptz':
      return instant.test(value) ? `${value}Z` : undefined
    case 'timestamp':
      return instant.test(value) ? value : undefined
    case 'date':
      return date.test(value) ? value : undefined
    case 'time':
      return time.test(value) ? value : undefined
    case 'equalText':
      return value
    default:
      return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets a member of an object. `__proto__` becomes an ordinary member and does not replace the prototype. */
export function defineMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true })
  else object[name] = value
}
