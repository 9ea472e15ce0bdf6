import { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SqlRow, SqlValue } from '../../../../sql/index.js'
import {
  resultCodeName,
  type SqliteConnection,
  type SqliteDriver,
  SqliteError,
  type SqliteStatement,
} from './driver.js'

/**
 * The SQLite of Node.js, from version 22.16 and 24 on: earlier ones cannot return rows as arrays, or are behind a flag.
 *
 * @see https://nodejs.org/api/sqlite.html
 */
export const nodeSqlite: SqliteDriver | undefined =
  'setReturnArrays' in StatementSync.prototype
    ? {
        name: 'node-sqlite',
        shares: true,
        open: (file, access) => translated(() => connectionOf(new DatabaseSync(file, { readOnly: access === 'read' }))),
      }
    : undefined

function connectionOf(database: DatabaseSync): SqliteConnection {
  return {
    exec: sql => translated(() => database.exec(sql)),
    prepare: sql => translated(() => statementOf(database, sql)),
    addFunction: (name, work) =>
      database.function(name, { deterministic: true, useBigIntArguments: true, varargs: true }, work),
    isOpen: () => database.isOpen,
    inTransaction: () => database.isTransaction,
    close: () => translated(() => database.close()),
  }
}

function statementOf(database: DatabaseSync, sql: string): SqliteStatement {
  const prepared = database.prepare(sql)
  prepared.setReturnArrays(true)
  return {
    all: parameters =>
      translated(() => {
        const rows = prepared.all(...parameters.map(bound))
        return areRows(rows) ? rows : []
      }),
    run: parameters => translated(() => Number(prepared.run(...parameters.map(bound)).changes)),
  }
}

/** SQLite has no Booleans. The dialect of the store binds numbers in their place. */
function bound(value: SqlValue): null | number | bigint | string | Uint8Array {
  if (typeof value === 'boolean') throw new TypeError('SQLite cannot bind a Boolean.')
  return value
}

/** All rows are arrays if the first one is. */
function areRows(rows: readonly unknown[]): rows is readonly SqlRow[] {
  return rows.length === 0 || Array.isArray(rows[0])
}

function translated<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) throw error
    throw new SqliteError(resultCodeName(error.errcode), error.message, error)
  }
}
