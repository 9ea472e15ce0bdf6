import { sql } from 'kysely'
import type { Property } from '../../spec/language/index.js'
import type { Dialect, Sql } from '../dialects/dialect.js'
import { enumNumberSql, jsonScalar } from '../filter/paths.js'
import { type NativeStorage, type StoredType, storedType, storedTypeOfProperty } from '../schema/stored-type.js'
import type { ColumnMapping, ColumnType } from './mapping.js'

/** A column of a user's table as the compiler reads it. */
interface MappedColumn {
  /** In the stored form of its type, see `ValueKind`. */
  readonly value: Sql
  /** The column itself, if its own type compares in the same order. */
  readonly native?: { readonly value: Sql; readonly storage: NativeStorage }
}

/**
 * Converts a column to the stored form of a property.
 *
 * @throws {TypeError} if the type of the column does not fit the property
 */
export function mappedColumn(
  property: Property,
  column: Sql,
  { path, type }: ColumnMapping,
  dialect: Dialect,
): MappedColumn {
  const stored = storedTypeOfProperty(property)
  if (path !== undefined) return { value: inPath(property, column, path, stored, dialect) }
  const given = type ?? defaultType(stored, dialect)
  const read = onEngine[dialect.name](stored, given, column, dialect)
  if (read !== undefined) return read
  throw new TypeError(`A column of type '${given}' cannot hold ${property.name}, which is ${described(property)}.`)
}

const onEngine = { postgres: onPostgres, sqlite: onSqlite, mysql: onMysql }

function described({ type, collection }: Property): string {
  const name = type.kind === 'primitive' ? `Edm.${type.name}` : type.name
  return collection ? `a collection of ${name}` : `of type ${name}`
}

function inPath(property: Property, column: Sql, path: readonly string[], stored: StoredType, dialect: Dialect): Sql {
  const place = { json: dialect.json(column), path }
  if (stored.kind === 'json') return jsonText(dialect.jsonPart(place), dialect)
  const value = jsonScalar(storage => dialect.jsonValue(place, storage), storedType(property.type), dialect)
  return stored.kind === 'decimal' && dialect.name === 'sqlite' ? sql`sortable_decimal(${value})` : value
}

function jsonText(json: Sql, { name }: Dialect): Sql {
  // The driver parses JSON.
  if (name === 'mysql') return sql`CAST(${json} AS char)`
  return name === 'postgres' ? sql`(${json})::text` : json
}

function defaultType({ kind }: StoredType, { name }: Dialect): ColumnType {
  const isPostgres = name === 'postgres'
  const isMysql = name === 'mysql'
  switch (kind) {
    case 'guid':
      return isPostgres ? 'uuid' : 'text'
    case 'dateTimeOffset':
      return isPostgres ? 'timestamptz' : isMysql ? 'timestamp' : 'text'
    case 'duration':
      return isPostgres ? 'interval' : 'text'
    case 'binary':
      return isPostgres || isMysql ? 'bytea' : 'base64url'
    case 'json':
      return 'json'
    default:
      return 'text'
  }
}

const orderedText = (text: Sql): Sql => sql`(${text})::text COLLATE "C"`
const withoutZeros = (text: Sql): Sql => sql`rtrim(rtrim(${text}, '0'), '.')`

function onPostgres(stored: StoredType, type: ColumnType, column: Sql): MappedColumn | undefined {
  const { kind, enumType } = stored
  switch (kind) {
    case 'string':
      if (type === 'text') return { value: orderedText(column), native: { value: column, storage: 'equalText' } }
      return type === 'uuid' ? withNative(orderedText(column), column, 'uuid') : undefined
    case 'guid':
      if (type === 'uuid') return withNative(orderedText(column), column, 'uuid')
      return type === 'text' ? { value: orderedText(sql`lower(${column})`) } : undefined
    case 'boolean':
    case 'integer':
    case 'double':
      return type === 'text' ? { value: column } : undefined
    case 'decimal':
      return type === 'text' ? { value: sql`(${column})::numeric` } : undefined
    case 'date':
      return type === 'text' ? withNative(formatted(column, 'YYYY-MM-DD'), column, 'date') : undefined
    case 'timeOfDay':
      if (type !== 'text') return undefined
      return withNative(orderedText(withoutZeros(formatted(column, 'HH24:MI:SS.US'))), column, 'time')
    case 'dateTimeOffset':
      return instantOnPostgres(type, column)
    case 'duration':
      return type === 'interval' ? { value: sql`extract(epoch FROM ${column})::numeric` } : undefined
    case 'enum':
      if (type === 'integer') return { value: sql`(${column})::bigint` }
      if (type !== 'text' || enumType === undefined) return undefined
      return {
        value: sql`(${enumNumberSql(sql`(${column})::text`, enumType)})::bigint`,
        ...(enumType.flags ? {} : { native: { value: column, storage: 'untyped' } }),
      }
    case 'binary': {
      if (type === 'base64url') return { value: orderedText(column) }
      const text = sql`rtrim(translate(encode(${column}, 'base64'), '+/' || chr(10), '-_'), '=')`
      return type === 'bytea' ? { value: orderedText(text) } : undefined
    }
    case 'json':
      if (type === 'json') return { value: sql`(${column})::text` }
      return type === 'array' ? { value: sql`to_json(${column})::text` } : undefined
  }
}

function instantOnPostgres(type: ColumnType, column: Sql): MappedColumn | undefined {
  const utc = (timestamp: Sql): Sql => orderedText(withoutZeros(formatted(timestamp, 'YYYY-MM-DD"T"HH24:MI:SS.US')))
  switch (type) {
    case 'timestamptz':
      return withNative(utc(sql`(${column} AT TIME ZONE 'UTC')`), column, 'timestamptz')
    case 'timestamp':
      return withNative(utc(column), column, 'timestamp')
    case 'unixSeconds':
      return { value: utc(sql`(to_timestamp(${column}) AT TIME ZONE 'UTC')`) }
    case 'unixMilliseconds':
      return { value: utc(sql`(to_timestamp(${column} / 1000.0) AT TIME ZONE 'UTC')`) }
    default:
      return undefined
  }
}

function formatted(value: Sql, format: string): Sql {
  return sql`to_char(${value}, ${sql.lit(format)}) COLLATE "C"`
}

function withNative(value: Sql, native: Sql, storage: NativeStorage): MappedColumn {
  return { value, native: { value: native, storage } }
}

function onSqlite({ kind, enumType }: StoredType, type: ColumnType, column: Sql): MappedColumn | undefined {
  const value = type === 'text' ? textOnSqlite(kind, column) : undefined
  if (value !== undefined) return { value }
  switch (kind) {
    case 'dateTimeOffset':
      if (type === 'unixSeconds') return { value: unixOnSqlite(column, sql`''`) }
      if (type !== 'unixMilliseconds') return undefined
      return {
        value: unixOnSqlite(sql`${column} / 1000`, sql`rtrim(rtrim(printf('.%03d', ${column} % 1000), '0'), '.')`),
      }
    case 'enum':
      if (type === 'integer') return { value: column }
      return type === 'text' && enumType !== undefined ? { value: enumNumberSql(column, enumType) } : undefined
    case 'binary':
      return type === 'base64url' ? { value: column } : undefined
    case 'json':
      return type === 'json' ? { value: column } : undefined
    default:
      return undefined
  }
}

function textOnSqlite(kind: StoredType['kind'], column: Sql): Sql | undefined {
  switch (kind) {
    case 'string':
    case 'date':
      return sql`${column} COLLATE BINARY`
    case 'guid':
      return sql`lower(${column})`
    case 'boolean':
    case 'integer':
    case 'double':
      return column
    case 'decimal':
      return sql`sortable_decimal(${column})`
    case 'timeOfDay':
      return fractionWithoutZeros(sql`CASE length(${column}) WHEN 5 THEN ${column} || ':00' ELSE ${column} END`)
    case 'dateTimeOffset':
      return fractionWithoutZeros(sql`replace(rtrim(${column}, 'Z'), ' ', 'T')`)
    case 'duration':
      return sql`duration_seconds(${column})`
    default:
      return undefined
  }
}

function fractionWithoutZeros(text: Sql): Sql {
  return sql`CASE WHEN instr(${text}, '.') > 0 THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`
}

function unixOnSqlite(seconds: Sql, fraction: Sql): Sql {
  return sql`strftime('%Y-%m-%dT%H:%M:%S', ${seconds}, 'unixepoch') || ${fraction}`
}

function onMysql(
  { kind, enumType }: StoredType,
  type: ColumnType,
  column: Sql,
  dialect: Dialect,
): MappedColumn | undefined {
  const text = dialect.collated(sql`CONVERT(${column} USING utf8mb4)`)
  switch (kind) {
    case 'string':
      return type === 'text' ? { value: text } : undefined
    case 'guid':
      // Any collation of the database orders and compares the digits in the same way.
      return type === 'text' ? withNative(dialect.lower(text), column, 'uuid') : undefined
    case 'boolean':
    case 'integer':
    case 'double':
    case 'decimal':
      return type === 'text' ? { value: column } : undefined
    case 'date':
      return type === 'text' ? withNative(mysqlTime(column, '%Y-%m-%d', dialect), column, 'date') : undefined
    case 'timeOfDay': {
      const clock = dialect.collated(sql`CONVERT(TIME_FORMAT(${column}, '%H:%i:%s.%f') USING utf8mb4)`)
      return type === 'text' ? withNative(mysqlWithoutZeros(clock), column, 'time') : undefined
    }
    case 'dateTimeOffset':
      return instantOnMysql(type, column, dialect)
    case 'enum':
      if (type === 'integer') return { value: column }
      if (type !== 'text' || enumType === undefined || enumType.flags) return undefined
      return { value: enumNumberSql(text, enumType), native: { value: column, storage: 'untyped' } }
    case 'binary': {
      if (type === 'base64url') return { value: text }
      const encoded = sql`REPLACE(REPLACE(REPLACE(TO_BASE64(${column}), '\n', ''), '+', '-'), '/', '_')`
      return type === 'bytea'
        ? { value: dialect.collated(sql`CONVERT(TRIM(TRAILING '=' FROM ${encoded}) USING utf8mb4)`) }
        : undefined
    }
    case 'json':
      return type === 'json' ? { value: sql`CAST(${column} AS char)` } : undefined
    default:
      return undefined
  }
}

function instantOnMysql(type: ColumnType, column: Sql, dialect: Dialect): MappedColumn | undefined {
  const utc = (time: Sql): Sql => mysqlWithoutZeros(mysqlTime(time, '%Y-%m-%dT%H:%i:%s.%f', dialect))
  const since = (microseconds: Sql): Sql =>
    utc(sql`DATE_ADD('1970-01-01 00:00:00.000000', INTERVAL ${microseconds} MICROSECOND)`)
  switch (type) {
    case 'timestamp':
      return withNative(utc(column), column, 'timestamp')
    case 'timestamptz':
      return { value: utc(sql`CONVERT_TZ(${column}, @@session.time_zone, '+00:00')`) }
    case 'unixSeconds':
      return { value: since(sql`${column} * 1000000`) }
    case 'unixMilliseconds':
      return { value: since(sql`${column} * 1000`) }
    default:
      return undefined
  }
}

function mysqlTime(value: Sql, format: string, { collated }: Dialect): Sql {
  return collated(sql`CONVERT(DATE_FORMAT(${value}, ${sql.lit(format)}) USING utf8mb4)`)
}

function mysqlWithoutZeros(text: Sql): Sql {
  return sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${text}))`
}
