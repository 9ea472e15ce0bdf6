import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { EntityType, NavigationProperty, Property } from '../../../spec/language/index.js'
import {
  allOf,
  encodeValue,
  hasOpenType,
  idColumn,
  instantOf,
  openColumn,
  Placeholder,
  type Session,
  type Sql,
  type SqlValue,
  type Statement,
  type Storage,
  singletonColumn,
  storageOf,
  storedNumber,
  storedProperties,
  storedTypeOfProperty,
  type Table,
  typeColumn,
  versionColumn,
} from '../../../sql/index.js'
import type { Store } from '../store.js'
import { type ColumnValues, columnValue, encodeDynamicProperties } from './item-values.js'
import { nextVersion } from './versions.js'
import { updateWordIndex } from './word-index.js'

/** The columns of a new item, without `$id`. */
export function insertedColumns(
  table: Table,
  type: EntityType,
): readonly { readonly name: string; readonly storage: Storage }[] {
  return [
    { name: typeColumn, storage: 'text' },
    { name: versionColumn, storage: 'integer' },
    { name: singletonColumn, storage: 'text' },
    ...(hasOpenType(table) ? [{ name: openColumn, storage: 'text' as const }] : []),
    ...table.owners.map(({ name }) => ({ name, storage: 'integer' as const })),
    ...storedProperties(type).map(property => {
      return { name: table.columnOf(property).name, storage: storageOf(storedTypeOfProperty(property).kind) }
    }),
  ]
}

/** Where a new item belongs. */
export interface Placement {
  /** The item that contains it, and the containing relation. */
  readonly owner?: { readonly id: number; readonly relation: NavigationProperty } | undefined
  /** The name of the singleton. */
  readonly singleton?: string | undefined
}

/**
 * Inserts an item.
 *
 * @returns its `$id`
 * @throws {StoreError} if a value is not unique
 */
export async function insertItem(
  store: Store,
  session: Session,
  type: EntityType,
  values: ColumnValues,
  place: Placement = {},
): Promise<number> {
  const table = store.schema.tableOf(type)
  const all: Record<string, SqlValue> = {
    ...values,
    [typeColumn]: type.name,
    [versionColumn]: await nextVersion(store, session, table),
    [singletonColumn]: place.singleton ?? null,
  }
  for (const { name, relation } of table.owners) all[name] = place.owner?.relation === relation ? place.owner.id : null
  await assignSequentialKeys(store, session, type, all)
  const [row] = await session.all(insertStatement(store, type), all)
  const id = Number(row?.[0])
  await updateWordIndex(store, session, table, id, all, true)
  return id
}

/** Assigns a numeric key that is missing: one more than the largest key of its siblings. */
export async function assignSequentialKeys(
  store: Store,
  session: Session,
  type: EntityType,
  values: Record<string, SqlValue>,
): Promise<void> {
  const table = store.schema.tableOf(type)
  for (const property of type.key) {
    const { name } = table.columnOf(property)
    if (values[name] !== null) continue
    const [row] = await session.all(largestStatement(store, table, name), values)
    const largest = storedNumber(row?.[0] ?? 0)
    values[name] =
      encodeValue(Number(largest) + 1, { kind: storedTypeOfProperty(property).kind }, store.engine.dialect) ?? null
  }
}

const inserts = new WeakMap<Store, Map<EntityType, Statement>>()

function insertStatement(store: Store, type: EntityType): Statement {
  const known = inserts.get(store) ?? new Map<EntityType, Statement>()
  inserts.set(store, known)
  const statement = known.get(type) ?? compileInsert(store, type)
  known.set(type, statement)
  return statement
}

function compileInsert({ schema, engine }: Store, type: EntityType): Statement {
  const table = schema.tableOf(type)
  const { bind } = engine.dialect
  const columns = insertedColumns(table, type)
  const names = sql.join(columns.map(({ name }) => sql.id(name)))
  const values = sql.join(columns.map(({ name, storage }) => bind(new Placeholder(name), storage)))
  return engine.compile(
    sql`INSERT INTO ${sql.id(table.name)} (${names}) VALUES (${values}) RETURNING ${sql.id(idColumn)}`,
  )
}

function largestStatement({ engine }: Store, table: Table, column: string): Statement {
  const { bind } = engine.dialect
  const beside = table.owners.map(
    ({ name }) => sql`${sql.id(name)} IS NOT DISTINCT FROM ${bind(new Placeholder(name), 'integer')}`,
  )
  return engine.compile(sql`SELECT max(${sql.id(column)}) FROM ${sql.id(table.name)} WHERE ${allOf(beside)}`)
}

/** Other requests get a turn before a list with more values is encoded. */
const longList = 1_000
/** And again after so many milliseconds. */
const maxBlocking = 10

/**
 * Updates properties of an item, its stamps, its entity tag and its indexed words.
 *
 * @param open its new dynamic properties; undefined: they stay
 * @throws {InvalidValue} for a value that the store cannot keep
 * @throws {StoreError} if a value is not unique
 */
export async function updateItem(
  store: Store,
  session: Session,
  type: EntityType,
  id: number,
  changes: ReadonlyMap<Property, unknown>,
  open?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const table = store.schema.tableOf(type)
  const { dialect } = store.engine
  const given = new Map(changes)
  for (const property of storedProperties(type)) {
    if (property.stamp === 'changed') given.set(property, `${instantOf(store.now())}Z`)
  }
  const values: Record<string, SqlValue> = {}
  const assignments: Sql[] = []
  let since = Number.NEGATIVE_INFINITY
  for (const [property, value] of given) {
    // A long list takes long to encode. What the caller did before may have taken long, too.
    if (Array.isArray(value) && value.length > longList && performance.now() - since > maxBlocking) {
      await setImmediate()
      since = performance.now()
    }
    const { name } = table.columnOf(property)
    const encoded = columnValue(property, value, table, store)
    values[name] = encoded
    assignments.push(sql`${sql.id(name)} = ${dialect.bind(encoded, storageOf(storedTypeOfProperty(property).kind))}`)
  }
  if (open !== undefined)
    assignments.push(sql`${sql.id(openColumn)} = ${dialect.bind(encodeDynamicProperties(open), 'text')}`)
  assignments.push(sql`${sql.id(versionColumn)} = ${dialect.bind(await nextVersion(store, session, table), 'integer')}`)
  const where = sql`${sql.id(idColumn)} = ${dialect.bind(id, 'integer')}`
  await session.run(store.engine.compile(sql`UPDATE ${sql.id(table.name)} SET ${sql.join(assignments)} WHERE ${where}`))
  await updateWordIndex(store, session, table, id, values, false)
}
