import { sql } from 'kysely'
import type { EnumType } from '../../../spec/language/index.js'
import type { Dialect, Sql } from '../dialect/dialect.js'
import { type Storage, type StoredType, storageOf } from '../schema/storage.js'

/** A value inside JSON in the form in which columns have such values. `read` gives it as of a storage. */
export function fromJson(read: (storage: Storage) => Sql, { kind, enumType }: StoredType, dialect: Dialect): Sql {
  switch (kind) {
    case 'dateTimeOffset':
      return sql`rtrim(${read('text')}, 'Z')`
    case 'duration':
      return dialect.durationSeconds(read('text'))
    case 'enum':
      return enumType === undefined ? read('text') : enumNumberSql(read('text'), enumType)
    default:
      return read(storageOf(kind))
  }
}

/** The number of the members that a text names, `fiction,history`. */
function enumNumberSql(text: Sql, { members, flags }: EnumType): Sql {
  if (!flags) {
    const cases = members.map(({ name, value }) => sql`WHEN ${sql.lit(name)} THEN ${sql.lit(value)}`)
    return sql`CASE ${text} ${sql.join(cases, sql` `)} END`
  }
  const listed = sql`',' || ${text} || ','`
  const bits = members.map(
    ({ name, value }) =>
      sql`CASE WHEN replace(${listed}, ${sql.lit(`,${name},`)}, '') <> ${listed} THEN ${sql.lit(value)} ELSE 0 END`,
  )
  return sql`CASE WHEN ${text} IS NOT NULL THEN (${sql.join(bits, sql` | `)}) END`
}
