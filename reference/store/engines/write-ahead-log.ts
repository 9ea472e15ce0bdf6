import { type FileHandle, open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../../../sql/index.js'
import type { CheckpointData } from './checkpoint-thread.js'
import type { SqliteDriverName } from './sqlite-drivers/driver.js'

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
  /** Ends before the database closes. */
  readonly close: () => Promise<void>
}

/** A log that is synchronised by SQLite itself at each commit. */
export const synchronousLog: WriteAheadLog = {
  sync: async () => undefined,
  note: () => undefined,
  close: async () => undefined,
}

/** A small commit need not wait until a large one is on the disk, and those after them wait together. */
const mostSyncs = 2

/** What a write takes in the log at least: a few pages of 4 KiB. */
const leastBytes = 16_384

/** The log is moved into the file after so many bytes: a thousand pages, as by default in SQLite. */
const checkpointBytes = 4 * 1024 * 1024

/**
 * The pages of the log from which on the main thread moves it into the file at each commit. The thread usually keeps the log shorter.
 * It never ends with a log that nobody appends to, so that a busy writer would never begin the log anew.
 */
export const mostPages = 16_384

/**
 * Opens the log of a file whose connection writes with `synchronous = NORMAL`: SQLite then leaves a commit to the operating system, and
 * synchronises the log only before it moves pages into the file. So a power failure loses commits that were not synchronised, but
 * nothing in their middle. A write is acknowledged after `sync`.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function openWriteAheadLog(file: string, driver: SqliteDriverName): WriteAheadLog {
  const data: CheckpointData = { file, driver }
  const checkpoints = createCheckpoints(data)
  let handle: Promise<FileHandle> | undefined
  let broken: StoreError | undefined
  const running = new Set<Promise<void>>()
  let next: Promise<void> | undefined
  let written = 0

  const opened = (): Promise<FileHandle> => {
    // SQLite creates the log at the first write, and keeps it as long as a connection is open.
    handle ??= open(`${file}-wal`, 'r+').catch((error: unknown) => {
      handle = undefined
      throw new StoreError('unavailable', error)
    })
    return handle
  }
  const syncOnce = async (): Promise<void> => {
    const log = await opened()
    if (broken !== undefined) throw broken
    try {
      await log.datasync()
    } catch (error) {
      // The operating system can have dropped the pages, so that another attempt would succeed without them.
      broken = new StoreError('damaged', error)
      throw broken
    }
  }
  const begin = (): Promise<void> => {
    const sync = syncOnce()
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
      written += bytes + leastBytes
      if (written < checkpointBytes || !checkpoints.begin()) return
      written = 0
    },
    close: async () => {
      await Promise.allSettled([...running, next])
      await checkpoints.close()
      // SQLite holds no lock on the log, which closing it would release.
      await handle?.then(
        log => log.close(),
        () => undefined,
      )
    },
  }
}

/** The thread that moves the log into the file. It starts when it is first needed. */
function createCheckpoints(data: CheckpointData): {
  /** Begins to move the log. Returns false if the thread has not finished the last time. */
  readonly begin: () => boolean
  readonly close: () => Promise<void>
} {
  let thread: Worker | undefined
  let isBusy = false
  const start = (): Worker => {
    const worker = new Worker(new URL('./checkpoint-thread.js', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    })
    worker.on('message', () => {
      isBusy = false
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
