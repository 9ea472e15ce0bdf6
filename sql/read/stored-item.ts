import { sql } from 'kysely'
import type { SelectItem } from '../../runtime/query/index.js'
import { parseExactJson } from '../../runtime/server/index.js'
import {
  derivesFrom,
  type EntityType,
  isStream,
  type NavigationProperty,
  type Property,
} from '../../spec/language/index.js'
import {
  type Dialect,
  Placeholder,
  type PlaceholderValues,
  type Session,
  type Sql,
  type SqlRow,
  type Statement,
} from '../dialects/dialect.js'
import type { QueryTarget } from '../query-target.js'
import { idColumn, openColumn, rowsOf, type Table, typeColumn, versionColumn } from '../schema/schema.js'
import { decoderFor, defineMember, isObject, wireDecoderFor } from '../values/codec.js'
import type { SizedColumn } from './page-bytes.js'
import type { Scope } from './scope.js'

/** An item that was read: the entity for handlers, and the id of its row. */
export interface StoredItem {
  readonly id: ItemId
  readonly type: EntityType
  readonly entity: Record<string, unknown>
  /** The item and the relation that lead to it in a response. Undefined: it is at the top of the response. */
  readonly from?: { readonly item: StoredItem; readonly relation: NavigationProperty }
}

/** The `$id` of a row. */
export type ItemId = number | string

/** Which columns a query reads, and how to decode them. */
export interface RowMapper {
  readonly columns: (alias: string, dialect: Dialect) => readonly Sql[]
  /** The columns with the values of properties. */
  readonly sized: readonly SizedColumn[]
  readonly width: number
  readonly decode: (row: SqlRow, start: number) => StoredItem
}

interface Cell {
  readonly name: string
  readonly index: number
  readonly decode: (stored: unknown) => unknown
}

/**
 * Maps the rows of a type. The columns are those of the selected properties, or of all properties that are returned by
 * default, plus the key.
 *
 * @param select undefined: no selection; `all`: include properties that are returned only if selected
 * @param decoder decodes stored values; the default decodes them for a response and keeps JSON as text
 */
export function rowMapper(
  table: Table,
  type: EntityType,
  select: readonly SelectItem[] | undefined | 'all',
  decoder: typeof decoderFor = wireDecoderFor,
): RowMapper {
  const types = table.types.filter(candidate => derivesFrom(candidate, type))
  const isWanted = selectionOf(select)
  // If all items have the same type, the type column is not needed.
  const names: string[] = types.length === 1 ? [idColumn, versionColumn] : [idColumn, versionColumn, typeColumn]
  const indexes = new Map<string, number>()
  const large = new Set<string>()
  const sized = new Map<string, SizedColumn>()
  const cellsOf = (of: EntityType): readonly Cell[] =>
    of.properties
      .filter(property => isKept(property) && isWanted(property, of))
      .map(property => {
        const { name, type: stored } = table.columnOf(property)
        const index = indexes.get(name) ?? names.push(name) - 1
        indexes.set(name, index)
        if (isInt64(property)) large.add(name)
        sized.set(name, { name, property })
        return { name: property.name, index, decode: decoder(stored) }
      })
  const openIndex = types.some(of => of.open) ? names.push(openColumn) - 1 : -1
  if (openIndex >= 0) sized.set(openColumn, { name: openColumn, property: undefined })
  const cells = new Map(types.map(of => [of, cellsOf(of)]))
  const streams = streamColumns(table, types, isWanted)
  // The columns of streams follow those of all types.
  const streamsOf = (of: EntityType): readonly StreamCell[] =>
    streams.flatMap(({ name, isOf }, index) => (isOf(of) ? [{ name, index: names.length + index }] : []))
  const makers = new Map(
    types.map(of => {
      const shown = { cells: cells.get(of) ?? [], streams: streamsOf(of) }
      return [of.name, itemMapper(of, type, shown, of.open ? openIndex : -1)]
    }),
  )
  const [only] = types.length === 1 ? makers.values() : []
  return {
    columns: (alias, dialect) => [
      ...names.map(name => {
        const column = sql`${sql.id(alias, name)}`
        return large.has(name) ? dialect.lossless(column, 'integer') : column
      }),
      ...streams.map(({ column }) => column(alias)),
    ],
    sized: [...sized.values()],
    width: names.length + streams.length,
    decode: (row, start) => {
      const make = only ?? makers.get(String(row[start + 2]))
      if (make === undefined) throw new TypeError(`The store has an item of type ${String(row[start + 2])}.`)
      return make(row, start)
    },
  }
}

/** A stream of an item, whose control information a row has. */
interface StreamCell {
  /** The name of the property; empty for the media stream. */
  readonly name: string
  readonly index: number
}

interface StreamColumn {
  readonly name: string
  readonly isOf: (type: EntityType) => boolean
  /** The entity tag and the media type, with a space in between; null: there is no stream. */
  readonly column: (alias: string) => Sql
}

function streamColumns(
  { streams }: Table,
  types: readonly EntityType[],
  isWanted: (property: Property, type: EntityType) => boolean,
): readonly StreamColumn[] {
  if (streams === undefined) return []
  const wanted = new Map<string, Set<EntityType>>()
  const add = (name: string, type: EntityType): void => {
    wanted.set(name, (wanted.get(name) ?? new Set()).add(type))
  }
  for (const type of types) {
    if (type.hasStream) add('', type)
    for (const property of type.properties) {
      if (isStream(property.type) && isWanted(property, type)) add(property.name, type)
    }
  }
  return [...wanted].map(([name, of]) => ({
    name,
    isOf: type => of.has(type),
    column: alias => {
      const isIt = sql`${sql.id('s', 'row')} = ${sql.id(alias, idColumn)} AND ${sql.id('s', 'name')} = ${sql.lit(name)}`
      const found = sql`${sql.id('s', 'tag')} || ' ' || ${sql.id('s', 'type')}`
      return sql`(SELECT ${found} FROM ${sql.id(streams.name)} AS ${sql.id('s')} WHERE ${isIt})`
    },
  }))
}

/** @see OData JSON Format 4.01, 4.6.12 (media*) */
function addStreams(entity: Record<string, unknown>, streams: readonly StreamCell[], row: SqlRow, start: number): void {
  for (const { name, index } of streams) {
    const found = row[start + index]
    if (typeof found !== 'string') continue
    const space = found.indexOf(' ')
    entity[`${name}@odata.mediaContentType`] = found.slice(space + 1)
    entity[`${name}@odata.mediaEtag`] = `"${found.slice(0, space)}"`
  }
}

interface ItemCells {
  readonly cells: readonly Cell[]
  readonly streams: readonly StreamCell[]
}

function itemMapper(of: EntityType, declared: EntityType, { cells, streams }: ItemCells, openIndex: number) {
  const tag = of.entityTag === 'none' ? undefined : of.entityTag === 'weak' ? 'W/"' : '"'
  const typeName = of === declared ? undefined : `#${of.qualifiedName}`
  return (row: SqlRow, start: number): StoredItem => {
    const entity: Record<string, unknown> = {}
    if (typeName !== undefined) entity['@odata.type'] = typeName
    if (tag !== undefined) entity['@odata.etag'] = `${tag}${String(row[start + 1])}"`
    for (const { name, index, decode } of cells) defineMember(entity, name, decode(row[start + index]))
    if (openIndex >= 0) addOpenMembers(entity, row[start + openIndex])
    addStreams(entity, streams, row, start)
    return { id: itemId(row[start]), type: of, entity }
  }
}

export function itemId(stored: unknown): ItemId {
  return typeof stored === 'string' ? stored : Number(stored)
}

function addOpenMembers(entity: Record<string, unknown>, stored: unknown): void {
  const members: unknown = typeof stored === 'string' ? parseExactJson(stored) : undefined
  if (isObject(members)) for (const [name, value] of Object.entries(members)) defineMember(entity, name, value)
}

/** Whether values can have more digits than a JavaScript number. */
function isInt64({ type }: Property): boolean {
  const name = type.kind === 'typeDefinition' ? type.underlying : type.kind === 'primitive' ? type.name : ''
  return name === 'Int64'
}

function isKept({ type }: Property): boolean {
  return !isStream(type)
}

/** Whether a query selects a property. */
function selectionOf(
  select: readonly SelectItem[] | undefined | 'all',
): (property: Property, type: EntityType) => boolean {
  if (select === 'all') return () => true
  if (select === undefined) return (property, type) => property.returned !== 'onSelect' || type.key.includes(property)
  const names = new Set(select.map(({ path }) => (path[0]?.includes('.') ? path[1] : path[0])))
  if (names.has('*')) return () => true
  return (property, type) => names.has(property.name) || property.returned === 'always' || type.key.includes(property)
}

/** Reads one item with all its properties; undefined if it does not exist. */
export type ItemReader = (session: Session, values: PlaceholderValues) => Promise<StoredItem | undefined>

/** Reads the item of a scope as objects that can be inspected, and locks it until the transaction ends. */
export function lockedItemReader(scope: Scope, store: QueryTarget): ItemReader {
  const shape = rowMapper(scope.table, scope.type, 'all', decoderFor)
  return itemReader(shape, scope, scope.where('t'), store, true)
}

/**
 * Finds the item of a scope, and keeps others from deleting it until the transaction ends.
 *
 * @returns its `$id`
 */
export function itemFinder(
  scope: Scope,
  { engine }: QueryTarget,
): (session: Session, values: PlaceholderValues) => Promise<number | undefined> {
  const from = sql`${rowsOf(scope.table)} AS ${sql.id('t')} WHERE ${scope.where('t')}`
  const statement = engine.compile(sql`SELECT ${sql.id('t', idColumn)} FROM ${from} ${engine.dialect.forKeyShare}`)
  return async (session, values) => {
    const [row] = await session.all(statement, values)
    return row === undefined ? undefined : Number(row[0])
  }
}

/** Reads an item by its `$id`. */
export function itemByIdReader(type: EntityType, store: QueryTarget): ItemReader {
  const table = store.schema.tableOf(type)
  const shape = rowMapper(table, type, 'all')
  const where = sql`${sql.id('t', idColumn)} = ${store.engine.dialect.bind(new Placeholder(idColumn), 'integer')}`
  return itemReader(shape, { table }, where, store, false)
}

function itemReader(
  shape: RowMapper,
  { table }: Pick<Scope, 'table'>,
  where: Sql,
  { engine }: QueryTarget,
  lock: boolean,
): ItemReader {
  let statement: Statement | undefined
  return async (session, values) => {
    const from = sql`${rowsOf(table)} AS ${sql.id('t')}`
    const locked = lock ? engine.dialect.forUpdate : sql``
    statement ??= engine.compile(
      sql`SELECT ${sql.join(shape.columns('t', engine.dialect))} FROM ${from} WHERE ${where} ${locked}`,
    )
    const [row] = await session.all(statement, values)
    return row === undefined ? undefined : shape.decode(row, 0)
  }
}
