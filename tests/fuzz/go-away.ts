import { connect } from 'node:net'

/** Sends a request, or the beginning of one, and cuts the connection after some milliseconds, whatever comes. */
export function goAway(port: number, bytes: Buffer, milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.write(bytes)
      setTimeout(() => {
        socket.resetAndDestroy()
        resolve()
      }, milliseconds)
    })
    socket.on('error', () => resolve())
  })
}
