import init, { type Database, type Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { SqlRow, SqlValue } from '../../../../sql/index.js'
import {
  resultCodeName,
  type SqliteConnection,
  type SqliteDriver,
  SqliteError,
  type SqliteFunction,
  type SqliteStatement,
} from './driver.js'

/** An address in the memory of the WebAssembly module. */
type Pointer = number

/** The functions of SQLite's C interface that the driver calls. */
interface Sqlite3Exports {
  readonly sqlite3_prepare_v3: (
    db: Pointer,
    sql: Pointer,
    bytes: number,
    flags: number,
    out: Pointer,
    tail: Pointer,
  ) => number
  readonly sqlite3_bind_null: (statement: Pointer, index: number) => number
  readonly sqlite3_bind_double: (statement: Pointer, index: number, value: number) => number
  readonly sqlite3_bind_int64: (statement: Pointer, index: number, value: bigint) => number
  readonly sqlite3_bind_text: (statement: Pointer, index: number, text: Pointer, bytes: number, free: Pointer) => number
  readonly sqlite3_bind_blob: (
    statement: Pointer,
    index: number,
    start: Pointer,
    bytes: number,
    free: Pointer,
  ) => number
  readonly sqlite3_step: (statement: Pointer) => number
  readonly sqlite3_reset: (statement: Pointer) => number
  readonly sqlite3_finalize: (statement: Pointer) => number
  readonly sqlite3_column_count: (statement: Pointer) => number
  readonly sqlite3_column_type: (statement: Pointer, index: number) => number
  readonly sqlite3_column_double: (statement: Pointer, index: number) => number
  readonly sqlite3_column_text: (statement: Pointer, index: number) => Pointer
  readonly sqlite3_column_blob: (statement: Pointer, index: number) => Pointer
  readonly sqlite3_column_bytes: (statement: Pointer, index: number) => number
  readonly sqlite3_value_type: (value: Pointer) => number
  readonly sqlite3_value_double: (value: Pointer) => number
  readonly sqlite3_value_int64: (value: Pointer) => bigint
  readonly sqlite3_value_text: (value: Pointer) => Pointer
  readonly sqlite3_value_bytes: (value: Pointer) => number
  readonly sqlite3_result_null: (context: Pointer) => void
  readonly sqlite3_result_double: (context: Pointer, value: number) => void
  readonly sqlite3_result_int64: (context: Pointer, value: bigint) => void
  readonly sqlite3_result_text: (context: Pointer, text: Pointer, bytes: number, free: Pointer) => void
  readonly sqlite3_result_error_code: (context: Pointer, code: number) => void
  readonly sqlite3_create_function_v2: (
    db: Pointer,
    name: Pointer,
    count: number,
    flags: number,
    data: Pointer,
    call: Pointer,
    step: Pointer,
    final: Pointer,
    free: Pointer,
  ) => number
  readonly sqlite3_changes: (db: Pointer) => number
  readonly sqlite3_get_autocommit: (db: Pointer) => number
  readonly sqlite3_extended_errcode: (db: Pointer) => number
}

/** Result codes and the types of values. @see https://www.sqlite.org/c3ref/constlist.html */
const code = { ok: 0, error: 1, row: 100, done: 101 } as const
const type = { integer: 1, double: 2, text: 3, blob: 4, null: 5 } as const
/** The flag of a statement that runs many times. */
const persistent = 1
/** The flags of a function. */
const utf8 = 1
const deterministic = 0x800
/** The range of SQLite's integers. */
const integers = { least: -(2n ** 63n), most: 2n ** 63n - 1n } as const

/** The instructions of SQLite's virtual machine between two questions whether a statement is over: less than a millisecond. */
const stepsBetweenChecks = 20_000

/** How databases in files are opened, where there are files. */
export interface SqliteFiles {
  /** The name of the virtual file system. */
  readonly vfs: string
  /**
   * Holds a database for one connection: WebAssembly has neither the locks nor the shared memory with which several share it.
   */
  readonly hold: (file: string) => { readonly release: () => void }
}

export interface SqliteWasmOptions {
  /** The address of `sqlite3.wasm`, if it is not beside the module. */
  readonly locate?: string | undefined
  /** Adds files. Without it, databases are in memory only. */
  readonly installFiles?: ((sqlite3: Sqlite3Static) => SqliteFiles) | undefined
}

/** SQLite as WebAssembly: it runs wherever JavaScript does. */
export async function loadSqliteWasm({ locate, installFiles }: SqliteWasmOptions = {}): Promise<SqliteDriver> {
  const ignore = (): void => undefined
  const options = locate === undefined ? {} : { locateFile: () => locate }
  const sqlite3 = await init({ print: ignore, printErr: ignore, ...options })
  const files = installFiles?.(sqlite3)
  return {
    name: 'sqlite-wasm',
    shares: false,
    open: file => {
      if (file === ':memory:') return connectionOf(sqlite3, openDatabase(sqlite3, file))
      if (files === undefined) throw new SqliteError('SQLITE_CANTOPEN', 'There are no files here. Use :memory:.')
      const { release } = files.hold(file)
      try {
        const database = openDatabase(sqlite3, file, files.vfs)
        // Before anything else reads the file: then the write-ahead log needs no shared memory.
        database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = 4096')
        const connection = connectionOf(sqlite3, database)
        return {
          ...connection,
          close: () => {
            connection.close()
            release()
          },
        }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

function openDatabase(sqlite3: Sqlite3Static, file: string, vfs?: string): Database {
  try {
    return new sqlite3.oo1.DB({ filename: file, flags: 'c', ...(vfs === undefined ? {} : { vfs }) })
  } catch (error) {
    if (!(error instanceof sqlite3.SQLite3Error)) throw error
    throw new SqliteError(resultCodeName(error.resultCode), error.message, error)
  }
}

function connectionOf(sqlite3: Sqlite3Static, database: Database): SqliteConnection {
  const db = pointerOf(database)
  const module = moduleOf(sqlite3)
  const { c } = module
  const failure: Failure = { thrown: undefined }
  const check = (result: number): void => {
    if (result === code.ok) return
    const { thrown } = failure
    failure.thrown = undefined
    if (thrown !== undefined) throw thrown.error
    throw new SqliteError(resultCodeName(c.sqlite3_extended_errcode(db)), sqlite3.capi.sqlite3_errmsg(db))
  }
  const functions: Pointer[] = []
  const statements = new Set<Pointer>()
  const finalize = (statement: Pointer): void => {
    if (statements.delete(statement)) c.sqlite3_finalize(statement)
  }
  // A statement that nobody refers to any more frees its memory.
  const unused = new FinalizationRegistry(finalize)
  const prepare = (sql: string): Pointer => {
    const { address, bytes } = module.allocate(sql)
    const out = sqlite3.wasm.alloc(8)
    try {
      check(c.sqlite3_prepare_v3(db, address, bytes, persistent, out, 0))
      const statement = module.pointerAt(out, 0)
      statements.add(statement)
      return statement
    } finally {
      module.free(address)
      module.free(out)
    }
  }
  return {
    exec: sql => check(sqlite3.capi.sqlite3_exec(db, sql, 0, 0, 0)),
    prepare: sql => {
      const pointer = prepare(sql)
      const statement = statementOf(module, db, pointer, check)
      unused.register(statement, pointer)
      return statement
    },
    addFunction: (name, work) => {
      const call = sqlite3.wasm.installFunction('v(iii)', calledFrom(module, failure, work))
      functions.push(call)
      const { address } = module.allocate(name)
      try {
        check(c.sqlite3_create_function_v2(db, address, -1, utf8 | deterministic, 0, call, 0, 0, 0))
      } finally {
        module.free(address)
      }
    },
    endWhen: isOver => sqlite3.capi.sqlite3_progress_handler(db, stepsBetweenChecks, () => (isOver() ? 1 : 0), 0),
    isOpen: () => database.isOpen(),
    inTransaction: () => c.sqlite3_get_autocommit(db) === 0,
    close: () => {
      for (const statement of statements) finalize(statement)
      database.close()
      for (const call of functions.splice(0)) sqlite3.wasm.uninstallFunction(call)
    },
  }
}

/** What a function threw during a statement. An exception must not cross WebAssembly. */
interface Failure {
  thrown: { readonly error: unknown } | undefined
}

function pointerOf({ pointer }: { readonly pointer?: unknown }): Pointer {
  if (typeof pointer !== 'number') throw new TypeError('SQLite returned no connection.')
  return pointer
}

/** The WebAssembly module, and texts in its memory. */
interface Module {
  readonly c: Sqlite3Exports
  /** Copies a text. SQLite frees it if `freed` is passed along. */
  readonly allocate: (text: string) => { readonly address: Pointer; readonly bytes: number }
  /** Copies bytes. */
  readonly allocateBytes: (bytes: Uint8Array) => Pointer
  /** A copy of bytes. */
  readonly bytes: (address: Pointer, count: number) => Uint8Array
  readonly free: (address: Pointer) => void
  readonly freed: Pointer
  readonly text: (address: Pointer, bytes: number) => string
  /** An item of an array of addresses. */
  readonly pointerAt: (addresses: Pointer, index: number) => Pointer
}

function moduleOf({ wasm, capi }: Sqlite3Static): Module {
  const c: Sqlite3Exports = wasm.exports
  const encoder = new TextEncoder()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return {
    c,
    allocate: text => {
      const encoded = encoder.encode(text)
      const address = wasm.alloc(encoded.length + 1)
      const memory = wasm.heap8u()
      memory.set(encoded, address)
      memory[address + encoded.length] = 0
      return { address, bytes: encoded.length }
    },
    allocateBytes: bytes => {
      // No bytes have an address, too: SQLite takes a missing one for null.
      const address = wasm.alloc(Math.max(1, bytes.length))
      wasm.heap8u().set(bytes, address)
      return address
    },
    bytes: (address, count) => wasm.heap8u().slice(address, address + count),
    free: address => wasm.dealloc(address),
    freed: capi.SQLITE_WASM_DEALLOC,
    text: (address, bytes) => (bytes === 0 ? '' : decoder.decode(wasm.heap8u().subarray(address, address + bytes))),
    pointerAt: (addresses, index) => wasm.peekPtr(addresses + index * 4),
  }
}

function statementOf(
  module: Module,
  db: Pointer,
  statement: Pointer,
  check: (result: number) => void,
): SqliteStatement {
  const { c } = module
  const columns = c.sqlite3_column_count(statement)
  /** Runs the statement to its end. */
  const run = (parameters: readonly SqlValue[], eachRow: () => void): void => {
    try {
      for (const [index, value] of parameters.entries()) check(bind(module, statement, index + 1, value))
      for (;;) {
        const result = c.sqlite3_step(statement)
        if (result === code.done) return
        if (result !== code.row) check(result)
        eachRow()
      }
    } finally {
      c.sqlite3_reset(statement)
    }
  }
  return {
    all: parameters => {
      const rows: SqlRow[] = []
      run(parameters, () => {
        const row: unknown[] = []
        for (let index = 0; index < columns; index++) row.push(columnValue(module, statement, index))
        rows.push(row)
      })
      return rows
    },
    run: parameters => {
      run(parameters, () => undefined)
      return c.sqlite3_changes(db)
    },
  }
}

function bind(
  { c, allocate, allocateBytes, freed }: Module,
  statement: Pointer,
  index: number,
  value: SqlValue,
): number {
  switch (typeof value) {
    case 'string': {
      const { address, bytes } = allocate(value)
      return c.sqlite3_bind_text(statement, index, address, bytes, freed)
    }
    case 'number':
      return c.sqlite3_bind_double(statement, index, value)
    case 'bigint':
      return c.sqlite3_bind_int64(statement, index, inRange(value))
    case 'boolean':
      throw new TypeError('SQLite cannot bind a Boolean.')
    default:
      if (value === null) return c.sqlite3_bind_null(statement, index)
      return c.sqlite3_bind_blob(statement, index, allocateBytes(value), value.length, freed)
  }
}

function columnValue({ c, text, bytes }: Module, statement: Pointer, index: number): unknown {
  switch (c.sqlite3_column_type(statement, index)) {
    case type.integer:
    case type.double:
      return c.sqlite3_column_double(statement, index)
    case type.null:
      return null
    case type.blob:
      return bytes(c.sqlite3_column_blob(statement, index), c.sqlite3_column_bytes(statement, index))
    default:
      // The address first: it makes the bytes those of the text.
      return text(c.sqlite3_column_text(statement, index), c.sqlite3_column_bytes(statement, index))
  }
}

/** A function as SQLite calls it. */
function calledFrom(
  { c, text, allocate, freed, pointerAt }: Module,
  failure: Failure,
  work: SqliteFunction,
): (context: Pointer, count: number, addresses: Pointer) => void {
  const valueAt = (value: Pointer): unknown => {
    switch (c.sqlite3_value_type(value)) {
      case type.integer:
        return c.sqlite3_value_int64(value)
      case type.double:
        return c.sqlite3_value_double(value)
      case type.null:
        return null
      default:
        // The address first: it makes the bytes those of the text.
        return text(c.sqlite3_value_text(value), c.sqlite3_value_bytes(value))
    }
  }
  const answer = (context: Pointer, result: unknown): void => {
    if (result === null || result === undefined) c.sqlite3_result_null(context)
    else if (typeof result === 'number') c.sqlite3_result_double(context, result)
    else if (typeof result === 'bigint') c.sqlite3_result_int64(context, inRange(result))
    else if (typeof result === 'string') {
      const { address, bytes } = allocate(result)
      c.sqlite3_result_text(context, address, bytes, freed)
    } else throw new TypeError(`A function cannot return a ${typeof result} to SQLite.`)
  }
  return (context, count, addresses) => {
    try {
      const values = Array.from({ length: count }, (_, index) => valueAt(pointerAt(addresses, index)))
      answer(context, work(...values))
    } catch (error) {
      failure.thrown ??= { error }
      c.sqlite3_result_error_code(context, code.error)
    }
  }
}

function inRange(value: bigint): bigint {
  if (value < integers.least || value > integers.most) throw new RangeError(`${value} is not a 64-bit integer.`)
  return value
}
