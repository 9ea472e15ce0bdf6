import { statSync } from 'node:fs'
import { sql } from 'kysely'
import { type Session, StoreError } from '../../../sql/index.js'
import type { Engine } from './engine.js'

/** How to notice that a store cannot keep what is written. */
interface DiskWatch {
  /** What fails the health check from then on. A full disk does so until a write succeeds. */
  readonly failures: readonly StoreError['kind'][]
  /** Writes something without a change of the data. It fails while the disk is full. */
  readonly writeProbe: (write: Engine['write']) => Promise<void>
  /** Throws if an acknowledged write would be lost. */
  readonly requireStore?: () => void
}

/**
 * An engine whose health check fails once a request has found the disk full or the data damaged. While the disk is full,
 * the check itself tries to write: a balancer sends no requests that could.
 */
export function watchDisk(engine: Engine, { failures, writeProbe, requireStore }: DiskWatch): Engine {
  let failed: StoreError | undefined
  const noted = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof StoreError && failures.includes(error.kind)) failed = error
      throw error
    }
  }
  const durable =
    (write: Engine['write']): Engine['write'] =>
    (work, turn) =>
      noted(async () => {
        const value = await write(work, turn)
        requireStore?.()
        if (failed?.kind === 'full') failed = undefined
        return value
      })
  const write = durable(engine.write)
  return {
    ...engine,
    read: (work, from) => noted(() => engine.read(work, from)),
    write,
    maintain: durable(engine.maintain),
    check: async () => {
      requireStore?.()
      if (failed?.kind === 'full') {
        const before = failed
        await noted(() => writeProbe(write))
        // A request may have found the data damaged meanwhile.
        if (failed === before) failed = undefined
      }
      if (failed !== undefined) throw failed
      await engine.check()
    },
  }
}

/**
 * An engine that notices what happens to its file. Once another program has removed or replaced the file, the health check
 * fails and no write is acknowledged: it would be lost when the process ends. See `watchDisk`.
 *
 * @param file the path of the database; `:memory:` and the empty name have no file
 */
export function watchFile(engine: Engine, file: string): Engine {
  if (file === '' || file === ':memory:') return engine
  const opened = identityOf(file)
  return watchDisk(engine, {
    failures: ['full', 'damaged'],
    writeProbe: write => write(session => rewriteHeader(engine, session)),
    requireStore: () => {
      if (opened !== undefined && identityOf(file) === opened) return
      throw new StoreError('unavailable', new Error(`${file} was removed or replaced while the service was using it.`))
    },
  })
}

/** The device and inode of a file. They distinguish it from a later file with the same name. Undefined if it is missing. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

/** Writes a page without a change of the data. */
async function rewriteHeader(engine: Engine, session: Session): Promise<void> {
  const [row] = await session.all(engine.compile(sql`PRAGMA user_version`))
  await session.run(engine.compile(sql`PRAGMA user_version = ${sql.lit(Number(row?.[0] ?? 0))}`))
}
