import { closeSync, fdatasync, fdatasyncSync, open } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../../../sql/index.js'
import type { CheckpointData } from './checkpoint-thread.js'
import { busyTimeout, type SqliteConnection, type SqliteDriverName, SqliteError } from './sqlite-drivers/driver.js'

/** The write-ahead log of a file of SQLite: what makes its commits durable and keeps it short, outside of the main thread. */
export interface WriteAheadLog {
  /**
   * Resolves when everything that was committed before the call is on the disk.
   *
   * @throws {StoreError} if the disk does not keep it. Then nothing that is committed later is known to be safe, either
   */
  readonly sync: () => Promise<void>
  /** Notes a write. After many of them, a thread moves the log into the file. */
  readonly note: (bytes: number) => void
  /**
   * Whether a thread has just moved all but a short rest of the log. The caller moves the rest, so that the next commit begins the
   * log anew: a disk overwrites a log sooner than it extends one. True once for each time.
   */
  readonly hasShortRest: () => boolean
  /** Ends before the database closes. */
  readonly close: () => Promise<void>
}

/** The result of a function of the file system. Its promises have no `datasync` with Yarn's Plug'n'Play, which replaces them. */
const resultOf = <T>(start: (done: (error: Error | null, result: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, result) => (error === null ? resolve(result) : reject(error)))
  })

/** A log that is synchronised by SQLite itself at each commit. */
export const synchronousLog: WriteAheadLog = {
  sync: async () => undefined,
  note: () => undefined,
  hasShortRest: () => false,
  close: async () => undefined,
}

/** A small commit need not wait until a large one is on the disk, and those after them wait together. */
const mostSyncs = 2

/** What a write takes in the log at least: a few pages of 4 KiB. */
const leastBytes = 16_384

/**
 * After so few bytes, the main thread synchronises the log itself, if the disk is quick: handing the work to a thread would take longer.
 */
const directBytes = 2 * leastBytes

/** A disk that took longer, in milliseconds, is slow: the main thread does not wait for it. */
const slowSync = 2

/** The log is moved into the file after so many bytes: a thousand pages, as by default in SQLite. */
const checkpointBytes = 4 * 1024 * 1024

/** The main thread moves so many bytes that were written while the thread was moving the others. */
const restBytes = 16 * leastBytes

/** It moves so many bytes again. More are those of many writers, who commit together, so that a longer log costs little. */
const roundBytes = 4 * restBytes

/** The thread moves what was written meanwhile so many times. */
const mostRounds = 4

/**
 * The pages of the log from which on the main thread moves it into the file at each commit. The thread usually keeps the log shorter.
 * It does not, if a reader never ends or the disk is slow.
 */
export const mostPages = 16_384

/**
 * Opens the log of a file whose connection writes with `synchronous = NORMAL`: SQLite then leaves a commit to the operating system, and
 * synchronises the log only before it moves pages into the file. So a power failure loses commits that were not synchronised, but
 * nothing in their middle. A write is acknowledged after `sync`.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function openWriteAheadLog(
  file: string,
  driver: SqliteDriverName,
  threadModule = new URL('./checkpoint-thread.js', import.meta.url),
): WriteAheadLog {
  const data: CheckpointData = { file, driver }
  let log: Promise<number> | undefined
  let broken: StoreError | undefined
  const running = new Set<Promise<void>>()
  let next: Promise<void> | undefined
  /** Milliseconds that the disk took the last time. */
  let lastSync = Number.POSITIVE_INFINITY
  /** Bytes since the log was last synchronised. */
  let unsynchronised = 0
  /** Bytes since the thread last began to move the log. */
  let written = 0
  let round = 0
  let hasShortRest = false

  const checkpoints = createCheckpoints(threadModule, data, () => {
    if (lastSync > slowSync) return
    if (written <= restBytes) hasShortRest = true
    else if (written <= roundBytes && ++round < mostRounds) move()
  })
  const move = (): boolean => {
    hasShortRest = false
    if (!checkpoints.begin()) return false
    written = 0
    return true
  }

  const opened = (): Promise<number> => {
    // SQLite creates the log at the first write, and keeps it as long as a connection is open.
    log ??= resultOf<number>(done => open(`${file}-wal`, 'r+', done)).catch((error: unknown) => {
      log = undefined
      throw new StoreError('unavailable', error)
    })
    return log
  }
  const syncOnce = async (isDirect: boolean): Promise<void> => {
    const descriptor = await opened()
    if (broken !== undefined) throw broken
    const start = performance.now()
    try {
      if (isDirect) fdatasyncSync(descriptor)
      else await resultOf(done => fdatasync(descriptor, error => done(error, undefined)))
    } catch (error) {
      // The operating system can have dropped the pages, so that another attempt would succeed without them.
      broken = new StoreError('damaged', error)
      throw broken
    }
    lastSync = performance.now() - start
  }
  const begin = (): Promise<void> => {
    const isDirect = unsynchronised <= directBytes && running.size === 0 && lastSync <= slowSync
    unsynchronised = 0
    const sync = syncOnce(isDirect)
    running.add(sync)
    const end = (): void => void running.delete(sync)
    sync.then(end, end)
    return sync
  }
  return {
    sync: () => {
      // What runs may have begun before the last commit.
      if (running.size < mostSyncs) return begin()
      next ??= Promise.race(running)
        .catch(() => undefined)
        .then(() => {
          next = undefined
          return begin()
        })
      return next
    },
    note: bytes => {
      unsynchronised += bytes + leastBytes
      written += bytes + leastBytes
      if (written >= checkpointBytes && move()) round = 0
    },
    hasShortRest: () => {
      const isNow = hasShortRest && written <= restBytes
      hasShortRest = false
      return isNow
    },
    close: async () => {
      await Promise.allSettled([...running, next])
      await checkpoints.close()
      // SQLite holds no lock on the log, which closing it would release.
      await log?.then(closeSync, () => undefined)
    },
  }
}

/** The thread that moves the log into the file. It starts when it is first needed, and calls `done` each time. */
function createCheckpoints(
  module: URL,
  data: CheckpointData,
  done: () => void,
): {
  /** Begins to move the log. Returns false if the thread has not finished the last time. */
  readonly begin: () => boolean
  readonly close: () => Promise<void>
} {
  let thread: Worker | undefined
  let isBusy = false
  const start = (): Worker => {
    const worker = new Worker(module, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    })
    worker.on('message', () => {
      isBusy = false
      done()
    })
    // Without the thread, it stays busy, and the main thread moves a log with many pages.
    worker.on('error', () => undefined)
    worker.unref()
    return worker
  }
  return {
    begin: () => {
      if (isBusy) return false
      isBusy = true
      thread ??= start()
      thread.postMessage('checkpoint')
      return true
    },
    close: async () => {
      isBusy = true
      await thread?.terminate()
    },
  }
}

/**
 * Moves the write-ahead log into the file. With `TRUNCATE`, the file alone is then a complete copy, and the log does not stay as long
 * as the loaded data. Skipped if another process is reading or the disk is full: committed data is safe in the log.
 * Closing the database does the same.
 */
export function moveLog(database: SqliteConnection, mode: 'PASSIVE' | 'TRUNCATE'): void {
  if (!database.isOpen()) return
  database.exec('PRAGMA busy_timeout = 0')
  try {
    database.exec(`PRAGMA wal_checkpoint(${mode})`)
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
  } finally {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
  }
}
