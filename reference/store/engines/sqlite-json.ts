import { sql } from 'kysely'
import type { EnumType } from '../../../spec/language/index.js'
import type { StoredType } from '../schema/stored-type.js'
import type { Dialect, Sql } from './engine.js'

/** Members of an enumeration that are looked through on each row. */
const mostMembers = 32

const least = sql.lit(Number.MIN_SAFE_INTEGER)
const most = sql.lit(Number.MAX_SAFE_INTEGER)

/**
 * JSON as SQLite writes it. Its digits of whole numbers are those of JavaScript as far as that tells them apart; beyond, and
 * for fractions, a function of this process writes them.
 */
const sqliteJson: JsonWriter = {
  value,
  concat: texts => sql`concat(${sql.join(texts)})`,
  maxConcat: 1000,
  array: values => (values.length === 1 ? sql`json_quote(${sql.join(values)})` : sql`json_array(${sql.join(values)})`),
  // SQLite keeps the order of a subquery for aggregates that depend on it.
  aggregate: (text, between) => sql`group_concat(${text}, ${sql.lit(between)})`,
}

function value(column: Sql, { kind, enumType }: StoredType): Sql | undefined {
  switch (kind) {
    case 'boolean':
      return sql`CASE WHEN ${column} IS NULL THEN 'null' WHEN ${column} = 1 THEN 'true' ELSE 'false' END`
    case 'integer':
      return sql`CASE WHEN ${column} NOT BETWEEN ${least} AND ${most} THEN json_number(${column}) ELSE json_quote(${column}) END`
    case 'decimal':
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
  if (flags || members.length > mostMembers) return undefined
  const known = members.map(
    ({ name, value: number }) => sql`WHEN ${sql.lit(number)} THEN ${sql.lit(JSON.stringify(name))}`,
  )
  return sql`CASE ${column} ${sql.join(known, sql` `)} ELSE coalesce('"' || ${column} || '"', 'null') END`
}

/**
 * How an engine writes JSON by itself, byte for byte as this process would from what it reads: a page then comes as one text,
 * not value by value, which is most of what it costs.
 */
export interface JsonWriter {
  /** The value of a column, never SQL's null; undefined: only this process can write values of the type. */
  readonly value: (column: Sql, type: StoredType) => Sql | undefined
  /** Texts one behind the other. */
  readonly concat: (texts: readonly Sql[]) => Sql
  /** Most texts that can be joined. */
  readonly maxConcat: number
  /** Values that are no floating-point numbers as a JSON array; one alone as it is, which costs less. */
  readonly array: (values: readonly Sql[]) => Sql
  /** The texts of all rows, in the order of the rows, with another between each two. */
  readonly aggregate: (text: Sql, between: string) => Sql
}

const writings: Readonly<Record<Dialect['name'], JsonWriter | undefined>> = { sqlite: sqliteJson, postgres: undefined }

/** How an engine writes JSON; undefined: it is not trusted to. */
export function jsonWriter({ name }: Pick<Dialect, 'name'>): JsonWriter | undefined {
  return writings[name]
}
