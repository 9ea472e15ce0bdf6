import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { type Engine, type Session, StoreError } from './engine.js'
import type { ReadWriteLock } from './read-write-lock.js'
import { toStoreError, withStoreErrors } from './sqlite-driver.js'

/** How long a writer of another process is waited for, in milliseconds. */
export const busyTimeout = 10_000

/** Between two attempts to become the writer, in milliseconds. */
const maxPause = 50

/** Writes that share one commit. */
const maxGroupSize = 64

/** One write that waits for its turn. */
interface Job {
  /** Does the work within a savepoint. @returns what tells the caller, to be called when the commit is done */
  readonly run: () => Promise<() => void>
  readonly refuse: (error: unknown) => void
}

/**
 * Runs writes one after the other, those that wait together in one transaction: what makes a write durable takes longer
 * than all the rest, and is then paid once. Each has a savepoint of its own, so that one that fails undoes nothing else;
 * none is acknowledged before the commit.
 */
export function createGroupCommit(database: Database, session: Session, gate: ReadWriteLock): Engine['write'] {
  const waiting: Job[] = []
  let running = false

  const runAll = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      // Requests that have come by now are heard first, so that their writes may join.
      await setImmediate()
      await gate.exclusive(() => commitTogether(database, waiting))
    }
    running = false
  }

  return work =>
    new Promise((resolve, reject) => {
      const run = async (): Promise<() => void> => {
        const value = await withSavepoint(database, () => work(session))
        return () => resolve(value)
      }
      waiting.push({ run, refuse: reject })
      if (!running) void runAll()
    })
}

async function commitTogether(database: Database, waiting: Job[]): Promise<void> {
  const done: { readonly acknowledge: () => void; readonly refuse: Job['refuse'] }[] = []
  try {
    await begin(database)
  } catch (error) {
    waiting.shift()?.refuse(error)
    return
  }
  while (done.length < maxGroupSize) {
    const job = waiting.shift()
    if (job === undefined) break
    try {
      done.push({ acknowledge: await job.run(), refuse: job.refuse })
    } catch (error) {
      job.refuse(error)
      // Some errors, such as a full disk, undo the whole transaction.
      if (!database.inTransaction) {
        for (const { refuse } of done) refuse(error)
        return
      }
    }
  }
  try {
    withStoreErrors(() => database.exec('COMMIT'))
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    for (const { refuse } of done) refuse(error)
    return
  }
  for (const { acknowledge } of done) acknowledge()
}

async function withSavepoint<Value>(database: Database, work: () => Promise<Value>): Promise<Value> {
  withStoreErrors(() => database.exec('SAVEPOINT work'))
  try {
    const value = await work()
    withStoreErrors(() => database.exec('RELEASE work'))
    return value
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK TO work; RELEASE work')
    throw error
  }
}

/**
 * Waits for writers of other connections without holding up this process, in which they may be: SQLite's own way of waiting
 * would.
 */
async function begin(database: Database): Promise<void> {
  const deadline = Date.now() + busyTimeout
  for (let pause = 1; ; pause = Math.min(pause * 2, maxPause)) {
    try {
      database.exec('PRAGMA busy_timeout = 0')
      database.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      const problem = toStoreError(error)
      if (!(problem instanceof StoreError) || problem.kind !== 'busy' || Date.now() > deadline) throw problem
      await setTimeout(pause)
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    }
  }
}
