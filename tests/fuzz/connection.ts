import { connect, type Socket } from 'node:net'
import type { RawRequest } from './raw-request.js'
import { type RawResponse, readResponse } from './read-response.js'

/** Sends requests one after the other, over one connection as long as it lasts. */
export interface Connection {
  /** @throws Error when there is no answer in time, or the connection ends without one */
  readonly exchange: (request: RawRequest) => Promise<RawResponse>
  readonly close: () => void
}

/** Milliseconds after which a service counts as hanging. */
const patience = 20_000

/** A connection to a port of this machine, made when it is first needed. */
export function createConnection(port: number): Connection {
  let kept: Socket | undefined
  const socketFor = ({ last }: RawRequest): Socket => {
    if (last || kept === undefined || kept.destroyed || !kept.writable) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      if (last) return socket
      kept = socket
    }
    return kept
  }
  const exchange = (request: RawRequest): Promise<RawResponse> =>
    new Promise((resolve, reject) => {
      const socket = socketFor(request)
      let received = Buffer.alloc(0)
      const settle = (finish: () => void): void => {
        clearTimeout(timer)
        socket.removeAllListeners()
        socket.on('error', () => undefined)
        finish()
      }
      const fail = (problem: string): void =>
        settle(() => {
          socket.destroy()
          reject(new Error(`${problem} Received: ${received.subarray(0, 200).toString('latin1')}`))
        })
      const timer = setTimeout(() => fail(`No answer within ${patience} ms.`), patience)
      const look = (ended: boolean): void => {
        const response = readResponse(received, request.method, ended)
        if (response === undefined) return
        settle(() => {
          if (ended || request.last || response.headers.get('connection') === 'close') {
            socket.destroy()
            if (socket === kept) kept = undefined
          }
          resolve(response)
        })
      }
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        look(false)
      })
      socket.on('close', () => {
        look(true)
        fail('The connection ended without an answer.')
      })
      // Whoever writes more than the service wants to read still gets to read the answer.
      socket.on('error', () => undefined)
      // Half a message needs an end. A whole one must not have it: Node.js takes that for a caller who has gone.
      if (request.last && request.expected === 'refused') socket.end(request.bytes)
      else socket.write(request.bytes)
    })
  return { exchange, close: () => kept?.destroy() }
}
