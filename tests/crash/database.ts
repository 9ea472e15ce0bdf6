import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EngineName, startPostgres } from '../../reference/testing/engines.js'

/** Where a service that is killed keeps its items. */
export interface Database {
  /** As `--store` takes it. */
  readonly store: string
  /** Kills the database itself, and starts it again; undefined where it is a part of the service. */
  readonly crash: (() => Promise<void>) | undefined
  readonly stop: () => Promise<void>
}

/** A new database of an engine: a file, or a server of its own, which nobody else misses while it is down. */
export async function openDatabase(engine: EngineName): Promise<Database> {
  if (engine === 'postgres') {
    const { address, crash, stop } = await startPostgres()
    return { store: address, crash, stop }
  }
  const folder = await mkdtemp(join(tmpdir(), 'specwright-crash-'))
  const stop = (): Promise<void> => rm(folder, { recursive: true })
  return { store: `sqlite:${join(folder, 'store.db')}`, crash: undefined, stop }
}
