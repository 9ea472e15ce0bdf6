import { describe, expect, it } from 'vitest'
import { type ClientOptions, connect, type Interceptor } from './connection.js'
import { operation } from './request.js'
import { recordingFetch, type SentRequest } from './testing/recording-fetch.js'

const send = async (options: Partial<ClientOptions>, ...args: readonly unknown[]): Promise<SentRequest | undefined> => {
  const { fetch, sent } = recordingFetch()
  const connection = connect({ baseUrl: 'https://service.example/v1.0', fetch, ...options })
  await operation<unknown, string, unknown>(connection, 'GET', () => '/users')(...args)
  return sent[0]
}

describe('a connection', () => {
  it.each(['https://service.example/v1.0', 'https://service.example/v1.0/'])(
    'appends the path to %s',
    async baseUrl => {
      expect(await send({ baseUrl })).toMatchObject({
        url: 'https://service.example/v1.0/users',
        method: 'GET',
        body: null,
      })
    },
  )

  it('requests JSON and sends only the credentials from its options', async () => {
    expect((await send({}))?.headers).toEqual({ accept: 'application/json' })
  })

  it.each([
    ['a token', 't'],
    ['from a function', () => 't'],
    ['from an async function', async () => 't'],
  ])('sends %s', async (_, token) => {
    expect((await send({ token }))?.headers).toMatchObject({ authorization: 'Bearer t' })
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
    expect((await send(options, call))?.headers).toEqual({ accept: 'application/json', ...headers })
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
    expect((await send({ interceptors: [noting('a'), noting('b')] }))?.headers).toMatchObject({ 'x-seen': 'a, b' })
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
