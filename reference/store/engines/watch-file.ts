import { statSync } from 'node:fs'
import { sql } from 'kysely'
import { type Session, StoreError } from '../../../sql/index.js'
import type { Engine } from './engine.js'

/**
 * An engine that notices what happens to its file. Once another program has removed or replaced the file, or the data in it
 * is damaged, the health check fails and no write is acknowledged: it would be lost when the process ends. A full disk
 * fails the check, too, until a write succeeds again.
 *
 * @param file the path of the database; `:memory:` and the empty name have no file
 */
export function watchFile(engine: Engine, file: string): Engine {
  if (file === '' || file === ':memory:') return engine
  const opened = identityOf(file)
  let failed: StoreError | undefined
  const requireFile = (): void => {
    if (opened !== undefined && identityOf(file) === opened) return
    throw new StoreError('unavailable', new Error(`${file} was removed or replaced while the service was using it.`))
  }
  const noted = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof StoreError && (error.kind === 'full' || error.kind === 'damaged')) failed = error
      throw error
    }
  }
  const durable =
    (write: Engine['write']): Engine['write'] =>
    (work, turn) =>
      noted(async () => {
        const value = await write(work, turn)
        requireFile()
        if (failed?.kind === 'full') failed = undefined
        return value
      })
  const write = durable(engine.write)
  return {
    ...engine,
    read: work => noted(() => engine.read(work)),
    write,
    maintain: durable(engine.maintain),
    check: async () => {
      requireFile()
      if (failed?.kind === 'full') await write(session => rewriteHeader(engine, session))
      if (failed !== undefined) throw failed
      await engine.check()
    },
  }
}

/** The device and inode of a file. They distinguish it from a later file with the same name. Undefined if it is missing. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

/** Writes a page without a change of the data. It fails while the disk is full. */
async function rewriteHeader(engine: Engine, session: Session): Promise<void> {
  const [row] = await session.all(engine.compile(sql`PRAGMA user_version`))
  await session.run(engine.compile(sql`PRAGMA user_version = ${sql.lit(Number(row?.[0] ?? 0))}`))
}
