import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { startPostgres } from './postgres-server.js'

/** The engines that every case of the contract runs against. */
export type EngineName = 'sqlite' | 'postgres'

/** Makes empty stores, and takes away what it made. */
export interface StoreMaker {
  /** Address of a new, empty store. */
  readonly make: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** In a server of one's own this variable saves the time to start one: the address of a database that may make others. */
const addressVariable = 'SPECWRIGHT_TEST_POSTGRES'

/** Makes stores of an engine. PostgreSQL is started for it, unless the environment names a server. */
export async function storeMaker(engine: EngineName): Promise<StoreMaker> {
  if (engine === 'sqlite') return { make: async () => 'sqlite::memory:', stop: async () => undefined }
  const given = process.env[addressVariable]
  // Nobody cuts the power: what waits for the disk would make up most of the time.
  const server =
    given === undefined ? await startPostgres(['fsync=off']) : { address: given, stop: async () => undefined }
  const made: string[] = []
  const query = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.address })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  return {
    make: async () => {
      const name = `specwright_${randomUUID().replaceAll('-', '')}`
      await query(`CREATE DATABASE ${name}`)
      made.push(name)
      return Object.assign(new URL(server.address), { pathname: `/${name}` }).href
    },
    stop: async () => {
      // A server of the tests' own goes with all its databases.
      if (given !== undefined) for (const name of made) await query(`DROP DATABASE ${name} WITH (FORCE)`)
      await server.stop()
    },
  }
}
