import init from '@sqlite.org/sqlite-wasm'
import type { SqliteDatabase } from 'kysely'
import type { addSqliteFunctions } from 'specwright/sql'

/** What takes the functions of specwright/sql. */
type FunctionsTarget = Parameters<typeof addSqliteFunctions>[0]

/** SQLite in memory, without native code: a database for Kysely that takes the functions of specwright/sql. */
export async function openSqlite(): Promise<SqliteDatabase & FunctionsTarget & { exec(sql: string): void }> {
  const { oo1 } = await init()
  const database = new oo1.DB(':memory:')
  return {
    exec: sql => void database.exec(sql),
    function: (name, { deterministic }, work) =>
      database.createFunction(name, (_context, ...values) => asResult(work(...values.map(asArgument))), {
        arity: -1,
        deterministic,
      }),
    prepare: sql => {
      const statement = database.prepare(sql)
      const rows = (parameters: readonly unknown[]): unknown[] => {
        try {
          if (parameters.length > 0) statement.bind(parameters.map(asResult))
          const found: unknown[] = []
          while (statement.step()) found.push(statement.get({}))
          return found
        } finally {
          statement.finalize()
        }
      }
      return {
        reader: statement.columnCount > 0,
        all: rows,
        iterate: parameters => rows(parameters).values(),
        run: parameters => {
          rows(parameters)
          return { changes: database.changes(), lastInsertRowid: 0 }
        },
      }
    },
    close: () => database.close(),
  }
}

/** The functions take integers as bigints. */
const asArgument = (value: unknown): unknown => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value)

function asResult(value: unknown): string | number | bigint | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value === null || value === undefined) return null
  throw new TypeError(`SQLite has no type for a ${typeof value}.`)
}
