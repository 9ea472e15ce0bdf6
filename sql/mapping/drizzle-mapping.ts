import type { PropertyInfo, TypeTable } from '../../runtime/query/index.js'
import type { ServiceTable } from '../../runtime/server/index.js'
import { isObject } from '../values/codec.js'
import type {
  ColumnMapping,
  ColumnType,
  Conditions,
  EntityTable,
  Join,
  RelationMapping,
  TableMapping,
} from './mapping.js'

/** How the types of a service are stored in the tables of a Drizzle schema. */
export interface DrizzleMapping<Context = unknown> extends Pick<TableMapping<Context>, 'secret'> {
  /** The table of each entity type, by the name of the type in the spec. Derived types share the table of their base. */
  readonly tables: Readonly<Record<string, DrizzleEntityTable<Context>>>
  /** The same as in `drizzle(…, { casing })`: columns without a name of their own have that of their key in snake case. */
  readonly casing?: 'snake_case'
}

/** The rows of an entity type in a Drizzle table. */
export interface DrizzleEntityTable<Context = unknown> extends Pick<EntityTable<Context>, 'search'> {
  readonly table: DrizzleTable
  /**
   * Columns by property. Default: the column of the table with the key of the property. `null`: there is no column, the value
   * is null. The type of a column is that of the schema.
   */
  readonly columns?: Readonly<Record<string, DrizzleColumn | DrizzleColumnMapping | null>>
  /** The column that identifies a row, for relations. Default: the column of the key, if it is a single property. */
  readonly id?: DrizzleColumn | { readonly column: DrizzleColumn; readonly type: 'integer' | 'uuid' | 'text' }
  /** A column that changes with the row, for entity tags. Default: `xmin` on PostgreSQL. */
  readonly version?: DrizzleColumn
  /** Tables with at most one row for each row of this one. */
  readonly joins?: readonly DrizzleJoin[]
  /** Only rows that meet all conditions exist: soft deletes, the tenant of the caller. By the key of the column. */
  readonly where?: Conditions<Context>
  /** The columns behind navigation properties. */
  readonly relations?: Readonly<Record<string, DrizzleRelation<Context>>>
  /** The column with the type of a row, and the type for each of its values. */
  readonly discriminator?: { readonly column: DrizzleColumn; readonly types: Readonly<Record<string, string>> }
}

export interface DrizzleColumnMapping extends Pick<ColumnMapping, 'path' | 'type'> {
  readonly column: DrizzleColumn
}

/** `on`: by the key of a column of the joined table, the equal column of this table. */
export interface DrizzleJoin {
  readonly table: DrizzleTable
  readonly on: Readonly<Record<string, DrizzleColumn>>
}

/** Where a relation is stored. */
export type DrizzleRelation<Context = unknown> =
  /** A column of this table has the id of the related row. */
  | { readonly column: DrizzleColumn }
  /** A column of the related table has the id of this row. */
  | { readonly foreignKey: DrizzleColumn }
  /** Two columns of a third table: `from` has the id of this row, and `to` that of the related row. */
  | { readonly from: DrizzleColumn; readonly to: DrizzleColumn; readonly where?: Conditions<Context> }

/** A table of Drizzle, such as the result of `pgTable` or `alias`. */
export type DrizzleTable = object

/** A column of such a table. */
export interface DrizzleColumn {
  readonly name: string
  readonly table: object
  getSQLType(): string
}

/**
 * Reads the names and types of a Drizzle schema.
 *
 * @throws {TypeError} if the mapping does not fit the service
 */
export function drizzleMapping<Context>(
  { types }: Pick<ServiceTable, 'types'>,
  { tables, casing, secret }: DrizzleMapping<Context>,
): TableMapping<Context> {
  const nameOf = (column: DrizzleColumn): string =>
    casing !== undefined && 'keyAsName' in column && column.keyAsName === true ? snakeCase(column.name) : column.name
  const mapped = Object.entries(tables).map(([name, table]) => [name, entityTable(name, table, types, nameOf)] as const)
  return { tables: Object.fromEntries(mapped), ...(secret === undefined ? {} : { secret }) }
}

/** As Drizzle does it: letters and the digits behind them are words. */
function snakeCase(key: string): string {
  const words = key.match(/[\da-z]+|[A-Z]+(?![a-z])|[A-Z][\da-z]+/g) ?? []
  return words.map(word => word.toLowerCase()).join('_')
}

type NameOf = (column: DrizzleColumn) => string

function entityTable<Context>(
  type: string,
  given: DrizzleEntityTable<Context>,
  types: TypeTable,
  nameOf: NameOf,
): EntityTable<Context> {
  const { table, joins = [], where, relations = {}, id, version, discriminator, search } = given
  const own = columnsOf(table, type)
  const columns: Record<string, ColumnMapping | null> = {}
  for (const [name, property] of propertiesOf(type, types)) {
    const place = given.columns?.[name] ?? (given.columns?.[name] === null ? null : own[name])
    if (place === undefined)
      throw new TypeError(
        `The table '${nameOfTable(table)}' has no column '${name}'. Name the column of '${type}/${name}'.`,
      )
    columns[name] = place === null ? null : columnMapping(place, property, { table, joins, types, nameOf })
  }
  const unknown = Object.keys(given.columns ?? {}).find(name => !Object.hasOwn(columns, name))
  if (unknown !== undefined) columns[unknown] = null
  return {
    table: nameOfTable(table),
    columns,
    ...(id === undefined ? {} : { id: 'column' in id ? { ...id, column: nameOf(id.column) } : nameOf(id) }),
    ...(version === undefined ? {} : { version: nameOf(version) }),
    joins: Object.fromEntries(joins.map(join => [aliasOf(join.table), joinMapping(join, nameOf)])),
    ...(where === undefined ? {} : { where: conditions(where, table, nameOf) }),
    relations: Object.fromEntries(Object.entries(relations).map(([name, place]) => [name, relation(place, nameOf)])),
    ...(search === undefined ? {} : { search }),
    ...(discriminator === undefined
      ? {}
      : { discriminator: { column: nameOf(discriminator.column), types: discriminator.types } }),
  }
}

/** The properties of a type and of those that derive from it. Streams have no column. */
function propertiesOf(type: string, types: TypeTable): readonly (readonly [string, PropertyInfo])[] {
  return Object.keys(types).flatMap(name => {
    const info = types[name]
    if (info?.kind !== 'entityType' || !derives(name, type, types)) return []
    return Object.entries(info.properties).filter(([, property]) => property.type !== 'Edm.Stream')
  })
}

function derives(name: string, base: string, types: TypeTable): boolean {
  const info = types[name]
  if (name === base) return true
  return info?.kind === 'entityType' && info.base !== undefined && derives(info.base, base, types)
}

interface ColumnContext {
  readonly table: DrizzleTable
  readonly joins: readonly DrizzleJoin[]
  readonly types: TypeTable
  readonly nameOf: NameOf
}

function columnMapping(
  given: DrizzleColumn | DrizzleColumnMapping,
  property: PropertyInfo,
  { table, joins, types, nameOf }: ColumnContext,
): ColumnMapping {
  const place = 'column' in given ? given : { column: given }
  const { column, path } = place
  const join = joins.find(joined => isSame(joined.table, column.table))
  if (join === undefined && !isSame(table, column.table))
    throw new TypeError(
      `The column '${nameOfTable(column.table)}.${column.name}' is in another table than '${nameOfTable(table)}'. Add that table to 'joins'.`,
    )
  const type = place.type ?? (path === undefined ? columnType(column, property, types) : undefined)
  return {
    column: nameOf(column),
    ...(join === undefined ? {} : { join: aliasOf(join.table) }),
    ...(path === undefined ? {} : { path }),
    ...(type === undefined ? {} : { type }),
  }
}

/** The type of a column of the schema; undefined if it is the usual one for the property. */
function columnType(column: DrizzleColumn, property: PropertyInfo, types: TypeTable): ColumnType | undefined {
  const declared = column.getSQLType().toLowerCase()
  if (declared.endsWith(']')) return 'array'
  if (property.collection === true) return 'json'
  // An integer of SQLite that Drizzle reads as a time.
  if ('mode' in column && column.mode === 'timestamp') return 'unixSeconds'
  if ('mode' in column && column.mode === 'timestamp_ms') return 'unixMilliseconds'
  const [word = ''] = /^[a-z]+/.exec(declared) ?? []
  switch (word) {
    case 'datetime':
      return 'timestamp'
    case 'timestamp': {
      const isOfMysql = 'columnType' in column && String(column.columnType).startsWith('MySql')
      return isOfMysql || declared.endsWith('with time zone') ? 'timestamptz' : 'timestamp'
    }
    case 'uuid':
    case 'interval':
    case 'bytea':
      return word
    case 'int':
    case 'integer':
    case 'smallint':
    case 'bigint':
      return types[property.type]?.kind === 'enumType' || property.type === 'Edm.DateTimeOffset' ? 'integer' : undefined
    case 'text':
    case 'varchar':
    case 'char':
      if (property.type === 'Edm.Binary') return 'base64url'
      return ['Edm.Guid', 'Edm.DateTimeOffset', 'Edm.Duration'].includes(property.type) ? 'text' : undefined
    default:
      return undefined
  }
}

function joinMapping({ table, on }: DrizzleJoin, nameOf: NameOf): Join {
  const columns = columnsOf(table, nameOfTable(table))
  const pairs = Object.entries(on).map(([key, ours]) => [nameOf(columnAt(key, columns, table)), nameOf(ours)])
  return { table: nameOfTable(table), on: Object.fromEntries(pairs) }
}

function conditions<Context>(given: Conditions<Context>, table: DrizzleTable, nameOf: NameOf): Conditions<Context> {
  const columns = columnsOf(table, nameOfTable(table))
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [nameOf(columnAt(key, columns, table)), value] as const),
  )
}

function relation<Context>(given: DrizzleRelation<Context>, nameOf: NameOf): RelationMapping<Context> {
  if ('column' in given) return { column: nameOf(given.column) }
  if ('foreignKey' in given) return { foreignKey: nameOf(given.foreignKey) }
  const { table } = given.from
  return {
    through: nameOfTable(table),
    from: nameOf(given.from),
    to: nameOf(given.to),
    ...(given.where === undefined ? {} : { where: conditions(given.where, table, nameOf) }),
  }
}

function columnAt(key: string, columns: Readonly<Record<string, DrizzleColumn>>, table: DrizzleTable): DrizzleColumn {
  const column = columns[key]
  if (column === undefined)
    throw new TypeError(
      `The table '${nameOfTable(table)}' has no column '${key}'. It has ${Object.keys(columns).join(', ')}.`,
    )
  return column
}

/** A member of a table. Drizzle keeps them under symbols that every copy of the package shares. */
function memberOf(table: object, member: string): unknown {
  return Reflect.get(table, Symbol.for(`drizzle:${member}`))
}

function columnsOf(table: DrizzleTable, type: string): Readonly<Record<string, DrizzleColumn>> {
  const columns = memberOf(table, 'Columns')
  if (!isObject(columns)) throw new TypeError(`The mapping of '${type}' needs a table of Drizzle in 'table'.`)
  const found: Record<string, DrizzleColumn> = {}
  for (const [key, column] of Object.entries(columns)) if (isColumn(column)) found[key] = column
  return found
}

function isColumn(value: unknown): value is DrizzleColumn {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['getSQLType'] === 'function'
}

/** The name of a table in the database. */
function nameOfTable(table: object): string {
  const schema = memberOf(table, 'Schema')
  const name = String(memberOf(table, 'OriginalName'))
  return typeof schema === 'string' ? `${schema}.${name}` : name
}

/** The alias of a joined table, which no other table of the query has. */
function aliasOf(table: object): string {
  return `join ${nameOfTable(table)} ${String(memberOf(table, 'Name'))}`
}

function isSame(one: object, other: object): boolean {
  return aliasOf(one) === aliasOf(other)
}
