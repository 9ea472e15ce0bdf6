import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy between a service and its database, which can stop forwarding, like a network that drops every packet. */
export interface DatabaseProxy {
  /** The address of the database behind the proxy. */
  readonly address: string
  /** Stops forwarding, without closing connections. */
  readonly fallSilent: () => void
  readonly stop: () => void
}

/** Starts a proxy for a PostgreSQL server on a free port. */
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
