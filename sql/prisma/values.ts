import { exactNumber, type Literal } from '../../runtime/query/index.js'
import { malformedQuery, unsupportedQuery } from '../query-faults.js'
import type { StoredType } from '../schema/stored-type.js'
import { isObject } from '../values/codec.js'
import { compareExactly, rounded } from '../values/exact-decimal.js'
import { instantOf, storedDate, storedInstant, storedTimeOfDay, wireInstant } from '../values/temporal.js'

/**
 * A literal among the values of a field: the greatest value up to it, and whether it is that value. `below` and `above`: it is
 * beyond all values. `unordered`: NaN.
 */
export type Point = { readonly value: unknown; readonly exact: boolean } | 'below' | 'above' | 'unordered'

const unstorable = /\0|\p{Surrogate}/u
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Converts a literal to the type of a field.
 *
 * @param range of an integer type
 * @throws {RequestFault} if it cannot be compared with the field
 */
export function pointOf(
  literal: Literal,
  { kind }: StoredType,
  range: readonly [least: bigint, greatest: bigint],
  option: string,
): Point {
  const { type, value } = literal
  const expected = kinds[kind]
  if (typeof value !== 'string' || (expected !== undefined && type !== 'String' && !expected.includes(type)))
    throw unsupportedQuery(option, `Prisma cannot compare this property with ${type} values.`)
  switch (kind) {
    case 'string':
      if (unstorable.test(value)) throw malformedQuery(option, 'Strings must not contain U+0000 or a lone surrogate.')
      return { value, exact: true }
    case 'guid':
      if (!uuid.test(value.toLowerCase())) throw malformedQuery(option, `'${value}' is not a Guid.`)
      return { value: value.toLowerCase(), exact: true }
    case 'integer':
      return wholePoint(value, range)
    case 'decimal':
      return beyondNumbers(value) ?? { value, exact: true }
    case 'double': {
      if (value === 'NaN') return 'unordered'
      if (!Number.isFinite(Number(value)))
        throw unsupportedQuery(option, 'Prisma cannot compare with infinite numbers.')
      return { value: Number(value), exact: true }
    }
    case 'date':
      return timePoint(storedDate(value), text => `${text}T00:00:00Z`, 10)
    case 'dateTimeOffset':
      return timePoint(storedInstant(value), text => `${text}Z`, 23)
    case 'timeOfDay':
      return timePoint(storedTimeOfDay(value), text => `1970-01-01T${text}Z`, 12)
    default:
      throw unsupportedQuery(option, 'Prisma cannot compare this property with a value.')
  }
}

const numbers = ['Integer', 'Decimal', 'Double']
/** The literals that a field of a kind is compared with, beside strings. */
const kinds: Readonly<Partial<Record<StoredType['kind'], readonly Literal['type'][] | readonly string[]>>> = {
  ...{ integer: numbers, decimal: numbers, double: numbers },
  ...{ guid: ['Guid'], date: ['Date'], dateTimeOffset: ['DateTimeOffset'], timeOfDay: ['TimeOfDay'], string: [] },
}

function beyondNumbers(text: string): Point | undefined {
  if (text === 'NaN') return 'unordered'
  const number = Number(text)
  if (!/e|INF/i.test(text) || Number.isFinite(text.endsWith('INF') ? Number.NaN : number)) return undefined
  return text.startsWith('-') ? 'below' : 'above'
}

function wholePoint(text: string, [least, greatest]: readonly [bigint, bigint]): Point {
  const beyond = beyondNumbers(text)
  if (beyond !== undefined) return beyond
  const number = Number(text)
  if (Math.abs(number) > 2 ** 65) return number < 0 ? 'below' : 'above'
  const floor = rounded('floor', text)
  const whole = BigInt(floor)
  if (whole > greatest) return 'above'
  if (whole < least) return 'below'
  const exact = compareExactly(text, floor) === 0
  return { value: Number.isSafeInteger(Number(whole)) ? Number(whole) : whole, exact }
}

/** Prisma's times have milliseconds. */
function timePoint(stored: string | undefined, written: (text: string) => string, length: number): Point {
  if (stored === undefined) throw malformedQuery('$filter', 'A time in it does not exist.')
  if (stored === '~') return 'above'
  if (stored.startsWith('-') || stored.startsWith('0000')) return 'below'
  const value = new Date(written(stored.slice(0, length)))
  if (Number.isNaN(value.getTime())) throw unsupportedQuery('$filter', `Prisma has no value for '${stored}'.`)
  return { value, exact: stored.length <= length }
}

/** Converts values of Prisma to the form of responses. */
export function decoded(value: unknown, { kind }: StoredType): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'guid':
      return String(value).toLowerCase()
    case 'integer':
      return typeof value === 'bigint' ? exactNumber(String(value)) : value
    case 'decimal':
      return exactNumber(digitsOf(value))
    case 'date':
      return value instanceof Date ? value.toISOString().slice(0, 10) : value
    case 'dateTimeOffset':
      return value instanceof Date ? wireInstant(instantOf(value)) : value
    case 'timeOfDay':
      return value instanceof Date ? storedTimeOfDay(value.toISOString().slice(11, 23)) : value
    case 'binary':
      return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : value
    default:
      return value
  }
}

/** The digits of a decimal number of Prisma, without an exponent. */
function digitsOf(value: unknown): string {
  return isObject(value) && typeof value['toFixed'] === 'function' ? String(value['toFixed']()) : String(value)
}

/** A sort key as it is in the token of a next link. */
export function tokenValue(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : digitsOf(value)
}

/** The value of a sort key in a token; undefined if the token was changed. */
export function keyValue(value: unknown, { kind }: StoredType): unknown {
  if (value === null) return null
  switch (kind) {
    case 'integer':
      if (typeof value === 'string') return /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined
      return Number.isSafeInteger(value) ? value : undefined
    case 'double':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'decimal':
      return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? value : undefined
    case 'date':
    case 'dateTimeOffset':
    case 'timeOfDay': {
      const time = new Date(typeof value === 'string' ? value : Number.NaN)
      return Number.isNaN(time.getTime()) ? undefined : time
    }
    default:
      return typeof value === 'string' && !unstorable.test(value) ? value : undefined
  }
}
