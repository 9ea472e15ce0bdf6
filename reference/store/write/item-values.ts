import { randomUUID } from 'node:crypto'
import { printJson } from '../../../runtime/server/index.js'
import type { EntityType, Property } from '../../../spec/language/index.js'
import type { SqlValue } from '../../../sql/index.js'
import {
  type Column,
  dynamicProperties,
  encodeValue,
  hasOpenType,
  instantOf,
  isStorable,
  openColumn,
  storedProperties,
  storedTypeOfProperty,
  type Table,
  type ValueKind,
} from '../../../sql/index.js'
import { planIndexes } from '../migrations/plan.js'
import type { Store } from '../store.js'
import { zeroValue } from '../values/normaliser.js'

/** The size of texts in an index entry, in bytes. PostgreSQL limits an entry to 2,704 bytes, overhead included. */
const roomOfEntry = 2560
/** The maximum size of one text: 320 characters of four bytes each. */
const longest = roomOfEntry / 2

const known = new WeakMap<Table, ReadonlyMap<string, number>>()

/**
 * The maximum size of a text in an indexed column, in bytes of UTF-8; undefined if the column is not indexed. The columns of
 * an index share the available size. The limits are the same for both engines.
 */
function longestIndexed(column: string, table: Table, store: Store): number | undefined {
  let limits = known.get(table)
  if (limits === undefined) {
    limits = limitsOf(table, store)
    known.set(table, limits)
  }
  return limits.get(column)
}

function limitsOf(table: Table, { schema, service }: Store): ReadonlyMap<string, number> {
  const texts = new Set(table.columns.filter(isLongText).map(({ name }) => name))
  const limits = new Map<string, number>()
  for (const { columns } of planIndexes(table, schema, service)) {
    const found = columns.filter(name => texts.has(name))
    const limit = Math.min(longest, Math.floor(roomOfEntry / found.length))
    for (const name of found) limits.set(name, Math.min(limit, limits.get(name) ?? limit))
  }
  return limits
}

/** Guids, dates and the like are always short. */
function isLongText({ type }: Column): boolean {
  return type.kind === 'string' || type.kind === 'binary'
}

/**
 * A new Guid that starts with the time, so that consecutive Guids are adjacent in an index.
 *
 * @see RFC 9562, 5.7 (UUID version 7)
 */
function newGuid(time: Date): string {
  // A clock that is wrong can be before 1970.
  const moment = Math.max(0, time.getTime()).toString(16).padStart(12, '0').slice(-12)
  // Node.js keeps random bits in store for this function, so that it takes less time than asking for bytes.
  return `${moment.slice(0, 8)}-${moment.slice(8)}-7${randomUUID().slice(15)}`
}

/** A value that has the right type but that the store cannot keep. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue'
  readonly property: string
  /** The rest of a sentence that begins with the property, such as `must have at most 5 bytes`. */
  readonly problem: string

  constructor(property: string, problem: string) {
    super(`${property} ${problem}.`)
    this.property = property
    this.problem = problem
  }
}

/** The stored values of an item by column. */
export type ColumnValues = Readonly<Record<string, SqlValue>>

/**
 * All values of a new item: the given ones, and stamps, defaults, generated keys, null and empty lists for the rest. A
 * missing numeric key is null, and assigned later.
 *
 * @throws {InvalidValue} for a value that the store cannot keep
 */
export function newValues(type: EntityType, given: Readonly<Record<string, unknown>>, store: Store): ColumnValues {
  const table = store.schema.tableOf(type)
  const values: Record<string, SqlValue> = {}
  const time = store.now()
  const now = `${instantOf(time)}Z`
  for (const property of storedProperties(type)) {
    const value = Object.hasOwn(given, property.name) ? given[property.name] : undefined
    const initial = value === undefined ? initialValue(property, type, { time, now }) : value
    values[table.columnOf(property).name] = columnValue(property, initial, table, store)
  }
  if (hasOpenType(table)) values[openColumn] = encodeDynamicProperties(dynamicProperties(type, given))
  return values
}

/**
 * Encodes the dynamic properties of an item.
 *
 * @throws {InvalidValue}
 */
export function encodeDynamicProperties(members: Readonly<Record<string, unknown>>): SqlValue {
  const text = printJson(members)
  if (unstorableJson.test(text)) throw new InvalidValue('The body', unstorableProblem)
  return text === '{}' ? null : text
}

/** When an item is created. */
interface Moment {
  readonly time: Date
  /** The time as a value of `Edm.DateTimeOffset`. */
  readonly now: string
}

function initialValue(property: Property, type: EntityType, { time, now }: Moment): unknown {
  if (property.stamp !== undefined) return now
  if (property.default !== undefined) return property.default
  if (property.collection) return []
  if (type.key.includes(property)) return initialKey(property, time)
  return isServiceComputed(property, type) ? zeroValue(property.type, now) : null
}

/** Whether the service computes a property. Unique properties and foreign keys are excluded. */
function isServiceComputed({ name, computed, nullable, unique }: Property, { navigation }: EntityType): boolean {
  const leads = navigation.some(({ constraint }) => constraint.some(({ dependent }) => dependent === name))
  return computed && !nullable && !unique && !leads
}

/** Whether the service can generate a key of this type. */
export function canGenerateKey(property: Property): boolean {
  return madeKeys.has(storedTypeOfProperty(property).kind)
}

const madeKeys: ReadonlySet<ValueKind> = new Set(['string', 'guid', 'integer', 'decimal', 'double'])

/**
 * Null for a numeric key, which is assigned later.
 *
 * @throws {InvalidValue} if the key cannot be generated, such as a date
 */
function initialKey(property: Property, time: Date): unknown {
  if (!canGenerateKey(property)) throw new InvalidValue(property.name, 'is part of the key and is required')
  const { kind } = storedTypeOfProperty(property)
  return kind === 'string' || kind === 'guid' ? newGuid(time) : null
}

const unstorable = /\0|\p{Surrogate}/u
const unstorableJson = /\\u(?:0000|d[89a-f])/
const unstorableProblem = 'must not contain U+0000 or a lone surrogate'

/**
 * Encodes a value for its column.
 *
 * @throws {InvalidValue}
 */
export function columnValue(property: Property, value: unknown, table: Table, store: Store): SqlValue {
  const stored = storedTypeOfProperty(property)
  const normalised = stored.kind === 'json' ? store.normalise(value, property) : value
  const encoded = encodeValue(normalised, stored, store.engine.dialect)
  if (encoded === undefined) throw new InvalidValue(property.name, 'has a value that does not fit its type')
  if (typeof encoded !== 'string') return encoded
  if (stored.kind === 'date' || stored.kind === 'dateTimeOffset') {
    if (!isStorable(encoded)) throw new InvalidValue(property.name, 'must have a year from 0000 to 9999')
    return encoded
  }
  if (unstorable.test(encoded) || (stored.kind === 'json' && unstorableJson.test(encoded))) {
    throw new InvalidValue(property.name, unstorableProblem)
  }
  const longest = longestIndexed(table.columnOf(property).name, table, store)
  if (longest !== undefined && Buffer.byteLength(encoded) > longest) {
    throw new InvalidValue(property.name, `must have at most ${longest} bytes of UTF-8, because it is indexed`)
  }
  return encoded
}
