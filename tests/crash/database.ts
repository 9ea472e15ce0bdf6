import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EngineName, startPostgres } from '../../reference/testing/engines.js'

/** The database of a service that is killed. */
export interface Database {
  /** The value of `--store`. */
  readonly store: string
  /** Kills the database and restarts it; undefined if it is part of the service. */
  readonly crash: (() => Promise<void>) | undefined
  readonly stop: () => Promise<void>
}

/** Creates a database: a file, or a server that no other test uses. */
export async function openDatabase(engine: EngineName): Promise<Database> {
  if (engine === 'postgres') {
    const { address, crash, stop } = await startPostgres()
    return { store: address, crash, stop }
  }
  const folder = await mkdtemp(join(tmpdir(), 'specwright-crash-'))
  const stop = (): Promise<void> => rm(folder, { recursive: true })
  return { store: `${engine}:${join(folder, 'store.db')}`, crash: undefined, stop }
}
