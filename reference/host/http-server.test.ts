import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fromWebRequest } from '../../runtime/server/create-service.js'
import {
  type Principal,
  RequestFault,
  type RequestHead,
  type ServerRequest,
  type ServerResponse,
} from '../../runtime/server/index.js'
import { type HostProblem, hostCheck, serveHttp } from './http-server.js'
import { type HttpHandler, withCors, withRateLimit } from './middleware.js'
import { errorLine, withLog } from './request-log.js'

const url = 'http://sample.example/v1/things'
const head: RequestHead = new Request(url)
const incoming = (init: RequestInit = {}, address = url): ServerRequest => fromWebRequest(new Request(address, init))
const ok: ServerResponse = { status: 200, headers: { 'request-id': 'r1' }, body: 'ok' }

describe('withRateLimit', () => {
  /** The results of consecutive requests: `ok`, or the seconds to wait. */
  async function outcomes(rate: number, calls: readonly (readonly [at: number, caller: string | undefined])[]) {
    let now = 0
    let caller: Principal | undefined
    const admit = withRateLimit(() => caller, { rate, now: () => now })
    const results: unknown[] = []
    for (const [at, id] of calls) {
      now = at
      caller = id === undefined ? undefined : { id, scopes: [] }
      try {
        await admit(head)
        results.push('ok')
      } catch (error) {
        results.push(error instanceof RequestFault && error.fault === 'tooManyRequests' ? error.given.headers : error)
      }
    }
    return results
  }
  const wait = (seconds: number) => ({ 'retry-after': String(seconds) })

  it.each<[rule: string, rate: number, calls: readonly (readonly [number, string | undefined])[], expected: unknown[]]>(
    [
      [
        'lets as many pass at once as in a second',
        2,
        [
          [0, 'a'],
          [0, 'a'],
          [0, 'a'],
        ],
        ['ok', 'ok', wait(1)],
      ],
      [
        'lets one pass when its time has come',
        2,
        [
          [0, 'a'],
          [0, 'a'],
          [499, 'a'],
          [500, 'a'],
          [500, 'a'],
        ],
        ['ok', 'ok', wait(1), 'ok', wait(1)],
      ],
      [
        'states how long to wait',
        0.1,
        [
          [0, 'a'],
          [1_000, 'a'],
        ],
        ['ok', wait(9)],
      ],
      [
        'counts each principal by itself',
        1,
        [
          [0, 'a'],
          [0, 'b'],
          [0, 'a'],
          [0, 'b'],
        ],
        ['ok', 'ok', wait(1), wait(1)],
      ],
      [
        'counts those without a credential together',
        1,
        [
          [0, undefined],
          [0, undefined],
        ],
        ['ok', wait(1)],
      ],
      [
        'saves up no more than a second',
        1,
        [
          [0, 'a'],
          [9_000, 'a'],
          [9_000, 'a'],
        ],
        ['ok', 'ok', wait(1)],
      ],
    ],
  )('%s', async (_rule, rate, calls, expected) => {
    expect(await outcomes(rate, calls)).toEqual(expected)
  })

  it('passes on the callers that it admits, identified synchronously or later', async () => {
    const ann = { id: 'ann', scopes: [] }
    const options = { rate: 9, now: () => 0 }
    expect(withRateLimit(() => ann, options)(head)).toBe(ann)
    expect(await withRateLimit(async () => ann, options)(head)).toBe(ann)
    expect(withRateLimit(undefined, options)(head)).toBeUndefined()
  })
})

describe('requests from other origins', () => {
  const page = 'https://app.example'
  const asked: string[] = []
  const answer: HttpHandler = async ({ head }) => {
    asked.push(head.method)
    return ok
  }

  it.each<[origins: readonly string[], origin: string | undefined, allowed: string | undefined]>([
    [[page], page, page],
    [[page], 'https://evil.example', undefined],
    [[page], 'https://app.example.evil.example', undefined],
    [[page], undefined, undefined],
    [['*'], 'https://any.example', '*'],
    [['*'], undefined, undefined],
  ])('with %j allowed: %j is answered with %j', async (origins, origin, allowed) => {
    const headers: Record<string, string> = origin === undefined ? {} : { origin }
    const outgoing = await withCors(answer, origins)(incoming({ headers }))
    expect(outgoing.headers['access-control-allow-origin']).toBe(allowed)
    expect(outgoing.headers['vary']).toBe('Origin')
    expect(outgoing.headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('start with a preflight that needs no credential', async () => {
    asked.length = 0
    const headers = {
      origin: page,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,if-match',
    }
    const outgoing = await withCors(answer, [page])(incoming({ method: 'OPTIONS', headers }))
    expect(outgoing.status).toBe(204)
    expect(outgoing.headers['access-control-allow-methods']).toContain('PATCH')
    expect(outgoing.headers['access-control-allow-headers']).toBe('authorization,if-match')
    expect(asked).toEqual([])
  })

  it.each<[why: string, headers: Record<string, string>]>([
    ['from elsewhere', { origin: 'https://evil.example', 'access-control-request-method': 'GET' }],
    ['of no page', {}],
  ])('an OPTIONS request %s goes to the service', async (_why, headers) => {
    asked.length = 0
    await withCors(answer, [page])(incoming({ method: 'OPTIONS', headers }))
    expect(asked).toEqual(['OPTIONS'])
  })
})

describe('the log', () => {
  const date = () => new Date(Date.UTC(2026, 1, 27, 12, 0, 1, 5))

  async function lines(
    format: 'json' | 'pretty',
    request: ServerRequest,
    outgoing: ServerResponse = ok,
  ): Promise<string[]> {
    const written: string[] = []
    let now = 0
    const clock = () => (now += 1.234)
    await withLog(async () => outgoing, { format, write: line => written.push(line), now: clock, date })(request)
    return written
  }

  it('has one JSON line for each request', async () => {
    const [line = ''] = await lines('json', incoming())
    expect(JSON.parse(line)).toEqual({
      time: '2026-02-27T12:00:01.005Z',
      level: 'info',
      method: 'GET',
      path: '/v1/things',
      status: 200,
      milliseconds: 1.23,
      requestId: 'r1',
    })
  })

  it('has a readable line for each request', async () => {
    expect(await lines('pretty', incoming())).toEqual(['12:00:01.005 GET    200      1.2 ms  /v1/things'])
  })

  it.each(['json', 'pretty'] as const)('in %s contains no credential, query or body', async format => {
    const headers = { authorization: 'Bearer s3cret' }
    const request = incoming({ method: 'POST', headers, body: 's3cret' }, `${url}?$filter=name eq 's3cret'`)
    expect((await lines(format, request)).join()).not.toContain('s3cret')
  })

  it('cannot be forged by callers', async () => {
    const request: ServerRequest = { ...incoming(), target: `/v1/a\r\n\u001b[31m${'x'.repeat(9_000)}\u2028` }
    const [line = ''] = await lines('pretty', request)
    expect(line).toMatch(/^[\x20-\x7e]+…$/)
    expect(line.length).toBeLessThan(400)
  })

  it('omits successful health checks', async () => {
    const probe = incoming({}, 'http://sample.example/healthz')
    expect(await lines('json', probe)).toEqual([])
    expect(await lines('json', probe, { ...ok, status: 503 })).toHaveLength(1)
  })

  it('contains the errors that callers do not see', () => {
    const line = errorLine('json', date(), new Request(`${url}?$top=1`), new Error('broken'))
    expect(JSON.parse(line)).toMatchObject({ level: 'error', method: 'GET', path: '/v1/things' })
    expect(line).toContain('broken')
    expect(errorLine('pretty', date(), head, 'thrown')).toBe('12:00:01.005 GET    error /v1/things\n    thrown')
  })
})

/** A promise and the function that resolves it. */
function deferred<Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } {
  let settle: ((value: Value) => void) | undefined
  const promise = new Promise<Value>(resolve => {
    settle = resolve
  })
  return { promise, resolve: value => settle?.(value) }
}

describe('the server', () => {
  const options = { host: '127.0.0.1', port: 0, urlLimit: 1_000 }

  /** Sends bytes on a new connection and reads the whole response. */
  function exchange(origin: string, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text))
      let received = ''
      socket.on('data', chunk => {
        received += chunk.toString()
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
  }

  it('answers over HTTP and stops', async () => {
    const server = await serveHttp(async () => ok, options)
    try {
      const response = await fetch(`${server.origin}/v1/things`)
      expect([response.status, response.headers.get('request-id'), await response.text()]).toEqual([200, 'r1', 'ok'])
    } finally {
      await server.stop()
    }
    await expect(fetch(server.origin)).rejects.toThrow()
  })

  it('finishes running requests and accepts no others while it stops', async () => {
    const arrived = deferred<void>()
    const finish = deferred<ServerResponse>()
    const slow: HttpHandler = () => {
      arrived.resolve()
      return finish.promise
    }
    const server = await serveHttp(slow, options)
    const request = fetch(server.origin)
    await arrived.promise
    const stopped = server.stop()
    expect(server.isStopping()).toBe(true)
    await expect(fetch(server.origin)).rejects.toThrow()
    finish.resolve(ok)
    const response = await request
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
    await stopped
  })

  it('cancels requests that do not finish', async () => {
    const arrived = deferred<void>()
    const stuck: HttpHandler = () => {
      arrived.resolve()
      return new Promise(() => undefined)
    }
    const server = await serveHttp(stuck, { ...options, drainTime: 20 })
    const request = fetch(server.origin).catch(() => 'ended')
    await arrived.promise
    await server.stop()
    expect(await request).toBe('ended')
  })

  it('listens on a free port only', async () => {
    const server = await serveHttp(async () => ok, options)
    try {
      const port = Number(new URL(server.origin).port)
      await expect(serveHttp(async () => ok, { ...options, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    } finally {
      await server.stop()
    }
  })

  it('accepts an HTTP/1.0 request without a Host header', async () => {
    const server = await serveHttp(async () => ok, options)
    try {
      expect(await exchange(server.origin, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n.*ok$/s)
    } finally {
      await server.stop()
    }
  })

  it.each([
    ['a header', 'GET / HTTP/1.1\r\nhost: x\r\na: b'],
    ['a header, after a request that was whole', 'GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HT'],
    ['a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'],
  ])('limits the time for %s', async (_what, bytes) => {
    const reading: HttpHandler = async ({ head, readBody }) => {
      if (head.method === 'POST') await readBody(100)
      return ok
    }
    const server = await serveHttp(reading, { ...options, timeouts: { headers: 40, request: 80, watch: 10 } })
    try {
      const [, body = ''] = (await exchange(server.origin, bytes)).split('HTTP/1.1 408 Request Timeout')
      expect(body).toMatch(/"code":"RequestTimeout"/)
    } finally {
      await server.stop()
    }
  })

  it('closes idle connections', async () => {
    const server = await serveHttp(async () => ok, { ...options, timeouts: { silence: 30 } })
    try {
      expect(await exchange(server.origin, '')).toBe('')
    } finally {
      await server.stop()
    }
  })

  it.each<[rule: string, bytes: string, status: string, code: string]>([
    ['a request target without end', `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, '414', 'UriTooLong'],
    ['header fields without end', `GET / HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(40_000)}\r\n\r\n`, '414', 'UriTooLong'],
    ['what is no HTTP', 'HELO mail.example\r\n\r\n', '400', 'BadRequest'],
    [
      'two lengths of one body',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      '400',
      'BadRequest',
    ],
    ['a request without a host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', '400', 'BadRequest'],
    ['two hosts', 'GET / HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n', '400', 'BadRequest'],
    [
      'an expectation that it does not know',
      'GET / HTTP/1.1\r\nhost: x\r\nexpect: the-unexpected\r\nconnection: close\r\n\r\n',
      '417',
      'ExpectationFailed',
    ],
    ['a request for a tunnel', 'CONNECT y:443 HTTP/1.1\r\nhost: y:443\r\n\r\n', '405', 'notAllowed'],
  ])('answers %s in the format of other errors, and reports it', async (_rule, bytes, status, code) => {
    const refused: number[] = []
    const server = await serveHttp(async () => ok, { ...options, onRefuse: refusal => void refused.push(refusal) })
    try {
      const [first = '', body = ''] = (await exchange(server.origin, bytes)).split('\r\n\r\n')
      expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(JSON.parse(body)).toEqual({ error: { code, message: expect.any(String) } })
      expect(refused).toEqual([Number(status)])
    } finally {
      await server.stop()
    }
  })
})

const problem = (listensOn: string, host: string, known: readonly string[] = []): HostProblem | undefined =>
  hostCheck(listensOn, known)({ httpVersion: '1.1', rawHeaders: ['Accept', 'host', 'HOST', host] })

describe('the Host of a request', () => {
  it.each<[listensOn: string, host: string, expected: HostProblem | undefined]>([
    ['127.0.0.1', '127.0.0.1:8080', undefined],
    ['127.0.0.1', 'localhost:8080', undefined],
    ['127.0.0.1', 'LOCALHOST', undefined],
    ['::1', '[::1]:8080', undefined],
    ['localhost', '127.9.9.9', undefined],
    ['127.0.0.1', 'evil.example', 'unknown'],
    ['127.0.0.1', 'localhost.evil.example', 'unknown'],
    ['127.0.0.1', '127.0.0.1.evil.example:8080', 'unknown'],
    ['::1', '192.168.0.7', 'unknown'],
    ['0.0.0.0', 'anything.example', undefined],
    ['127.0.0.1', '', 'invalid'],
    ['127.0.0.1', 'a b', 'invalid'],
    ['127.0.0.1', 'user@localhost', 'invalid'],
    ['127.0.0.1', 'localhost/x', 'invalid'],
    ['0.0.0.0', 'localhost:99999', 'invalid'],
    ['127.0.0.1', '[', 'invalid'],
  ])('to a server on %s may be %s: %s', (listensOn, host, expected) => {
    expect(problem(listensOn, host)).toBe(expected)
  })

  it('may be a name that the server was given, with any port', () => {
    expect(problem('127.0.0.1', 'api.example:443', ['API.example'])).toBeUndefined()
    expect(problem('127.0.0.1', 'api.example', ['api.example:8443'])).toBeUndefined()
    expect(problem('127.0.0.1', 'www.api.example', ['api.example'])).toBe('unknown')
  })

  it('is required once, except in HTTP/1.0', () => {
    const check = hostCheck('127.0.0.1')
    expect(check({ httpVersion: '1.1', rawHeaders: ['x', 'host'] })).toBe('missing')
    expect(check({ httpVersion: '1.0', rawHeaders: [] })).toBeUndefined()
    expect(check({ httpVersion: '1.0', rawHeaders: ['Host', 'evil.example'] })).toBe('unknown')
    expect(check({ httpVersion: '1.1', rawHeaders: ['Host', 'localhost', 'host', 'localhost'] })).toBe('missing')
  })
})
