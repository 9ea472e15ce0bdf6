import { setImmediate, setTimeout } from 'node:timers/promises'
import { type Session, StoreError } from '../../../sql/index.js'
import type { Engine } from './engine.js'
import type { SqliteConnection } from './sqlite-drivers/driver.js'
import { busyTimeout, toStoreError, withStoreErrors } from './sqlite-drivers/driver.js'
import { moveLog, type WriteAheadLog } from './write-ahead-log.js'
import { createWriteQueue, type WriteQueue, type WriteTurn } from './write-turns.js'

/** The longest pause between two attempts to start a write transaction, in milliseconds. */
const maxPause = 50

/** The maximum number of writes in one commit. */
const maxGroupSize = 64

/** A commit takes no further write after so many milliseconds, so that reads, and those who wait for the commit, go on. */
const maxGroupTime = 50

/**
 * The bytes of a body that a write stores in a millisecond, if all of it is short words that a search finds. A write that could take
 * longer than a commit has left gets a commit of its own, so that those before it do not wait for it.
 */
const bytesPerMillisecond = 500

/** A write lets other requests go on after so many milliseconds. */
const maxBlocking = 10

/** A write without a caller. */
const noTurn: WriteTurn = { principal: '', bytes: 0 }

/** A write that waits for its turn. */
interface Job {
  /**
   * Runs the write in a savepoint.
   *
   * @returns a function that acknowledges the write, to be called after the commit
   */
  readonly run: () => Promise<() => void>
  readonly refuse: (error: unknown) => void
}

/**
 * Runs writes one at a time, and commits those that are waiting together in one transaction (group commit). Making a write
 * durable takes longer than the write itself. Each write has a savepoint, so that a failed write undoes nothing else. No
 * write is acknowledged before the commit is on the disk, and the next group is written meanwhile. Principals take turns by the
 * time that their writes take, and a limited number of writes of each of them can wait. A long write lets other requests go on
 * between its statements.
 */
export function createGroupCommit(
  database: SqliteConnection,
  session: Session,
  lock: ReadWriteLock,
  maxWaiting: number,
  log: WriteAheadLog,
): Engine['write'] {
  const waiting = createWriteQueue<Job>(maxWaiting)
  const { yielding, begin: beginWrite } = yieldingSession(session)
  let running = false

  const runAll = async (): Promise<void> => {
    running = true
    while (!waiting.isEmpty()) {
      // Let requests that have arrived join the group.
      await setImmediate()
      await lock.exclusive(async () => {
        await commitTogether(database, waiting, log)
        if (waiting.isEmpty() && log.hasShortRest()) moveLog(database, 'PASSIVE')
      })
    }
    running = false
  }

  return (work, turn = noTurn) =>
    new Promise((resolve, reject) => {
      const run = async (): Promise<() => void> => {
        beginWrite()
        const value = await withSavepoint(database, () => work({ ...yielding }))
        return () => resolve(value)
      }
      if (!waiting.add({ run, refuse: reject }, turn)) {
        reject(new StoreError('tooManyWaiting', undefined))
        return
      }
      log.note(turn.bytes)
      if (!running) void runAll()
    })
}

/** A session that lets other requests go on between the statements of a long write. `begin` starts the clock. */
function yieldingSession(session: Session): { readonly yielding: Session; readonly begin: () => void } {
  let since = performance.now()
  const begin = (): void => {
    since = performance.now()
  }
  const turn = async (): Promise<void> => {
    await setImmediate()
    begin()
  }
  const isLong = (): boolean => performance.now() - since > maxBlocking
  return {
    begin,
    yielding: {
      all: (statement, values) =>
        isLong() ? turn().then(() => session.all(statement, values)) : session.all(statement, values),
      run: (statement, values) =>
        isLong() ? turn().then(() => session.run(statement, values)) : session.run(statement, values),
    },
  }
}

async function commitTogether(database: SqliteConnection, waiting: WriteQueue<Job>, log: WriteAheadLog): Promise<void> {
  const done: { readonly acknowledge: () => void; readonly refuse: Job['refuse'] }[] = []
  try {
    await begin(database)
  } catch (error) {
    waiting.next()?.job.refuse(error)
    return
  }
  const start = performance.now()
  while (done.length < maxGroupSize && performance.now() - start < maxGroupTime) {
    const left = maxGroupTime - (performance.now() - start)
    const next = waiting.next(done.length === 0 ? undefined : left * bytesPerMillisecond)
    if (next === undefined) break
    const { job, charge } = next
    const begun = performance.now()
    try {
      done.push({ acknowledge: await job.run(), refuse: job.refuse })
    } catch (error) {
      job.refuse(error)
      // Some errors, such as a full disk, roll back the whole transaction.
      if (!database.inTransaction()) {
        for (const { refuse } of done) refuse(error)
        return
      }
    } finally {
      charge(performance.now() - begun)
    }
  }
  try {
    withStoreErrors(() => database.exec('COMMIT'))
  } catch (error) {
    if (database.inTransaction()) database.exec('ROLLBACK')
    for (const { refuse } of done) refuse(error)
    return
  }
  log.sync().then(
    () => {
      for (const { acknowledge } of done) acknowledge()
    },
    (error: unknown) => {
      for (const { refuse } of done) refuse(error)
    },
  )
}

async function withSavepoint<Value>(database: SqliteConnection, work: () => Promise<Value>): Promise<Value> {
  withStoreErrors(() => database.exec('SAVEPOINT work'))
  try {
    const value = await work()
    withStoreErrors(() => database.exec('RELEASE work'))
    return value
  } catch (error) {
    if (database.inTransaction()) database.exec('ROLLBACK TO work; RELEASE work')
    throw error
  }
}

/**
 * Starts a write transaction. Waits for writers of other connections without blocking this process, as SQLite's own busy
 * handler would. The other writer may be in this process.
 */
async function begin(database: SqliteConnection): Promise<void> {
  const deadline = performance.now() + busyTimeout
  for (let pause = 1; ; pause = Math.min(pause * 2, maxPause)) {
    try {
      database.exec('PRAGMA busy_timeout = 0')
      database.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      const problem = toStoreError(error)
      if (!(problem instanceof StoreError) || problem.kind !== 'busy' || performance.now() > deadline) throw problem
      await setTimeout(pause)
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    }
  }
}

/** A fair lock: many readers or one writer, in order of arrival. */
export interface ReadWriteLock {
  readonly shared: <Value>(work: () => Promise<Value>) => Promise<Value>
  readonly exclusive: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Whether a writer is inside. */
  readonly isClosed: () => boolean
}

interface Waiting {
  readonly alone: boolean
  readonly go: () => void
}

/**
 * Creates a lock for an engine with one connection. Each statement runs at once, but the statements of two transactions must
 * not interleave.
 */
export function createReadWriteLock(): ReadWriteLock {
  const waiting: Waiting[] = []
  let inside = 0
  let closed = false

  const enter = (alone: boolean): void => {
    inside++
    closed = alone
  }
  const isFree = (alone: boolean): boolean => !closed && (!alone || inside === 0)
  const leave = (): void => {
    inside--
    if (inside === 0) closed = false
    for (let next = waiting[0]; next !== undefined && isFree(next.alone); next = waiting[0]) {
      waiting.shift()
      enter(next.alone)
      next.go()
    }
  }
  const pass = async <Value>(alone: boolean, work: () => Promise<Value>): Promise<Value> => {
    if (waiting.length === 0 && isFree(alone)) enter(alone)
    else await new Promise<void>(go => waiting.push({ alone, go }))
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return { shared: work => pass(false, work), exclusive: work => pass(true, work), isClosed: () => closed }
}
