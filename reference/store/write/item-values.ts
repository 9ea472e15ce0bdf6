import type { EntityType, Property } from '../../../spec/language/index.js'
import type { SqlValue } from '../engine/sql-value.js'
import { isOpen, openMembers } from '../schema/open-members.js'
import { storedTypeOfProperty, type ValueKind } from '../schema/storage.js'
import { openColumn, type Table } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { encodeValue } from '../value/column-codec.js'
import { instantOf, isKept } from '../value/moment.js'
import { neutralValue } from '../value/neutral-value.js'
import { InvalidValue } from './invalid-value.js'
import { longestIndexed } from './longest-indexed.js'
import { newGuid } from './new-guid.js'

/** Values of an item's columns, by column, as the store keeps them. */
export type ColumnValues = Readonly<Record<string, SqlValue>>

/**
 * All values of a new item: what is given, and for the rest stamps, defaults, generated keys, null and empty lists. A key
 * that is a number is not among them when it is not given: the store counts it.
 *
 * @throws {InvalidValue} for a value that the store cannot keep
 */
export function newValues(type: EntityType, given: Readonly<Record<string, unknown>>, store: Store): ColumnValues {
  const table = store.schema.tableOf(type)
  const values: Record<string, SqlValue> = {}
  for (const property of keptProperties(type)) {
    const value = Object.hasOwn(given, property.name) ? given[property.name] : undefined
    const wanted = value === undefined ? initialValue(property, type, store) : value
    values[table.columnOf(property).name] = columnValue(property, wanted, table, store)
  }
  if (isOpen(table)) values[openColumn] = openValue(openMembers(type, given))
  return values
}

/** What an item has beside its declared properties, as its column keeps it. @throws {InvalidValue} */
export function openValue(members: Readonly<Record<string, unknown>>): SqlValue {
  const text = JSON.stringify(members)
  if (unstorableJson.test(text)) throw new InvalidValue('The body', unstorableProblem)
  return text === '{}' ? null : text
}

/** The properties that have a column. */
export function keptProperties(type: EntityType): readonly Property[] {
  return type.properties.filter(({ type: of }) => of.kind !== 'primitive' || of.name !== 'Stream')
}

function initialValue(property: Property, type: EntityType, store: Store): unknown {
  const now = `${instantOf(store.now())}Z`
  if (property.stamp !== undefined) return now
  if (property.default !== undefined) return property.default
  if (property.collection) return []
  if (type.key.includes(property)) return initialKey(property, store)
  return isMadeUp(property, type) ? neutralValue(property.type, now) : null
}

/** What only the service can give. Not what must be unlike others, or leads to another item. */
function isMadeUp({ name, computed, nullable, unique }: Property, { navigation }: EntityType): boolean {
  const leads = navigation.some(({ constraint }) => constraint.some(({ dependent }) => dependent === name))
  return computed && !nullable && !unique && !leads
}

/** Whether the service can make a key of a property's type. */
export function isKeyMade(property: Property): boolean {
  return madeKeys.has(storedTypeOfProperty(property).kind)
}

const madeKeys: ReadonlySet<ValueKind> = new Set(['string', 'guid', 'integer', 'decimal', 'double'])

/** Null where the store counts. @throws {InvalidValue} where nobody can know which value it should be, as of a date */
function initialKey(property: Property, store: Store): unknown {
  if (!isKeyMade(property)) throw new InvalidValue(property.name, 'is part of the key and must be given')
  const { kind } = storedTypeOfProperty(property)
  return kind === 'string' || kind === 'guid' ? newGuid(store.now()) : null
}

const unstorable = /\0|\p{Surrogate}/u
const unstorableJson = /\\u(?:0000|d[89a-f])/
const unstorableProblem = 'must not hold the character U+0000 or half a surrogate pair'

/** A value as its column keeps it. @throws {InvalidValue} */
export function columnValue(property: Property, value: unknown, table: Table, store: Store): SqlValue {
  const stored = storedTypeOfProperty(property)
  const wanted = stored.kind === 'json' ? store.normalise(value, property) : value
  const encoded = encodeValue(wanted, stored, store.engine.dialect)
  if (encoded === undefined) throw new InvalidValue(property.name, 'has a value that does not fit its type')
  if (typeof encoded !== 'string') return encoded
  if (stored.kind === 'date' || stored.kind === 'dateTimeOffset') {
    if (!isKept(encoded)) throw new InvalidValue(property.name, 'must be of a year from 0000 to 9999')
    return encoded
  }
  if (unstorable.test(encoded) || (stored.kind === 'json' && unstorableJson.test(encoded))) {
    throw new InvalidValue(property.name, unstorableProblem)
  }
  const longest = longestIndexed(table.columnOf(property).name, table, store)
  if (longest !== undefined && Buffer.byteLength(encoded) > longest) {
    throw new InvalidValue(property.name, `must have at most ${longest} bytes of UTF-8, since it stands in an index`)
  }
  return encoded
}
