import { sql } from 'kysely'
import type { EnumType } from '../../spec/language/index.js'
import type { Storage, StoredType } from '../schema/stored-type.js'
import { compareExactly, nearestNumber } from '../values/exact-decimal.js'
import { sortableDecimal } from '../values/sortable-decimal.js'
import {
  type CastSource,
  type CastTarget,
  type ComputedNumber,
  type Dialect,
  type JsonLocation,
  type JsonWriter,
  Placeholder,
  type Sql,
  type SqlValue,
  whiteSpace,
} from './dialect.js'

/** The maximum number of enumeration members that the SQL compares with. */
const maxMembers = 32

const least = sql.lit(Number.MIN_SAFE_INTEGER)
const most = sql.lit(Number.MAX_SAFE_INTEGER)

/** SQLite writes integers with all digits. Fractions are written by a function of this process. */
const sqliteJson: JsonWriter = {
  value,
  concat: texts => sql`concat(${sql.join(texts)})`,
  maxConcat: 1000,
  array: values => (values.length === 1 ? sql`json_quote(${sql.join(values)})` : sql`json_array(${sql.join(values)})`),
  // Aggregates see the rows in the order of the subquery.
  aggregate: (text, between) => sql`group_concat(${text}, ${sql.lit(between)})`,
}

function value(column: Sql, { kind, enumType }: StoredType): Sql | undefined {
  switch (kind) {
    case 'boolean':
      return sql`CASE WHEN ${column} IS NULL THEN 'null' WHEN ${column} = 1 THEN 'true' ELSE 'false' END`
    case 'integer':
      return sql`json_quote(${column})`
    case 'decimal':
      return sql`coalesce(json_decimal(${column}), 'null')`
    case 'double':
      return sql`coalesce(json_number(${column}), 'null')`
    case 'dateTimeOffset':
      return sql`coalesce('"' || ${column} || 'Z"', 'null')`
    case 'json':
      return sql`coalesce(${column}, 'null')`
    case 'enum':
      return enumType === undefined ? undefined : member(column, enumType)
    case 'duration':
      return undefined
    default:
      return sql`json_quote(${column})`
  }
}

function member(column: Sql, { members, flags }: EnumType): Sql | undefined {
  if (flags || members.length > maxMembers) return undefined
  const known = members.map(
    ({ name, value: number }) => sql`WHEN ${sql.lit(number)} THEN ${sql.lit(JSON.stringify(name))}`,
  )
  return sql`CASE ${column} ${sql.join(known, sql` `)} ELSE coalesce('"' || ${column} || '"', 'null') END`
}

const columnTypes: Readonly<Record<Storage, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  decimal: 'REAL',
  exact: 'TEXT',
  double: 'REAL',
  uuid: 'TEXT',
  timestamptz: 'TEXT',
  timestamp: 'TEXT',
  date: 'TEXT',
  time: 'TEXT',
  equalText: 'TEXT',
  untyped: 'TEXT',
  bytes: 'BLOB',
}

/** The dialect of SQLite with the functions of `sqlite-functions.ts`. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  columnType: storage => columnTypes[storage],
  idType: 'INTEGER PRIMARY KEY',
  bind: (value, storage) => sql`${storage === 'boolean' && !(value instanceof Placeholder) ? bit(value) : value}`,
  boolean: value => (value ? 1 : 0),

  lower: text => sql`unicode_lower(${text})`,
  upper: text => sql`unicode_upper(${text})`,
  trim: text => sql`trim(${text}, ${whiteSpace})`,
  words: text => sql`search_words(${text})`,
  length: text => sql`length(${text})`,
  concat: texts => sql`(${sql.join(texts, sql` || `)})`,
  identical: (left, right) => sql`${left} IS NOT DISTINCT FROM ${right}`,
  position: (text, part) => sql`instr(${text}, ${part})`,
  pattern: ({ source }) => source,
  matches: (text, pattern) => sql`matches_pattern(${text}, ${pattern})`,
  geoDistance: (from, to, family) => sql`${sql.raw(`${family}_distance`)}(${from}, ${to})`,
  geoLength: (line, family) => sql`${sql.raw(`${family}_length`)}(${line})`,
  geoIntersects: (point, polygon) => sql`geo_intersects(${point}, ${polygon})`,
  greatest: (left, right) => sql`max(${left}, ${right})`,

  arithmetic: (operator, left, right, kind) => calculated(sql`${sql.raw(`${kind}_${operator}`)}(${left}, ${right})`),
  negate: value => calculated(sql`exact_negated(${value})`),
  round: (mode, value) => calculated(sql`${sql.raw(`exact_${mode}`)}(${value})`),
  decimal: text => {
    const number = Number(text)
    const exact = nearestNumber(text)
    return compareExactly(text, exact) === 0 ? { sql: sql`${number}` } : { sql: sql`${number}`, exact: sql`${text}` }
  },
  storedDecimal: column => ({ ...calculated(sql`decimal_digits(${column})`), sortable: column }),
  sortable: text => sortableDecimal(text),
  compareExact: (left, right) => sql`exact_compared(${left}, ${right})`,
  integerOf: text => sql`CAST(${text} AS INTEGER)`,
  decimalOf: text => sql`CAST(${text} AS REAL)`,
  isNaN: value => sql`${value} = 'NaN'`,

  cast: (value, from, to) => {
    switch (to.kind) {
      case 'integer':
        return calculated(sql`${castName(from, to.kind)}(${value}, ${to.least}, ${to.most})`)
      case 'decimal':
        return calculated(sql`${castName(from, to.kind)}(${value})`)
      default:
        return { sql: sql`${castName(from, to.kind)}(${value})` }
    }
  },
  collated: text => text,

  addSeconds: (value, seconds, kind) =>
    sql`${sql.raw(kind === 'date' ? 'date_moved' : 'instant_moved')}(${value}, ${seconds})`,
  secondsBetween: (later, earlier, kind) =>
    calculated(sql`${sql.raw(kind === 'date' ? 'date_between' : 'instant_between')}(${later}, ${earlier})`),
  durationSeconds: text => sql`duration_seconds(${text})`,

  json: column => column,
  jsonValue: (place, storage) => ofJson(sql`json_extract(${place.json}, ${jsonPath(place)})`, storage),
  jsonDigits: place => sql`nullif(${place.json} -> ${jsonPath(place)}, 'null')`,
  jsonPart: place => (place.path.length === 0 ? place.json : sql`json_extract(${place.json}, ${jsonPath(place)})`),
  jsonItems: (place, alias) =>
    place.path.length === 0
      ? sql`json_each(${place.json}) AS ${sql.id(alias)}`
      : sql`json_each(${place.json}, ${jsonPath(place)}) AS ${sql.id(alias)}`,
  jsonSome: rows => sql`EXISTS (SELECT 1 ${rows})`,
  jsonItemIndex: alias => sql`${sql.id(alias, 'key')}`,
  jsonItem: (alias, storage) => ofJson(sql`${sql.id(alias, 'value')}`, storage),
  jsonItemDigits: alias => sql`nullif(${sql.id(alias, 'json')} -> ${sql.id(alias, 'fullkey')}, 'null')`,
  jsonItemPart: alias => sql`${sql.id(alias, 'value')}`,
  jsonLength: place => sql`json_array_length(${place.json}, ${jsonPath(place)})`,

  commaSeparated: (text, alias) =>
    sql`json_each('[' || replace(json_quote(${text}), ',', '","') || ']') AS ${sql.id(alias)}`,
  listValues: list => sql`SELECT value FROM json_each(${list})`,
  encodeList: values => JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  lossless: (value, storage) =>
    storage === 'integer'
      ? sql`CASE WHEN ${value} NOT BETWEEN ${least} AND ${most} THEN CAST(${value} AS TEXT) ELSE ${value} END`
      : value,
  nullOrder: () => sql``,
  // Add 0, because the engine would plan the statement anew for each value of a bare placeholder.
  limit: count => sql`LIMIT ${count} + 0`,
  endless: sql`LIMIT -1`,
  forUpdate: sql``,
  forKeyShare: sql``,
  jsonWriter: sqliteJson,
}

/** All numbers are cast alike, except to text. */
function castName(from: CastSource, to: CastTarget['kind']): Sql {
  const source = from === 'text' || from === 'duration' || to === 'text' ? from : 'number'
  return sql.raw(`${source}_to_${to}`)
}

function calculated(exact: Sql): ComputedNumber {
  return { sql: sql`nearest_number(${exact})`, exact }
}

/** JSON has words for infinity. NaN is stored as its word. */
function ofJson(value: Sql, storage: Storage): Sql {
  if (storage !== 'double') return value
  return sql`CASE ${value} WHEN 'INF' THEN 9e999 WHEN '-INF' THEN -9e999 ELSE ${value} END`
}

function bit(value: SqlValue): SqlValue {
  return typeof value === 'boolean' ? Number(value) : value
}

/** A path such as `$."a"."b"`. Names are identifiers, so that they need no escaping. */
function jsonPath({ path }: JsonLocation): Sql {
  return sql`${`$${path.map(name => `."${name}"`).join('')}`}`
}
