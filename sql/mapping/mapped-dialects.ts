import { PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely'
import { postgresDialect } from '../dialects/postgres-dialect.js'
import { sqliteDialect } from '../dialects/sqlite-dialect.js'
import type { MappedDialect } from './mapped-queries.js'

/** PostgreSQL without corrections of its letter case. */
export const mappedPostgres: MappedDialect = {
  dialect: postgresDialect({ lower: [], upper: [] }),
  compiler: () => new PostgresQueryCompiler(),
}

/** SQLite with the functions of this package. */
export const mappedSqlite: MappedDialect = { dialect: sqliteDialect, compiler: () => new SqliteQueryCompiler() }
