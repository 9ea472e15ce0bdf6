import { MysqlQueryCompiler, PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely'
import { StoreError } from '../dialects/dialect.js'
import { mysqlDialect } from '../dialects/mysql-dialect.js'
import { postgresDialect } from '../dialects/postgres-dialect.js'
import { sqliteDialect } from '../dialects/sqlite-dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import type { MappedDialect } from './mapped-queries.js'

/** The databases whose tables can be mapped. */
export const mappedDialects = {
  /** Without corrections of letter case. */
  postgres: {
    dialect: postgresDialect({ lower: [], upper: [] }),
    compiler: () => new PostgresQueryCompiler(),
  },
  /** With the functions of this package. */
  sqlite: { dialect: sqliteDialect, compiler: () => new SqliteQueryCompiler() },
  mysql: { dialect: mysqlDialect('mysql'), compiler: () => new MysqlQueryCompiler() },
  mariadb: { dialect: mysqlDialect('mariadb'), compiler: () => new MysqlQueryCompiler() },
} satisfies Readonly<Record<string, MappedDialect>>

/** Runs a statement of a query, and classifies the errors of the database that the caller of the service can act on. */
export async function withQueryErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw classified(error)
  }
}

function classified(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Class 22 of SQLSTATE: data exceptions.
  if (/^22...$/.test(code)) return new StoreError('outOfRange', error)
  if (/^(?:2201B|54001|54000|54011)$/.test(code)) return new StoreError('tooComplex', error)
  if (/^ER_(?:DATA_OUT_OF_RANGE|WARN_DATA_OUT_OF_RANGE|TRUNCATED_WRONG_VALUE|WRONG_VALUE)$/.test(code))
    return new StoreError('outOfRange', error)
  if (/^ER_(?:TOO_MANY_TABLES|STACK_OVERRUN_NEED_MORE|TOO_HIGH_LEVEL_OF_NESTING_FOR_SELECT)$/.test(code))
    return new StoreError('tooComplex', error)
  const missing = /^no such function: (\w+)/.exec(error.message)
  if (missing !== null)
    return unsupportedQuery(
      'query',
      `The connection lacks the function ${missing[1]}. Call addSqliteFunctions(database).`,
    )
  // Drizzle wraps the errors of its driver.
  const cause = classified(error.cause)
  return cause === error.cause ? error : cause
}
