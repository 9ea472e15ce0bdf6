import type { QueryEngine, Session } from '../../../sql/index.js'

/** A database engine. */
export interface Engine extends QueryEngine {
  /** Runs reads that see no uncommitted write of this process. */
  readonly read: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /**
   * Runs a transaction. It is durable when the promise resolves, and rolled back if `work` throws. `work` may run more than
   * once.
   */
  readonly write: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /** Runs a transaction without a time limit for its statements, for schema changes and for loading data. */
  readonly maintain: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /** Resolves if the database responds. It has a connection of its own, so that it does not wait for requests. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}
