import { createServer } from 'node:http'
import { type PostgresServer, starterVariable, startPostgres } from './engines.js'

/**
 * Runs around all tests, in the process that starts them. The test files share one PostgreSQL server, which starts when the
 * first of them asks for it: a server of its own would take each file as long as its tests.
 */
export default async function sharePostgres(): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined
  const starter = createServer((_, response) => {
    // Tests don't need durability. Waiting for the disk would take most of the time.
    server ??= startPostgres(['fsync=off', 'max_connections=300'])
    server.then(
      ({ address }) => response.end(address),
      error => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>(resolve => starter.listen(0, '127.0.0.1', resolve))
  const address = starter.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  process.env[starterVariable] = `http://127.0.0.1:${address.port}`
  return async () => {
    starter.closeAllConnections()
    starter.close()
    const started = await server?.catch(() => undefined)
    await started?.stop()
  }
}
