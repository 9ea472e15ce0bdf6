import { type SqlRow, type SqlValue, StoreError } from '../../../../sql/index.js'

/** Milliseconds to wait for a writer of another process. */
export const busyTimeout = 10_000

/** A driver of SQLite: native code in a package, native code in Node.js, or WebAssembly. */
export interface SqliteDriver {
  readonly name: SqliteDriverName
  /** Whether several connections can have a file open. If not, the first one holds it until it is closed. */
  readonly shares: boolean
  /**
   * Opens a database.
   *
   * @param file a path, or `:memory:`
   * @param access `read`: the connection cannot change the file, which exists
   * @throws {SqliteError}
   */
  readonly open: (file: string, access?: 'read') => SqliteConnection
}

/** The drivers, the fastest one first. */
export const sqliteDriverNames = ['better-sqlite3', 'node-sqlite', 'sqlite-wasm'] as const

export type SqliteDriverName = (typeof sqliteDriverNames)[number]

/**
 * A connection to a database. Numbers that it binds are floating-point numbers, and bigints are integers. Columns return
 * integers as numbers.
 *
 * @throws {SqliteError} from all methods. An error that an added function throws is rethrown unchanged.
 */
export interface SqliteConnection {
  /** Adds a deterministic function with any number of arguments. */
  readonly addFunction: (name: string, work: SqliteFunction) => void
  /** Runs statements and drops their rows. */
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => SqliteStatement
  /**
   * Asks now and then whether the running statement has to end, and ends it with `SQLITE_INTERRUPT`. Undefined: the driver
   * cannot do so.
   */
  readonly endWhen?: (isOver: () => boolean) => void
  readonly isOpen: () => boolean
  readonly inTransaction: () => boolean
  readonly close: () => void
}

/**
 * A function that statements can call. Integers are bigints, in its arguments and its result; numbers are floating-point
 * numbers.
 */
export type SqliteFunction = (...values: readonly unknown[]) => unknown

/** A prepared statement. */
export interface SqliteStatement {
  /** The rows that the statement returns. */
  readonly all: (parameters: readonly SqlValue[]) => readonly SqlRow[]
  /** The number of rows that the statement changed. */
  readonly run: (parameters: readonly SqlValue[]) => number
}

/** An error that SQLite reports. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  /** The name of the result code, such as `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** @see https://www.sqlite.org/rescode.html */
const primaryCodes = [
  ...['OK', 'ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT', 'IOERR'],
  ...['CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG', 'CONSTRAINT', 'MISMATCH'],
  ...['MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB'],
]

/** The extended codes that say more than their primary code about what a caller can do. */
const extendedCodes: ReadonlyMap<number, string> = new Map([
  [787, 'CONSTRAINT_FOREIGNKEY'],
  [1555, 'CONSTRAINT_PRIMARYKEY'],
  [2067, 'CONSTRAINT_UNIQUE'],
])

export function resultCodeName(code: number): string {
  return `SQLITE_${extendedCodes.get(code) ?? primaryCodes[code & 0xff] ?? String(code)}`
}

/** Converts errors of SQLite that callers can act on to `StoreError`. */
export function withStoreErrors<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw toStoreError(error)
  }
}

/** @see https://www.sqlite.org/rescode.html */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof SqliteError)) return error
  const { code, message } = error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new StoreError('unique', error, columnsIn(message))
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new StoreError('reference', error)
  if (code.startsWith('SQLITE_BUSY')) return new StoreError('busy', error)
  if (code === 'SQLITE_INTERRUPT') return new StoreError('tooSlow', error)
  if (code === 'SQLITE_FULL') return new StoreError('full', error)
  // SQLite opens the journal anew for each write. That fails while the process has no free file descriptor, and passes.
  if (code.startsWith('SQLITE_CANTOPEN')) return new StoreError('unavailable', error)
  if (/^SQLITE_(?:CORRUPT|NOTADB|IOERR|READONLY)/.test(code)) return new StoreError('damaged', error)
  const isTooComplex = /too large|too many|too deep|stack overflow/.test(message)
  return isTooComplex ? new StoreError('tooComplex', error) : error
}

/** `UNIQUE constraint failed: group.mailNickname, group.x` */
function columnsIn(message: string): readonly string[] {
  const [, list = ''] = message.split('failed: ')
  return list.split(', ').map(name => name.slice(name.indexOf('.') + 1))
}
