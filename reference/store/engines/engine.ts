import { AsyncLocalStorage } from 'node:async_hooks'
import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import type { Principal } from '../../../runtime/server/index.js'
import { installCommand } from '../../../spec/language/index.js'
import type { CaseCorrection, QueryEngine, Session } from '../../../sql/index.js'
import type { WriteTurn } from './write-turns.js'

/** A replica of a PostgreSQL database, for reads. */
export interface ReplicaStore {
  /** Its connection string. */
  readonly address: string
  /** The milliseconds that a read waits until the replica has the writes that were acknowledged before the read. */
  readonly milliseconds: number
}

/** How another thread opens the store of an engine. */
export interface SharedStore {
  /** As `openEngine` takes it. */
  readonly address: string
  /** What the engine has found out about the letter case of PostgreSQL. */
  readonly correction?: CaseCorrection
  readonly replica?: ReplicaStore
}

/** A database engine. */
export interface Engine extends QueryEngine {
  /** Undefined: no other connection can open the store, which is in memory, or held by this one. */
  readonly shared?: SharedStore
  /** The milliseconds after which the engine ends a read. Undefined: it has no limit, or not one of its own. */
  readonly readMilliseconds?: number
  /**
   * Runs reads that see no uncommitted write of this process, and every write that was acknowledged before. A replica may answer, so
   * that `work` may run more than once, unless `from` says that the primary has to.
   */
  readonly read: <Value>(work: (session: Session) => Promise<Value>, from?: 'primary') => Promise<Value>
  /**
   * Runs a transaction, with a session of its own. It is durable when the promise resolves, and rolled back if `work` throws. `work` may run more than
   * once. An engine with one writer gives each principal its turn.
   */
  readonly write: <Value>(work: (session: Session) => Promise<Value>, turn?: WriteTurn) => Promise<Value>
  /** Runs a transaction without a time limit for its statements, for schema changes and for loading data. */
  readonly maintain: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /** Resolves if the database responds. It has a connection of its own, so that it does not wait for requests. */
  readonly check: () => Promise<void>
  /** Whether reads go to the primary although there is a replica, because it is away or too late. */
  readonly isDegraded?: () => boolean
  readonly close: () => Promise<void>
}

/**
 * Opens an engine whose driver package, or the native part of it, may be missing. npm omits the native part if it does not
 * run install scripts, and a different version of Node.js cannot load it.
 *
 * @param driver the package, with its version if that matters
 * @param open loads the driver and opens the engine
 * @throws {DriverError} if the package cannot be loaded
 */
export async function withDriver<T>(driver: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const why = loadFailure(driver, error)
    throw why === undefined ? error : new DriverError(why, { cause: error })
  }
}

/** Why a package cannot be loaded. The error can be of another realm, as in Jest. */
function loadFailure(requirement: string, error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  // A name can begin with @.
  const driver = requirement.replace(/(?<=.)@.*/, '')
  const code = 'code' in error ? error.code : undefined
  // Vite and Rolldown replace an optional package that is not there by a module that throws. Jest gives no code.
  const message = 'message' in error ? String(error.message) : ''
  const isAbsent = /^(?:Could not resolve "|Cannot find module ')/.test(message)
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || isAbsent)
    return `The package ${driver} is not installed, or its installation is incomplete. Run: ${installCommand(requirement)}`
  // The package `bindings`, which locates the native part, reports no code.
  if (code === 'ERR_DLOPEN_FAILED' || message.startsWith('Could not locate the bindings file'))
    return (
      `The native part of the package ${driver} is missing, or was built for a different version of Node.js or a different system. Run: ` +
      `npm rebuild ${driver}, with install scripts allowed`
    )
  return undefined
}

/** The package that connects to a database cannot be loaded. The message says how to fix it. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
}

/**
 * Runs work in one transaction: all reads and writes of the store that it starts, and waits for, join it. The transaction is
 * rolled back if the work throws. It may run more than once.
 */
export type Atomically = <Value>(
  work: () => Promise<Value>,
  principal?: Pick<Principal, 'id'>,
  bytes?: number,
) => Promise<Value>

interface AtomicEngine {
  readonly engine: Engine
  readonly atomically: Atomically
  /** Whether the code that calls it is part of such work. */
  readonly isAtomic: () => boolean
}

/** An engine whose reads and writes join the transaction of the work that they belong to. */
export function withAtomicWork(engine: Engine): AtomicEngine {
  const joined = new AsyncLocalStorage<Session>()
  const read: Engine['read'] = (work, from) => {
    const session = joined.getStore()
    return session === undefined ? engine.read(work, from) : work(session)
  }
  const write: Engine['write'] = (work, turn) => {
    const session = joined.getStore()
    return session === undefined ? engine.write(work, turn) : work(session)
  }
  return {
    engine: { ...engine, read, write },
    atomically: (work, principal, bytes = 0) =>
      engine.write(session => joined.run(session, work), { principal: principal?.id ?? '', bytes }),
    isAtomic: () => joined.getStore() !== undefined,
  }
}

/** By how much the nice value of a thread is higher: the main thread goes first when both could run. */
const niceness = 10

/**
 * Lowers the priority of this thread. On Linux, each thread has a priority of its own. Elsewhere that of the process would change, so
 * it stays.
 */
export function yieldToMainThread(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (!Number.isSafeInteger(thread) || thread === process.pid) return
    // The thread has that of the service until now, which need not be 0.
    setPriority(thread, Math.min(getPriority(thread) + niceness, constants.priority.PRIORITY_LOW))
  } catch {
    // No Linux, or no /proc.
  }
}
