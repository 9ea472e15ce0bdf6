import { sql } from 'kysely'
import { boundedMap } from '../../../runtime/server/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import {
  encodeValue,
  idColumn,
  Placeholder,
  type Session,
  type SqlValue,
  type Statement,
  singletonColumn,
  storedNumber,
  storedTypeOfProperty,
  type Table,
  typeColumn,
  versionColumn,
} from '../../../sql/index.js'
import type { Store } from '../store.js'
import type { ColumnValues } from './item-values.js'
import { reserveVersions } from './versions.js'
import { bulkWordIndex } from './word-index.js'
import { assignSequentialKeys, insertedColumns, type Placement } from './write-item.js'

/**
 * Reserves values of `$id` for the next rows.
 *
 * @returns `count` ascending numbers
 */
async function reserveIds(
  { engine }: Store,
  session: Session,
  table: Table,
  count: number,
): Promise<readonly number[]> {
  if (engine.dialect.name === 'postgres') {
    const sequence = sql`pg_get_serial_sequence(quote_ident(${table.name}::text), ${idColumn}::text)`
    const rows = await session.all(
      engine.compile(sql`SELECT nextval(${sequence}) FROM generate_series(1, ${sql.lit(count)})`),
    )
    return rows.map(([id]) => Number(id))
  }
  // This transaction is the only writer.
  const [row] = await session.all(engine.compile(sql`SELECT max(${sql.id(idColumn)}) FROM ${sql.id(table.name)}`))
  const last = Number(row?.[0] ?? 0)
  return Array.from({ length: count }, (_, index) => last + 1 + index)
}

/** Inserts many items in one transaction, with several rows per statement. */
export interface BulkInsert {
  /**
   * @param depth the number of owners around the item; owners are written before the items that they contain
   * @returns its `$id`
   */
  readonly add: (type: EntityType, values: ColumnValues, place: Placement, depth: number) => Promise<number>
  /** Writes the items that were added. */
  readonly flush: () => Promise<void>
}

/** The maximum number of rows in the buffer. */
const maxBuffered = 2_000
/** Rows per statement: large statements first, then smaller ones for the rest. */
const rowCounts = [64, 8, 1]
/** The number of ids to reserve at once. */
const idBlock = 1_000
/** The maximum number of sequential keys in the cache. */
const maxCachedKeys = 10_000

type Row = Record<string, SqlValue>

/** No one else numbers changes or keys during the transaction. */
export function bulkInsert(store: Store, session: Session): BulkInsert {
  const unnumbered = new Map<Table, Row[]>()
  const ids = new Map<Table, number[]>()
  const counted = boundedMap<number>(maxCachedKeys)
  const words = bulkWordIndex(store, session)
  let waiting: Map<EntityType, Row[]>[] = []
  let count = 0

  const numberChanges = async (): Promise<void> => {
    for (const [table, rows] of unnumbered) {
      const versions = await reserveVersions(store, session, table, rows.length)
      for (const [index, row] of rows.entries()) row[versionColumn] = versions[index] ?? null
    }
    unnumbered.clear()
  }

  const newId = async (table: Table): Promise<number> => {
    const reserved = ids.get(table)
    const next = reserved?.pop()
    if (next !== undefined) return next
    // Write the buffered rows first, so that the largest key includes them.
    await flush()
    const [first = 0, ...others] = await reserveIds(store, session, table, idBlock)
    ids.set(table, others.reverse())
    return first
  }

  const numberKey = async (type: EntityType, table: Table, row: Row): Promise<void> => {
    for (const property of type.key) {
      const { name } = table.columnOf(property)
      if (row[name] !== null) continue
      const list = JSON.stringify([table.name, ...table.owners.map(owner => String(row[owner.name]))])
      const last = counted.get(list)
      if (last === undefined) {
        await flush()
        await assignSequentialKeys(store, session, type, row)
      } else
        row[name] = encodeValue(last + 1, { kind: storedTypeOfProperty(property).kind }, store.engine.dialect) ?? null
      counted.set(list, Number(storedNumber(row[name])))
    }
  }

  const flush = async (): Promise<void> => {
    const written = waiting
    waiting = []
    count = 0
    await numberChanges()
    for (const level of written) for (const [type, rows] of level) await writeRows(store, session, type, rows)
    await words.flush()
  }

  return {
    add: async (type, values, place, depth) => {
      const table = store.schema.tableOf(type)
      const row: Row = { ...values, [typeColumn]: type.name, [singletonColumn]: place.singleton ?? null }
      for (const { name, relation } of table.owners)
        row[name] = place.owner?.relation === relation ? place.owner.id : null
      await numberKey(type, table, row)
      const id = await newId(table)
      row[idColumn] = id
      const numbered = unnumbered.get(table) ?? []
      unnumbered.set(table, numbered)
      numbered.push(row)
      const level = waiting[depth] ?? new Map<EntityType, Row[]>()
      for (let each = waiting.length; each < depth; each++) waiting[each] = new Map()
      waiting[depth] = level
      const rows = level.get(type) ?? []
      level.set(type, rows)
      rows.push(row)
      words.add(table, id, row)
      if (++count >= maxBuffered) await flush()
      return id
    },
    flush,
  }
}

async function writeRows(store: Store, session: Session, type: EntityType, rows: readonly Row[]): Promise<void> {
  let start = 0
  for (const size of rowCounts) {
    for (; rows.length - start >= size; start += size) {
      const values: Row = {}
      for (const [index, row] of rows.slice(start, start + size).entries()) {
        for (const name in row) values[`${index}:${name}`] = row[name] ?? null
      }
      await session.run(insertStatement(store, type, size), values)
    }
  }
}

const inserts = new WeakMap<Store, Map<EntityType, Map<number, Statement>>>()

function insertStatement(store: Store, type: EntityType, size: number): Statement {
  const ofStore = inserts.get(store) ?? new Map<EntityType, Map<number, Statement>>()
  inserts.set(store, ofStore)
  const ofType = ofStore.get(type) ?? new Map<number, Statement>()
  ofStore.set(type, ofType)
  const statement = ofType.get(size) ?? compileInsert(store, type, size)
  ofType.set(size, statement)
  return statement
}

function compileInsert({ schema, engine }: Store, type: EntityType, size: number): Statement {
  const table = schema.tableOf(type)
  const columns = [{ name: idColumn, storage: 'integer' as const }, ...insertedColumns(table, type)]
  const rows = Array.from({ length: size }, (_, index) => {
    return sql`(${sql.join(columns.map(({ name, storage }) => engine.dialect.bind(new Placeholder(`${index}:${name}`), storage)))})`
  })
  const names = sql.join(columns.map(({ name }) => sql.id(name)))
  return engine.compile(sql`INSERT INTO ${sql.id(table.name)} (${names}) VALUES ${sql.join(rows)}`)
}
