import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiPromise, type ClientOptions, connect, type Interceptor, operation, send } from './connection.js'
import { ServiceError } from './errors.js'
import { errorResponse, recordingFetch, type SentRequest } from './testing/recording-fetch.js'

const sendWith = async (
  options: Partial<ClientOptions>,
  ...args: readonly unknown[]
): Promise<SentRequest | undefined> => {
  const { fetch, sent } = recordingFetch()
  const connection = connect({ baseUrl: 'https://service.example/v1.0', fetch, ...options })
  await operation<unknown, string, unknown>(connection, 'GET', () => '/users')(...args)
  return sent[0]
}

describe('a connection', () => {
  it.each(['https://service.example/v1.0', 'https://service.example/v1.0/'])(
    'appends the path to %s',
    async baseUrl => {
      expect(await sendWith({ baseUrl })).toMatchObject({
        url: 'https://service.example/v1.0/users',
        method: 'GET',
        body: null,
      })
    },
  )

  it('requests JSON and sends only the credentials from its options', async () => {
    expect((await sendWith({}))?.headers).toEqual({ accept: 'application/json' })
  })

  it.each([
    ['a token', 't'],
    ['from a function', () => 't'],
    ['from an async function', async () => 't'],
  ])('sends %s', async (_, token) => {
    expect((await sendWith({ token }))?.headers).toMatchObject({ authorization: 'Bearer t' })
  })

  it('sends with the fetch of the platform that is there at the time of the request', async () => {
    const connection = connect({ baseUrl: 'https://service.example/v1.0' })
    const original = globalThis.fetch
    const sent: string[] = []
    globalThis.fetch = async url => {
      sent.push(String(url))
      return Response.json({})
    }
    try {
      await operation<unknown, string, unknown>(connection, 'GET', () => '/users')()
    } finally {
      globalThis.fetch = original
    }
    expect(sent).toEqual(['https://service.example/v1.0/users'])
  })

  it('calls the token function for each request', async () => {
    let requested = 0
    const { fetch, sent } = recordingFetch()
    const connection = connect({ baseUrl: 'https://service.example', fetch, token: () => `t${++requested}` })
    const get = operation<unknown, string, unknown>(connection, 'GET', () => '/')
    await get()
    await get()
    expect(sent.map(request => request.headers['authorization'])).toEqual(['Bearer t1', 'Bearer t2'])
  })

  it.each<[string, Partial<ClientOptions>, object, Readonly<Record<string, string>>]>([
    ['of the client', { headers: { 'X-App': 'a' } }, {}, { 'x-app': 'a' }],
    ['of the call', {}, { headers: { 'X-App': 'b' } }, { 'x-app': 'b' }],
    [
      "of the call instead of the client's",
      { headers: { 'X-App': 'a' } },
      { headers: { 'x-app': 'b' } },
      { 'x-app': 'b' },
    ],
    [
      "of the call instead of the connection's",
      { token: 't' },
      { headers: { Authorization: 'x', Accept: '*/*' } },
      {
        authorization: 'x',
        accept: '*/*',
      },
    ],
    ['ifMatch', {}, { ifMatch: 'W/"1"' }, { 'if-match': 'W/"1"' }],
    ['ifNoneMatch', {}, { ifNoneMatch: '"1"' }, { 'if-none-match': '"1"' }],
    [
      'prefer',
      {},
      { prefer: { 'body-content-type': 'text', return: 'minimal' } },
      {
        prefer: 'body-content-type="text",return="minimal"',
      },
    ],
  ])('sends the header %s', async (_, options, call, headers) => {
    expect((await sendWith(options, call))?.headers).toEqual({ accept: 'application/json', ...headers })
  })

  it('calls the interceptors in order, the first one outermost', async () => {
    const order: string[] = []
    const noting =
      (name: string): Interceptor =>
      next =>
      async (url, request) => {
        order.push(`${name}>`)
        request.headers.append('x-seen', name)
        const response = await next(url, request)
        order.push(`<${name}`)
        return response
      }
    expect((await sendWith({ interceptors: [noting('a'), noting('b')] }))?.headers).toMatchObject({ 'x-seen': 'a, b' })
    expect(order).toEqual(['a>', 'b>', '<b', '<a'])
  })

  it('passes the signal to fetch', async () => {
    const { signal } = new AbortController()
    let seen: AbortSignal | null = null
    const connection = connect({
      baseUrl: 'https://service.example',
      fetch: async (_, request) => {
        seen = request.signal
        return Response.json({})
      },
    })
    await operation<unknown, string, unknown>(connection, 'GET', () => '/')({ signal })
    expect(seen).toBe(signal)
  })
})

const call = { method: 'GET', url: 'https://service.example/users/1', headers: {}, body: undefined, signal: undefined }
const sendTo = (response: Response | Error) =>
  send(connect({ baseUrl: 'https://service.example', fetch: recordingFetch(response).fetch }), call)

const page = '<!doctype html><title>Bad gateway</title>'

describe('the value of a response', () => {
  it.each<[string, Response, unknown]>([
    ['JSON', Response.json({ id: '1' }), { id: '1' }],
    ['a number as text', new Response('42', { headers: { 'content-type': 'text/plain' } }), 42],
    ['a byte order mark before it', new Response('\ufeff42'), 42],
    ['no body (204)', new Response(null, { status: 204 }), undefined],
    ['an empty body (200)', new Response(''), undefined],
    ['null', Response.json(null), undefined],
    ['false', Response.json(false), false],
    ['not modified (304)', new Response(null, { status: 304 }), undefined],
  ])('is %s', async (_, response, value) => {
    expect(await sendTo(response)).toEqual(value)
    expect(await sendTo(response.bodyUsed ? Response.json(value ?? null) : response).result()).toMatchObject({
      ok: true,
    })
  })
})

describe('an error response', () => {
  const details = [{ code: 'InvalidValue', message: 'Too long.', target: 'mail' }]

  it.each<[string, Response, object]>([
    [
      'with all members',
      errorResponse(400, { code: 'A', message: 'No.', target: 'mail', details, innerError: { date: 'd' } }),
      { status: 400, code: 'A', message: 'No.', target: 'mail', details, innerError: { date: 'd' } },
    ],
    [
      'with code and message',
      errorResponse(404, { code: 'A', message: 'No.' }),
      {
        status: 404,
        code: 'A',
        message: 'No.',
        target: undefined,
        details: [],
        innerError: undefined,
      },
    ],
    ['of a proxy', new Response(page, { status: 502 }), { status: 502, code: '', message: `HTTP 502: ${page}` }],
    ['that is long', new Response('x'.repeat(10_000), { status: 500 }), { message: `HTTP 500: ${'x'.repeat(200)}` }],
    ['without body', new Response(null, { status: 503 }), { status: 503, code: '', message: 'HTTP 503: ' }],
    ['that is null', Response.json(null, { status: 500 }), { status: 500, code: '', message: 'HTTP 500: null' }],
    [
      'of another shape',
      Response.json({ error: 'invalid' }, { status: 401 }),
      {
        status: 401,
        code: '',
        message: 'HTTP 401: {"error":"invalid"}',
      },
    ],
    [
      'with unexpected members',
      errorResponse(400, { code: 'A', message: 'No.', stack: 'x', ['__proto__']: { ok: true } }),
      {
        code: 'A',
        name: 'ServiceError',
      },
    ],
    ['with status 200 that is not JSON', new Response(page), { status: 200, code: '', message: `HTTP 200: ${page}` }],
  ])('%s', async (_, response, expected) => {
    const result = await sendTo(response).result()
    if (result.ok) throw new Error('Expected an error.')
    expect(result.error).toBeInstanceOf(ServiceError)
    expect(result.error).toBeInstanceOf(Error)
    expect(result.error).toMatchObject(expected)
    expect(result.error.stack).toContain('ServiceError')
    expect(result.error.response).toBe(response)
  })

  it('is thrown by the awaited call', async () => {
    await expect(sendTo(errorResponse(404, { code: 'A', message: 'No.' }))).rejects.toThrow(ServiceError)
  })
})

describe('a call without a response', () => {
  it('rejects with the original error, also from result()', async () => {
    const failure = new TypeError('fetch failed')
    await expect(sendTo(failure)).rejects.toBe(failure)
    await expect(sendTo(failure).result()).rejects.toBe(failure)
  })
})

const response = new Response()
const succeed = () => apiPromise(async () => ({ ok: true as const, value: 1, response }))
const fail = () => apiPromise(async () => ({ ok: false as const, error: new Error('no'), response }))

describe('an API promise', () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => {
    unhandled.push(reason)
  }
  beforeEach(() => {
    unhandled.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
  })
  /** Waits until Node has reported unhandled rejections. */
  const settled = () => new Promise(resolve => setImmediate(resolve))

  it('resolves to the value and can be chained like any promise', async () => {
    expect(await succeed()).toBe(1)
    expect(await succeed().then(value => value + 1)).toBe(2)
    expect(await fail().catch(error => String(error))).toBe('Error: no')
  })

  it('rejects with the error', async () => {
    await expect(fail()).rejects.toThrow('no')
  })

  it('returns the error as a value from result(), without an unhandled rejection', async () => {
    expect(await fail().result()).toMatchObject({ ok: false, error: { message: 'no' }, response })
    expect(await succeed().result()).toEqual({ ok: true, value: 1, response })
    await settled()
    expect(unhandled).toEqual([])
  })

  it('supports both await and result()', async () => {
    const promise = fail()
    expect(await promise.result()).toMatchObject({ ok: false })
    await expect(promise).rejects.toThrow('no')
  })

  it('is an unhandled rejection if nobody handles the error', async () => {
    fail()
    await settled()
    await settled()
    expect(unhandled).toHaveLength(1)
  })
})
