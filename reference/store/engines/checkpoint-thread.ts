import { parentPort, workerData } from 'node:worker_threads'
import { yieldToMainThread } from './engine.js'
import { loadSqliteDriver } from './sqlite-drivers/choose-driver.js'
import { type SqliteDriverName, SqliteError } from './sqlite-drivers/driver.js'

// The program of the thread that moves the write-ahead log of SQLite into the file. It waits for the disk, and blocks neither readers nor
// the writer meanwhile.

/** What the thread is started with. */
export interface CheckpointData {
  readonly file: string
  readonly driver: SqliteDriverName
}

async function main({ file, driver }: CheckpointData, port: NonNullable<typeof parentPort>): Promise<void> {
  const database = (await loadSqliteDriver(driver)).open(file)
  database.exec('PRAGMA busy_timeout = 0')
  port.on('message', () => {
    try {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch (error) {
      // Such as a full disk. What is committed stays in the log.
      if (!(error instanceof SqliteError)) throw error
    }
    port.postMessage('done')
  })
}

yieldToMainThread()
if (parentPort !== null) await main(workerData, parentPort)
