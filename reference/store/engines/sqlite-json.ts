import { sql } from 'kysely'
import type { EnumType } from '../../../spec/language/index.js'
import type { StoredType } from '../schema/stored-type.js'
import type { JsonWriter, Sql } from './engine.js'

/** The maximum number of enumeration members that the SQL compares with. */
const maxMembers = 32

const least = sql.lit(Number.MIN_SAFE_INTEGER)
const most = sql.lit(Number.MAX_SAFE_INTEGER)

/**
 * SQLite writes integers like JavaScript as long as JavaScript can represent them. Larger integers and fractions are written
 * by a function of this process.
 */
export const sqliteJson: JsonWriter = {
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
  if (flags || members.length > maxMembers) return undefined
  const known = members.map(
    ({ name, value: number }) => sql`WHEN ${sql.lit(number)} THEN ${sql.lit(JSON.stringify(name))}`,
  )
  return sql`CASE ${column} ${sql.join(known, sql` `)} ELSE coalesce('"' || ${column} || '"', 'null') END`
}
