import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What the connections of a server may take. */
export interface ConnectionLimits {
  /** Open connections. */
  readonly connections: number
  /** Open connections from one address. */
  readonly connectionsPerAddress: number
  /** Requests that wait for an earlier one on the same connection. */
  readonly pipelinedRequests: number
  /** Bytes of responses that callers have not received yet, on all connections. */
  readonly unsentBytes: number
}

export const defaultConnectionLimits: ConnectionLimits = {
  connections: 1_000,
  connectionsPerAddress: 250,
  pipelinedRequests: 100,
  unsentBytes: 64 * 1024 * 1024,
}

/** A request that can be answered. */
interface Turn {
  readonly response: ServerResponse
  readonly run: () => void
}

interface Connection {
  readonly address: string
  /** The requests that wait for the one that runs. */
  readonly waiting: Turn[]
  isBusy: boolean
  /** Set if the connection sent too many requests: it closes after those that wait. */
  isClosing: boolean
  /** The bytes that the caller has not received yet. */
  unsent: number
}

/** Shares a server between its connections. */
interface ConnectionLimiter {
  /** Counts a new connection. False: there are too many of them, and the caller has to close it. */
  readonly admit: (socket: Socket) => boolean
  /** Runs a request when the earlier ones of its connection are answered and sent. */
  readonly enter: (request: IncomingMessage, response: ServerResponse, run: () => void) => void
}

/**
 * Creates the limiter of a server.
 *
 * - One request at a time per connection: the next one starts when the response to the last one has been sent, and after
 *   other connections had a turn.
 * - If callers do not read their responses, connections of the address with the most unsent bytes are closed, oldest first.
 *
 * @see RFC 9112, 9.3.2 (pipelining): a client repeats the requests that a closed connection did not answer
 */
export function createConnectionLimiter(limits: ConnectionLimits): ConnectionLimiter {
  const perAddress = new Map<string, number>()
  const connections = new WeakMap<Socket, Connection>()
  /** The connections with unsent bytes, the oldest first. */
  const slow = new Map<Socket, Connection>()
  let open = 0
  let unsent = 0

  const register = (socket: Socket): Connection => {
    const connection = { address: addressOf(socket), waiting: [], isBusy: false, isClosing: false, unsent: 0 }
    connections.set(socket, connection)
    return connection
  }

  const release = (socket: Socket, connection: Connection): void => {
    if (connection.unsent === 0) return
    unsent -= connection.unsent
    connection.unsent = 0
    slow.delete(socket)
  }

  const record = (socket: Socket, connection: Connection): void => {
    const { writableLength } = socket
    if (writableLength === 0) return
    release(socket, connection)
    connection.unsent = writableLength
    unsent += writableLength
    slow.set(socket, connection)
    while (unsent > limits.unsentBytes && slow.size > 1) {
      const victim = oldestOfLargest(slow)
      if (victim === undefined) return
      const [chosen, owner] = victim
      release(chosen, owner)
      chosen.destroy()
    }
  }

  const start = (socket: Socket, connection: Connection, { response, run }: Turn): void => {
    connection.isBusy = true
    if (connection.isClosing && connection.waiting.length === 0) response.setHeader('connection', 'close')
    response.once('prefinish', () => record(socket, connection))
    response.once('close', () => {
      release(socket, connection)
      const next = connection.waiting.shift()
      if (next === undefined) connection.isBusy = false
      // Others have a turn first.
      else setImmediate(() => (socket.destroyed ? undefined : start(socket, connection, next)))
    })
    run()
  }

  return {
    admit: socket => {
      const address = addressOf(socket)
      const own = perAddress.get(address) ?? 0
      if (open >= limits.connections || own >= limits.connectionsPerAddress) return false
      const connection = register(socket)
      open += 1
      perAddress.set(address, own + 1)
      socket.once('close', () => {
        open -= 1
        const left = (perAddress.get(address) ?? 1) - 1
        if (left === 0) perAddress.delete(address)
        else perAddress.set(address, left)
        release(socket, connection)
        connection.waiting.length = 0
      })
      return true
    },
    enter: ({ socket }, response, run) => {
      const connection = connections.get(socket) ?? register(socket)
      if (!connection.isBusy) start(socket, connection, { response, run })
      else if (connection.isClosing) return
      else if (connection.waiting.length < limits.pipelinedRequests) connection.waiting.push({ response, run })
      else connection.isClosing = true
    },
  }
}

function addressOf({ remoteAddress }: Socket): string {
  return remoteAddress ?? ''
}

/** The oldest connection of the address with the most unsent bytes. */
function oldestOfLargest(slow: ReadonlyMap<Socket, Connection>): readonly [Socket, Connection] | undefined {
  const byAddress = new Map<string, number>()
  for (const { address, unsent } of slow.values()) byAddress.set(address, (byAddress.get(address) ?? 0) + unsent)
  const most = Math.max(...byAddress.values())
  for (const entry of slow) if (byAddress.get(entry[1].address) === most) return entry
  return undefined
}
