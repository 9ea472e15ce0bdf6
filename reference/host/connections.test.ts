import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { ConnectionLimits } from './connections.js'
import { type HttpServer, serveHttp } from './http-server.js'
import type { HttpHandler } from './middleware.js'

let server: HttpServer | undefined
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.stop()
  server = undefined
})

async function serve(answer: HttpHandler, limits: Partial<ConnectionLimits> = {}): Promise<void> {
  server = await serveHttp(answer, { host: '127.0.0.1', port: 0, urlLimit: 1_000, limits })
}

/** Opens a connection. It reads nothing until `resume`. */
async function opened(): Promise<Socket> {
  const port = Number(new URL(server?.origin ?? '').port)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

/** Everything that the server sends until it closes the connection. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  if (!socket.destroyed) await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const requests = (paths: readonly string[]): string =>
  paths.map(path => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join('')
const last = 'GET /last HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'
const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `/${index}`)
const bodiesOf = (text: string): readonly string[] =>
  [...text.matchAll(/\r\n\r\n(\/\w+?)(?=HTTP\/|$)/g)].map(([, path = '']) => path)
const echo: HttpHandler = async ({ target }) => ({ status: 200, headers: {}, body: target })

describe('pipelined requests', () => {
  it('run one at a time, and are answered in order', async () => {
    let running = 0
    let most = 0
    await serve(async incoming => {
      running += 1
      most = Math.max(most, running)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      return echo(incoming)
    })
    const socket = await opened()
    socket.write(requests(numbered(60)) + last)
    expect(bodiesOf(await received(socket))).toEqual([...numbered(60), '/last'])
    expect(most).toBe(1)
  })

  it('leave other callers their turns', async () => {
    const order: string[] = []
    const other: { socket?: Socket } = {}
    await serve(async incoming => {
      order.push(incoming.target)
      if (incoming.target === '/0') other.socket?.write(requests(['/other']))
      return echo(incoming)
    })
    other.socket = await opened()
    const socket = await opened()
    socket.write(requests(numbered(90)) + last)
    await received(socket)
    expect(order.indexOf('/other')).toBeGreaterThan(0)
    expect(order.indexOf('/other')).toBeLessThan(order.indexOf('/last'))
  })

  it('may have bodies', async () => {
    await serve(async incoming => {
      const body = await incoming.readBody(1_000)
      return { status: 200, headers: {}, body: body === 'tooLarge' ? body : `/${new TextDecoder().decode(body)}` }
    })
    const socket = await opened()
    const posts = numbered(20).map(
      (_, index) => `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${`x${index}`.length}\r\n\r\nx${index}`,
    )
    socket.write(posts.join('') + last)
    expect(bodiesOf(await received(socket)).slice(0, 20)).toEqual(numbered(20).map((_, index) => `/x${index}`))
  })

  it('close the connection after as many as may wait', async () => {
    let handled = 0
    await serve(
      async incoming => {
        handled += 1
        return echo(incoming)
      },
      { pipelinedRequests: 3 },
    )
    const socket = await opened()
    socket.write(requests(numbered(500)))
    const text = await received(socket)
    expect(bodiesOf(text)).toEqual(numbered(4))
    expect(text.match(/connection: close/gi)).toHaveLength(1)
    expect(handled).toBe(4)
  })

  it('of a caller who does not read end with the first response that does not fit', async () => {
    let handled = 0
    const long = 'x'.repeat(16 * 1024 * 1024)
    const started = new Promise<void>(resolve => {
      void serve(async ({ target }) => {
        if (target !== '/probe') handled += 1
        resolve()
        return { status: 200, headers: {}, body: target === '/probe' ? target : long }
      })
        .then(opened)
        .then(socket => socket.pause().write(requests(numbered(50))))
    })
    await started
    for (let probe = 0; probe < 20; probe++) {
      const socket = await opened()
      socket.write(requests(['/probe']))
      await once(socket, 'data')
      socket.destroy()
    }
    expect(handled).toBe(1)
  })

  it('end when the connection does', async () => {
    let handled = 0
    let release = (): void => undefined
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await serve(async incoming => {
      if (incoming.target === '/probe') return echo(incoming)
      handled += 1
      await held
      return echo(incoming)
    })
    const socket = await opened()
    socket.write(requests(numbered(20)))
    const probe = await opened()
    probe.write(requests(['/probe']))
    await once(probe, 'data')
    socket.destroy()
    await once(socket, 'close')
    release()
    for (let index = 0; index < 5; index++) {
      probe.write(requests(['/probe']))
      await once(probe, 'data')
    }
    expect(handled).toBe(1)
  })
})

describe('callers who do not read', () => {
  it('lose their connections, the oldest first, when too many bytes wait for them', async () => {
    const long = 'x'.repeat(16 * 1024 * 1024)
    let handled = 0
    await serve(
      async ({ target }) => {
        if (target === '/long') handled += 1
        return { status: 200, headers: {}, body: target === '/short' ? target : long }
      },
      { unsentBytes: 1024 * 1024 },
    )
    const slow: Socket[] = []
    for (let index = 0; index < 5; index++) {
      const socket = await opened()
      slow.push(socket)
      socket.pause().write(requests(['/long']))
    }
    const reader = await opened()
    while (handled < 5) {
      reader.write(requests(['/short']))
      await once(reader, 'data')
    }
    const lengths = await Promise.all(
      slow.map(async socket => {
        let length = 0
        const ended = new Promise<void>(resolve => {
          socket.on('close', () => resolve())
          socket.on('data', chunk => {
            length += chunk.length
            if (length > long.length) resolve()
          })
        })
        socket.resume()
        await ended
        return length
      }),
    )
    expect(lengths.filter(length => length > long.length).length).toBeLessThanOrEqual(1)
    expect(lengths.slice(0, 4).every(length => length < long.length)).toBe(true)
  })
})

describe('connections', () => {
  it.each<[string, Partial<ConnectionLimits>]>([
    ['in all', { connections: 2 }],
    ['from one address', { connectionsPerAddress: 2 }],
  ])('are limited %s; one that closes makes room', async (_, limits) => {
    await serve(echo, limits)
    const [first, second] = [await opened(), await opened()]
    for (const socket of [first, second]) {
      socket.write(requests(['/a']))
      await once(socket, 'data')
    }
    expect(await received(await opened())).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1.*"TooManyConnections"/s)
    first.destroy()
    await once(first, 'close')
    let text = ''
    while (!text.startsWith('HTTP/1.1 200')) {
      const next = await opened()
      next.write(last)
      text = await received(next)
    }
    expect(bodiesOf(text)).toEqual(['/last'])
  })
})
