import type { Dialect, Sql } from '../dialect/dialect.js'
import type { SlotValues, SqlRow } from './sql-value.js'
import type { Statement } from './statement.js'

/** A value now, or later: an embedded engine need not wait. */
export type Answer<Value> = Value | Promise<Value>

/** A database, whichever it is. */
export interface Engine {
  readonly dialect: Dialect
  /** Compiles SQL. The result may be kept and run many times. */
  readonly compile: (fragment: Sql) => Statement
  /** Runs reads that see no half-done write of this process. */
  readonly read: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /** Runs a transaction; it is durable when this resolves, and undone when `work` throws. `work` may run again. */
  readonly write: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /** The same without a limit of time for its statements: to make tables and indexes, and to load data. */
  readonly maintain: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  readonly close: () => Promise<void>
}

/** Where statements run. @throws {StoreError} */
export interface Session {
  /** The rows of a statement that has some. */
  readonly all: (statement: Statement, values?: SlotValues) => Answer<readonly SqlRow[]>
  /** How many rows a statement changed. */
  readonly run: (statement: Statement, values?: SlotValues) => Answer<number>
}
