import type { CaseCorrection, QueryEngine, Session } from '../../../sql/index.js'

/** How another thread opens the store of an engine. */
export interface SharedStore {
  /** As `openEngine` takes it. */
  readonly address: string
  /** What the engine has found out about the letter case of PostgreSQL. */
  readonly correction?: CaseCorrection
}

/** A database engine. */
export interface Engine extends QueryEngine {
  /** Undefined: no other connection can open the store, which is in memory, or held by this one. */
  readonly shared?: SharedStore
  /** The milliseconds after which the engine ends a read. Undefined: it has no limit, or not one of its own. */
  readonly readMilliseconds?: number
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
