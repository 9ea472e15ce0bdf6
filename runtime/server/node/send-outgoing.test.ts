import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Outgoing } from '../outgoing.js'
import { sendOutgoing } from './send-outgoing.js'

/** The bytes that a client gets: of the head, only the lines that frame the body, and those of the given names. */
async function received(method: string, outgoing: Outgoing, earlier: Record<string, string> = {}) {
  const server = createServer((_request, response) => {
    for (const [name, value] of Object.entries(earlier)) response.setHeader(name, value)
    sendOutgoing(method, response, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  socket.end(`${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close')
  server.close()
  await once(server, 'close')
  const bytes = Buffer.concat(chunks)
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, end).toLowerCase()
  const own = ['content-length', 'transfer-encoding', ...Object.keys(outgoing.headers), ...Object.keys(earlier)]
  const lines = head.split('\r\n').filter(line => own.some(name => line.startsWith(`${name}:`)))
  return { status: head.slice(9, 12), lines, body: bytes.subarray(end + 4) }
}

const scratch = 65_536

describe('an answer over node:http', () => {
  it.each([
    ['nothing', ''],
    ['ASCII', '{"a":"~\\n"}'],
    ['Latin-1', 'é'],
    ['characters of every length', 'aé€😀'],
    ['half a character', 'a\ud800b'],
    ['as much ASCII as is tried', 'a'.repeat(scratch)],
    ['as much as is tried, that needs a byte more', `é${'a'.repeat(scratch - 1)}`],
    ['as much as is tried, that needs a byte more at its end', `${'a'.repeat(scratch - 1)}é`],
    ['more than is tried', 'a'.repeat(scratch + 1)],
  ])('has the bytes and the length of text: %s', async (_name, body) => {
    const answer = await received('GET', { status: 200, headers: {}, body })
    expect(answer.body.equals(Buffer.from(body))).toBe(true)
    expect(answer.lines).toEqual([`content-length: ${Buffer.byteLength(body)}`])
  })

  it('has bytes as they are', async () => {
    const answer = await received('GET', { status: 200, headers: {}, body: Uint8Array.of(0, 255, 10).buffer })
    expect([...answer.body]).toEqual([0, 255, 10])
    expect(answer.lines).toEqual(['content-length: 3'])
  })

  it.each([
    ['HEAD', 200, 'é', ['content-length: 2']],
    ['HEAD', 200, undefined, []],
    ['GET', 204, undefined, []],
    ['GET', 304, undefined, []],
    ['OPTIONS', 200, undefined, ['content-length: 0']],
  ])('to %s, with %i and the body %j, has no body, and the length that belongs there', async (...given) => {
    const [method, status, body, lines] = given
    const answer = await received(method, { status, headers: {}, body })
    expect(answer).toMatchObject({ status: String(status), lines })
    expect(answer.body.length).toBe(0)
  })

  it('keeps a length of its own, and headers that were set before', async () => {
    const headers = { 'content-length': '2', 'x-a': '1' }
    const answer = await received('HEAD', { status: 200, headers, body: undefined }, { 'x-a': '0', 'x-b': '0' })
    expect(answer.lines.toSorted()).toEqual(['content-length: 2', 'x-a: 1', 'x-b: 0'])
  })
})
