import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OptionsError } from '../options.js'
import { createRateLimiter, networkSender, openTarget, pause, type WireRequest, type WireResponse } from './sender.js'

const body = JSON.stringify({ value: 'Zoë 🦉'.repeat(100) })
const limit = 100_000
const bomb = gzipSync(Buffer.alloc(limit * 10))

const answers: Readonly<Record<string, RequestListener>> = {
  '/plain': (_, response) => response.end(body),
  '/gzip': (_, response) => packed(response, 'gzip', gzipSync(body)),
  '/deflate': (_, response) => packed(response, 'deflate', deflateSync(body)),
  '/br': (_, response) => packed(response, 'br', brotliCompressSync(body)),
  '/twice': (_, response) => packed(response, 'deflate, GZIP', gzipSync(deflateSync(body))),
  '/unknown': (_, response) => packed(response, 'rot13', Buffer.from(body)),
  '/marked': (_, response) => response.end(`\ufeff${body}`),
  '/bomb': (_, response) => packed(response, 'gzip', bomb),
  '/endless': (_, response) => {
    const more = (): void => {
      while (response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  },
  '/not-packed': (_, response) => packed(response, 'gzip', Buffer.from('no gzip')),
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.destroy())
  },
  '/hang-up': (_, response) => response.destroy(),
  '/headers': (_, response) => {
    response.writeHead(
      204,
      [
        ['ETag', '"1"'],
        ['etag', '"2"'],
        ['Set-Cookie', 'a'],
        ['set-cookie', 'b'],
      ].flat(),
    )
    response.end()
  },
  '/elsewhere': (_, response) => response.writeHead(302, { location: '/plain' }).end('moved'),
  '/chunks': async (request, response) => {
    const chunks: string[] = []
    for await (const chunk of request) chunks.push(String(chunk))
    response.end(JSON.stringify([request.headers['content-length'] ?? 'no length', ...chunks]))
  },
  '/echo': async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, text }))
  },
}

function packed(response: ServerResponse<IncomingMessage>, encoding: string, bytes: Buffer): void {
  response.writeHead(200, { 'content-encoding': encoding })
  response.end(bytes)
}

let server: Server
let origin: string
let connections = 0
const send = networkSender('http:')

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin)
    const answer = answers[pathname]
    if (answer === undefined) response.writeHead(404).end()
    else answer(request, response)
  })
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const get = (path: string): Promise<WireResponse> => request({ method: 'GET', url: path, headers: {} })
const request = (outgoing: WireRequest): Promise<WireResponse> =>
  send({ ...outgoing, url: origin + outgoing.url }, limit).response

describe('a response', () => {
  it.each(['/plain', '/gzip', '/deflate', '/br', '/twice', '/unknown', '/marked'])(
    '%s is decoded as text',
    async path => {
      expect(await get(path)).toMatchObject({ status: 200, text: body })
    },
  )

  it('says whether it begins with a byte order mark', async () => {
    expect(await get('/marked')).toHaveProperty('hasByteOrderMark', true)
    expect(await get('/plain')).not.toHaveProperty('hasByteOrderMark')
  })

  it.each([
    [undefined, ['6', 'aé"}c']],
    [1, ['no length', 'aé"}c']],
    [2, ['no length', 'aé', '"}c']],
  ])('shows a body in chunks: %s', async (chunks, received) => {
    const headers = chunks === undefined ? {} : { 'transfer-encoding': 'chunked' }
    const { text } = await request({ method: 'POST', url: '/chunks', headers, body: 'aé"}c', chunks })
    expect(JSON.parse(text ?? '')).toEqual(received)
  })

  it.each(['/bomb', '/endless'])('%s beyond the limit has no text', async path => {
    expect(await get(path)).toMatchObject({ status: 200, text: undefined })
  })

  it.each(['/not-packed', '/cut', '/hang-up'])('%s that is truncated fails', async path => {
    await expect(get(path)).rejects.toThrow()
  })

  it('has lower-case headers with all values of a name', async () => {
    expect(await get('/headers')).toMatchObject({
      status: 204,
      headers: { etag: '"1", "2"', 'set-cookie': 'a, b' },
      text: '',
    })
  })

  it('is not followed if it redirects', async () => {
    expect(await get('/elsewhere')).toMatchObject({ status: 302, headers: { location: '/plain' }, text: 'moved' })
  })
})

describe('a request', () => {
  it('carries its headers and its body, with their length', async () => {
    const headers = { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer x' }
    const { text } = await request({ method: 'PATCH', url: "/echo?$filter=a eq 'é'", headers, body: '{"a":"é"}' })
    const seen: unknown = JSON.parse(text ?? '')
    expect(seen).toMatchObject({
      method: 'PATCH',
      url: '/echo?$filter=a%20eq%20%27%C3%A9%27',
      headers: { ...headers, 'content-length': '10' },
      text: '{"a":"é"}',
    })
  })

  it('reuses a connection', async () => {
    await get('/plain')
    const before = connections
    for (let count = 0; count < 5; count++) await get('/plain')
    expect(connections).toBe(before)
  })

  it('with invalid characters is not sent', async () => {
    const wrong = async (): Promise<unknown> => request({ method: 'GET', url: '/plain', headers: { 'x-a': 'a\nb' } })
    await expect(wrong()).rejects.toThrow(TypeError)
  })

  it('can be cancelled', async () => {
    const { response, cancel } = send(
      { method: 'GET', url: `${origin}/endless`, headers: {} },
      Number.POSITIVE_INFINITY,
    )
    cancel()
    await expect(response).rejects.toThrow()
  })
})

it('starts nothing that would have to wait until the end', async () => {
  const pace = createRateLimiter(undefined, 1, () => 0)
  pace.backOff(100)
  expect(await pace.acquire(100, undefined)).toBeUndefined()
  pace.backOff(10)
  expect(await pace.acquire(100, undefined)).toBeUndefined()
  expect(await pace.acquire(101, AbortSignal.abort())).toBeTypeOf('function')
})

it('delays waiting requests, too', async () => {
  const pace = createRateLimiter(100, 4, () => 0)
  const first = await pace.acquire(1_000, undefined)
  const second = pace.acquire(1_000, undefined)
  pace.backOff(2_000)
  expect(first).toBeTypeOf('function')
  expect(await second).toBeUndefined()
})

it('starts the next request when one ends or cannot start', async () => {
  const pace = createRateLimiter(undefined, 1, () => 0)
  const first = await pace.acquire(1, undefined)
  const second = pace.acquire(0, undefined)
  const third = pace.acquire(1, undefined)
  first?.()
  expect(await second).toBeUndefined()
  expect(await third).toBeTypeOf('function')
})

it('lasts beyond the maximum timer delay, until the signal aborts', async () => {
  const stop = new AbortController()
  let ended = false
  const long = pause(2 ** 31 + 1, stop.signal).then(() => {
    ended = true
  })
  await pause(5)
  expect(ended).toBe(false)
  stop.abort()
  await long
})

describe('a target', () => {
  it.each(['nonsense', 'ftp://host/', 'http://user:secret@host/v1.0'])('is not %s', text => {
    expect(() => openTarget(text, 'v1.0')).toThrow(OptionsError)
  })

  it.each([
    ['http://host/v1.0?code=s3cret', 'query'],
    ['http://host/v1.0/#s3cret', 'fragment'],
  ])('is not %s: the error does not repeat it, and nothing is dropped silently', (text, part) => {
    const read = (): unknown => openTarget(new URL(text), 'v1.0')
    expect(read).toThrow(OptionsError)
    expect(read).toThrow(new RegExp(`contains a ${part}.*give it as a header`))
    expect(read).not.toThrow(/s3cret/)
  })

  it('has a root without a trailing slash', () => {
    expect(openTarget('http://host:1/v1.0//', 'v1.0')).toMatchObject({
      root: 'http://host:1/v1.0',
      origin: 'http://host:1',
    })
  })
})
