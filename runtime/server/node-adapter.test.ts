import { once } from 'node:events'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyCall } from './handler.js'
import type { ServerRequest, ServerResponse } from './http/message.js'
import { sendToNode, toNodeListener } from './node-adapter.js'
import { shop } from './testing/shop.js'

let aborted: Promise<void> = Promise.resolve()
const service = shop({
  me: {
    get: ({ request }: AnyCall) => ({ name: `${request.url} ${request.headers.get('x-two')}` }),
    reset: ({ signal }: AnyCall) => {
      aborted = new Promise(resolve => signal.addEventListener('abort', () => resolve()))
      return aborted
    },
  },
  books: { create: ({ body }: AnyCall) => body, list: () => ({ value: [{ isbn: 'é😀' }] }) },
})
const server = createServer(toNodeListener(service))
let origin = ''
let port = 0

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: unknown = server.address()
  port = isAddress(address) ? address.port : 0
  origin = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

/** Starts a server with a listener. */
async function listen(listener: RequestListener) {
  const own = createServer(listener)
  own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  const address: unknown = own.address()
  const close = async () => {
    own.closeAllConnections()
    own.close()
    await once(own, 'close')
  }
  return { own, port: isAddress(address) ? address.port : 0, close }
}

const headers = { authorization: 'x', 'content-type': 'application/json' }

/** Sends bytes on one connection and reads until the server closes it. */
async function exchangeRaw(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', data => {
    answer += data.toString('utf8')
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe('a service on node:http', () => {
  it('responds in UTF-8 with a Content-Length', async () => {
    const response = await fetch(`${origin}/v1/books?$select=isbn`, { headers })
    const body = await response.arrayBuffer()
    expect(response.headers.get('content-length')).toBe(String(body.byteLength))
    expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ value: [{ isbn: 'é😀' }] })
  })

  it('responds to HEAD with the headers of GET and no body', async () => {
    const get = await fetch(`${origin}/v1/books`, { headers })
    const head = await fetch(`${origin}/v1/books`, { method: 'HEAD', headers })
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
  })

  it('joins repeated headers and passes the URL', async () => {
    const response = await new Promise<string>((resolve, reject) => {
      const request = httpRequest(
        `${origin}/v1/me`,
        { headers: { authorization: 'x', 'x-two': ['a', 'b'] } },
        incoming => {
          let text = ''
          incoming.on('data', data => {
            text += String(data)
          })
          incoming.on('end', () => resolve(text))
        },
      )
      request.on('error', reject)
      request.end()
    })
    expect(JSON.parse(response)).toMatchObject({ name: `${origin}/v1/me a, b` })
  })

  it('reads bodies and keeps the connection after one that is too large', async () => {
    const book = { isbn: '1', title: 'T' }
    const created = await fetch(`${origin}/v1/books`, { method: 'POST', headers, body: JSON.stringify(book) })
    expect([created.status, await created.json()]).toMatchObject([201, book])
    const large = `{"title":"${'x'.repeat(5000)}"}`
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
    const responses = await exchangeRaw(
      `POST /v1/books HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\nContent-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n${large}` +
        `POST /v1/books HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}` +
        'GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\nConnection: close\r\n\r\n',
    )
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  it('serves several requests on a connection, whether rejected or not', async () => {
    const responses = await exchangeRaw(
      'DELETE /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\nContent-Length: 5\r\n\r\nhello' +
        'GET http://proxied.example/v1/me HTTP/1.1\r\nHost: proxied.example\r\nAuthorization: x\r\n\r\n' +
        'OPTIONS * HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\n\r\n' +
        'GET /v1/../v1/me HTTP/1.1\r\nHost: bad host"\r\nAuthorization: x\r\nConnection: close\r\n\r\n',
    )
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 200', 'HTTP/1.1 204', 'HTTP/1.1 200'])
    expect(responses).toContain('http://proxied.example/v1/$metadata#me')
    expect(responses).toContain('http://localhost/v1/$metadata#me')
  })

  it.each(['[::1', 'a:b', 'a:99999', '999.1.1.1', 'a@b', 'a/b', ''])(
    'does not use an invalid host in links: %j',
    async host => {
      const answer = await exchangeRaw(
        `GET /v1/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: x\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toContain('"http://localhost/v1/$metadata#me"')
    },
  )

  it('aborts the signal when the caller disconnects', async () => {
    const controller = new AbortController()
    const sent = fetch(`${origin}/v1/me/reset`, {
      method: 'POST',
      headers: { authorization: 'x' },
      signal: controller.signal,
    })
    const before = aborted
    await expect.poll(() => aborted !== before).toBe(true)
    controller.abort()
    await expect(sent).rejects.toThrow()
    await aborted
  })

  it('serves a wrapped service', async () => {
    const wrapped = createServer(
      toNodeListener(
        async request => {
          const copy = await request.clone().text()
          const response = await service(request)
          response.headers.set('x-seen', `${request.method} ${copy.length}`)
          return response
        },
        { bodyLimit: 100 },
      ),
    )
    wrapped.listen(0, '127.0.0.1')
    await once(wrapped, 'listening')
    const address: unknown = wrapped.address()
    const url = `http://127.0.0.1:${isAddress(address) ? address.port : 0}/v1/books`
    const created = await fetch(url, { method: 'POST', headers, body: '{"isbn":"1","title":"é"}' })
    expect([created.status, created.headers.get('x-seen'), await created.json()]).toMatchObject([
      201,
      'POST 24',
      { title: 'é' },
    ])
    expect((await fetch(url, { headers })).status).toBe(200)
    expect((await fetch(url, { method: 'POST', headers, body: 'x'.repeat(101) })).status).toBe(413)
    wrapped.closeAllConnections()
    wrapped.close()
    await once(wrapped, 'close')
  })

  it.each([
    ['an object', '{"isbn":"1","title":"é"}', (text: string) => JSON.parse(text), 201],
    ['text', '{"isbn":"1","title":"é"}', (text: string) => text, 201],
    ['bytes', '{"isbn":"1","title":"é"}', (text: string) => Buffer.from(text), 201],
    [
      'an object that is too large',
      JSON.stringify({ title: '\n'.repeat(600) }),
      (text: string) => JSON.parse(text),
      413,
    ],
    ['nothing', '{"isbn":"1","title":"é"}', () => undefined, 500],
    ['undefined, for an empty body', '', () => undefined, 400],
  ])('accepts a body that was already read as %s', async (_, sent, parsed, status) => {
    const { port, close } = await listen(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      toNodeListener(service)(Object.assign(request, { body: parsed(text) }), response)
    })
    const answer = await fetch(`http://127.0.0.1:${port}/v1/books`, { method: 'POST', headers, body: sent })
    expect(answer.status).toBe(status)
    await close()
  })

  it('uses the complete URL if a framework removed a prefix', async () => {
    const { port, close } = await listen((request, response) =>
      toNodeListener(service)(Object.assign(request, { originalUrl: request.url, url: '/me' }), response),
    )
    const url = `http://127.0.0.1:${port}/v1/me`
    expect(await (await fetch(url, { headers })).json()).toMatchObject({ name: `${url} null` })
    await close()
  })

  it('does not wait for the body of a closed request', async () => {
    let ended = 0
    const late = shop(
      { books: { create: ({ body }: AnyCall) => body } },
      {
        authenticate: async request => {
          if (!request.signal.aborted) await new Promise(done => request.signal.addEventListener('abort', done))
          return { id: 'x', scopes: ['Books.Write'] }
        },
      },
    )
    const counted = Object.assign((request: Request) => late(request), {
      handle: (request: ServerRequest) => late.handle(request).finally(() => ended++),
    })
    const { own, port, close } = await listen(toNodeListener(counted))
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /v1/books HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a')
    await once(own, 'request')
    socket.destroy()
    await expect.poll(() => ended).toBe(1)
    await close()
  })
})

/** The bytes that a client receives: the body, and the header lines that frame it or have the given names. */
async function received(method: string, given: ServerResponse, earlier: Record<string, string> = {}) {
  const server = createServer((_request, response) => {
    for (const [name, value] of Object.entries(earlier)) response.setHeader(name, value)
    sendToNode(method, response, given)
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
  const own = ['content-length', 'transfer-encoding', ...Object.keys(given.headers), ...Object.keys(earlier)]
  const lines = head.split('\r\n').filter(line => own.some(name => line.startsWith(`${name}:`)))
  return { status: head.slice(9, 12), lines, body: bytes.subarray(end + 4) }
}

const scratch = 65_536

describe('a response over node:http', () => {
  it.each([
    ['nothing', ''],
    ['ASCII', '{"a":"~\\n"}'],
    ['Latin-1', 'é'],
    ['characters of every length', 'aé€😀'],
    ['a lone surrogate', 'a\ud800b'],
    ['as much ASCII as is tried', 'a'.repeat(scratch)],
    ['a text of the scratch length with a two-byte character at its start', `é${'a'.repeat(scratch - 1)}`],
    ['a text of the scratch length with a two-byte character at its end', `${'a'.repeat(scratch - 1)}é`],
    ['a text longer than the scratch length', 'a'.repeat(scratch + 1)],
  ])('has the bytes and the length of the text: %s', async (_name, body) => {
    const answer = await received('GET', { status: 200, headers: {}, body })
    expect(answer.body.equals(Buffer.from(body))).toBe(true)
    expect(answer.lines).toEqual([`content-length: ${Buffer.byteLength(body)}`])
  })

  it('has bytes unchanged', async () => {
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
  ])('to %s with %i and the body %j has no body and the correct Content-Length', async (...given) => {
    const [method, status, body, lines] = given
    const answer = await received(method, { status, headers: {}, body })
    expect(answer).toMatchObject({ status: String(status), lines })
    expect(answer.body.length).toBe(0)
  })

  it('keeps its own Content-Length and headers that were set before', async () => {
    const headers = { 'content-length': '2', 'x-a': '1' }
    const answer = await received('HEAD', { status: 200, headers, body: undefined }, { 'x-a': '0', 'x-b': '0' })
    expect(answer.lines.toSorted()).toEqual(['content-length: 2', 'x-a: 1', 'x-b: 0'])
  })
})
