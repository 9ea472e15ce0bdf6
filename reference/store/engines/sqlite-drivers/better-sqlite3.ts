import BetterSqlite, { type Database } from 'better-sqlite3'
import type { SqlRow } from '../../../../sql/index.js'
import { type SqliteConnection, type SqliteDriver, SqliteError, type SqliteStatement } from './driver.js'

/** The package `better-sqlite3`. */
export const betterSqlite3: SqliteDriver = {
  name: 'better-sqlite3',
  shares: true,
  open: (file, access) => translated(() => connectionOf(new BetterSqlite(file, { readonly: access === 'read' }))),
}

function connectionOf(database: Database): SqliteConnection {
  return {
    exec: sql => void translated(() => database.exec(sql)),
    prepare: sql => translated(() => statementOf(database, sql)),
    addFunction: (name, work) => {
      database.function(name, { deterministic: true, varargs: true, safeIntegers: true }, work)
    },
    isOpen: () => database.open,
    inTransaction: () => database.inTransaction,
    close: () => void translated(() => database.close()),
  }
}

function statementOf(database: Database, sql: string): SqliteStatement {
  const prepared = database.prepare<unknown[], unknown>(sql)
  if (prepared.reader) prepared.raw(true)
  return {
    all: parameters =>
      translated(() => {
        const rows = prepared.all(...parameters)
        return areRows(rows) ? rows : []
      }),
    run: parameters => translated(() => prepared.run(...parameters).changes),
  }
}

/** All rows are arrays if the first one is: the statement is in raw mode. */
function areRows(rows: readonly unknown[]): rows is readonly SqlRow[] {
  return rows.length === 0 || Array.isArray(rows[0])
}

function translated<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw error instanceof BetterSqlite.SqliteError ? new SqliteError(error.code, error.message, error) : error
  }
}
