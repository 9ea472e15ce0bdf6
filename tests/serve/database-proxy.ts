import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a service and its database, and can fall silent as a network does that loses every packet. */
export interface DatabaseProxy {
  /** The database's address, through the proxy. */
  readonly address: string
  /** From now on passes nothing on, and lets nobody know. */
  readonly fallSilent: () => void
  readonly stop: () => void
}

/** A proxy on a free port before a PostgreSQL server. */
export async function databaseProxy(store: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(store)
  const sockets = new Set<Socket>()
  let isSilent = false
  const server = createServer({ allowHalfOpen: true }, near => {
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('data', chunk => {
        if (!isSilent) to.write(chunk)
      })
      from.on('end', () => {
        if (!isSilent) to.end()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = server.address()
  return {
    address: Object.assign(new URL(store), { port: typeof own === 'object' ? String(own?.port) : '' }).href,
    fallSilent: () => {
      isSilent = true
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
