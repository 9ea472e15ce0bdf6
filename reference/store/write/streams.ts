import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import {
  idColumn,
  type PlaceholderValues,
  type Scope,
  type Session,
  type Sql,
  type Statement,
} from '../../../sql/index.js'
import type { Store } from '../store.js'

/** A stream as the store keeps it. */
interface StoredStream {
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly etag: string
}

/** What the store has of a stream. `null`: the item has no stream. Undefined: there is no such item. */
type FoundStream = StoredStream | null | undefined

/**
 * Prepares to read a stream of the item of a scope.
 *
 * @param name the name of the property; empty for the media stream
 */
export function streamReader(
  { table, where }: Scope,
  name: string,
  { engine }: Store,
): (session: Session, values: PlaceholderValues) => Promise<FoundStream> {
  const columns = sql.join(['tag', 'type', 'content'].map(column => sql.id('s', column)))
  const streams = streamsOf(table)
  const isIts = sql`${sql.id('s', 'row')} = ${sql.id('t', idColumn)} AND ${sql.id('s', 'name')} = ${engine.dialect.bind(name, 'text')}`
  const from = sql`${sql.id(table.name)} AS ${sql.id('t')} LEFT JOIN ${streams} AS ${sql.id('s')} ON ${isIts}`
  const statement = engine.compile(sql`SELECT ${columns} FROM ${from} WHERE ${where('t')}`)
  return async (session, values) => {
    const [row] = await session.all(statement, values)
    if (row === undefined) return undefined
    const [tag, type, content] = row
    return typeof tag === 'string' ? { mediaType: String(type), bytes: bytesOf(content), etag: `"${tag}"` } : null
  }
}

/** The entity tag of a stream of an item; null if it has none. */
export async function streamTag(
  store: Store,
  session: Session,
  { table }: Pick<Scope, 'table'>,
  id: number,
  name: string,
): Promise<string | null> {
  const tag = sql`SELECT tag FROM ${streamsOf(table)} WHERE ${isStreamOf(id, name, store)}`
  const [row] = await session.all(store.engine.compile(tag))
  return row === undefined ? null : `"${String(row[0])}"`
}

/**
 * Stores a stream of an item, in place of the one that it has.
 *
 * @returns its entity tag
 */
export async function writeStream(
  store: Store,
  session: Session,
  { table }: Pick<Scope, 'table'>,
  id: number,
  name: string,
  { mediaType, bytes }: Omit<StoredStream, 'etag'>,
): Promise<string> {
  const { bind } = store.engine.dialect
  const tag = createHash('sha256').update(mediaType).update('\0').update(bytes).digest('base64url').slice(0, 22)
  const values = sql.join([
    bind(id, 'integer'),
    bind(name, 'text'),
    bind(tag, 'text'),
    bind(mediaType, 'text'),
    bind(bytes, 'bytes'),
  ])
  const replaced = sql.join(
    ['tag', 'type', 'content'].map(column => sql`${sql.id(column)} = ${sql.id('excluded', column)}`),
  )
  const insert = sql`INSERT INTO ${streamsOf(table)} ("row", name, tag, type, content) VALUES (${values})`
  await session.run(store.engine.compile(sql`${insert} ON CONFLICT ("row", name) DO UPDATE SET ${replaced}`))
  return `"${tag}"`
}

export async function removeStream(
  store: Store,
  session: Session,
  { table }: Pick<Scope, 'table'>,
  id: number,
  name: string,
): Promise<void> {
  const statement: Statement = store.engine.compile(
    sql`DELETE FROM ${streamsOf(table)} WHERE ${isStreamOf(id, name, store)}`,
  )
  await session.run(statement)
}

function isStreamOf(id: number, name: string, { engine }: Store): Sql {
  const { bind } = engine.dialect
  return sql`"row" = ${bind(id, 'integer')} AND name = ${bind(name, 'text')}`
}

/** The schema has the table for each type with a stream. A missing one is a bug. */
function streamsOf({ name, streams }: Scope['table']): Sql {
  if (streams === undefined) throw new TypeError(`The table ${name} has no streams.`)
  return sql`${sql.id(streams.name)}`
}

/** The bytes of a column. PostgreSQL returns them as text, `\x00ff`. */
function bytesOf(stored: unknown): Uint8Array {
  if (stored instanceof Uint8Array) return stored
  return typeof stored === 'string' ? Buffer.from(stored.slice(2), 'hex') : new Uint8Array(0)
}
