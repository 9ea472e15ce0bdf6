import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { type OpenTelemetryApi, openTelemetry, type TelemetrySpan } from './telemetry.js'
import { shop, shopHandlers, shopRequest } from './testing/shop.js'

interface RecordedSpan {
  readonly name: string
  readonly kind: number
  readonly parent: unknown
  readonly attributes: Record<string, unknown>
  status?: number
  error?: string
  ended?: true
}

/** The API with an SDK that keeps spans and measurements in memory. */
function inMemory() {
  const spans: RecordedSpan[] = []
  const measured: (readonly [instrument: string, value: number, attributes: object])[] = []
  const contexts = new AsyncLocalStorage<object>()
  const spanOf = new WeakMap<object, TelemetrySpan>()
  const active = (): object => contexts.getStore() ?? {}
  const meter = {
    createHistogram: (name: string) => ({
      record: (value: number, attributes: object) => void measured.push([name, value, attributes]),
    }),
    createUpDownCounter: (name: string) => ({
      add: (value: number, attributes: object) => void measured.push([name, value, attributes]),
    }),
  }
  const api: OpenTelemetryApi = {
    trace: {
      getTracer: () => ({
        startSpan(name, { kind, attributes }, context = {}) {
          const span: RecordedSpan = { name, kind, parent: Reflect.get(context, 'traceparent'), attributes }
          spans.push(span)
          return {
            setAttributes: more => Object.assign(attributes, more),
            setStatus: ({ code }) => Object.assign(span, { status: code }),
            recordException: error => Object.assign(span, { error: String(error) }),
            end: () => void Object.assign(span, { ended: true }),
            spanContext: () => ({ traceId: `trace ${spans.indexOf(span)}` }),
          }
        },
      }),
      setSpan(context, span) {
        const inner = { ...context }
        spanOf.set(inner, span)
        return inner
      },
      getActiveSpan: () => spanOf.get(active()),
    },
    metrics: { getMeter: () => meter },
    context: { active, with: (context, run) => contexts.run(context, run) },
    propagation: {
      extract: (context, carrier, getter) => ({ ...context, traceparent: getter.get(carrier, 'traceparent') }),
    },
  }
  return { api, spans, measured, telemetry: openTelemetry(api) }
}

describe('openTelemetry', () => {
  it('records a span for each request, with the attributes of the semantic conventions and the operation', async () => {
    const { spans, telemetry } = inMemory()
    const service = shop(shopHandlers, { telemetry })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const response = await service(
      shopRequest('GET', "/books/1?$filter=title eq 'secret'", { traceparent, 'user-agent': 'me' }),
    )
    await response.text()
    expect(spans).toEqual([
      {
        name: 'GET /v1/books/{isbn}',
        kind: 1,
        parent: traceparent,
        ended: true,
        attributes: {
          'http.request.method': 'GET',
          'http.response.header.request-id': [response.headers.get('request-id')],
          'http.response.status_code': response.status,
          'http.route': '/v1/books/{isbn}',
          'server.address': 'shop.example',
          'specwright.operation': 'books.get',
          'url.path': '/v1/books/1',
          'url.scheme': 'http',
          'user_agent.original': 'me',
        },
      },
    ])
  })

  it.each<[what: string, method: string, path: string, name: string, operation: string | undefined]>([
    ['another method of a path', 'DELETE', '/me', 'DELETE /v1/me', undefined],
    ['HEAD', 'HEAD', '/books', 'HEAD /v1/books', 'books.list'],
    ['an unknown path', 'GET', '/nothing/7', 'GET', undefined],
    ['an unknown method', 'PURGE', '/nothing', '_OTHER', undefined],
    ['a malformed path', 'GET', '/%zz', 'GET', undefined],
  ])('names no path of a request: %s', async (_, method, path, name, operation) => {
    const { spans, telemetry } = inMemory()
    await shop(shopHandlers, { telemetry })(shopRequest(method, path))
    expect(spans.map(span => [span.name, span.attributes['specwright.operation']])).toEqual([[name, operation]])
  })

  it('begins with spans or measurements when an SDK for either is registered', async () => {
    const { api, spans, measured } = inMemory()
    let delegate: object | undefined
    let meter: object = api.metrics.getMeter('')
    const trace = {
      ...api.trace,
      getTracerProvider: () => ({ getTracer: api.trace.getTracer, getDelegateTracer: () => delegate }),
    }
    const service = shop(shopHandlers, { telemetry: openTelemetry({ ...api, trace, createNoopMeter: () => meter }) })
    const request = async (): Promise<readonly [number, number]> => {
      await (await service(shopRequest('GET', '/books/1'))).text()
      return [spans.length, measured.length]
    }
    expect(await request()).toEqual([0, 0])
    delegate = {}
    expect(await request()).toEqual([1, 3])
    delegate = undefined
    expect(await request()).toEqual([1, 3])
    meter = {}
    expect(await request()).toEqual([2, 6])
  })

  it('marks an internal error with its exception, and a refused request not', async () => {
    const { spans, telemetry } = inMemory()
    const broken = {
      books: {
        list: () => {
          throw new Error('disk full')
        },
      },
    }
    const service = shop(broken, { telemetry })
    await service(shopRequest('GET', '/books'))
    await service(shopRequest('GET', '/books?$top=x'))
    expect(spans.map(({ status, error, attributes }) => [status, error, attributes['error.type']])).toEqual([
      [2, 'Error: disk full', '500'],
      [undefined, undefined, undefined],
    ])
  })

  it('runs handlers inside the span, so that spans of a database belong to it', async () => {
    const { telemetry } = inMemory()
    const traces: unknown[] = []
    const handlers = {
      books: {
        list: async () => {
          await Promise.resolve()
          traces.push(telemetry.traceId())
          return { value: [] }
        },
      },
    }
    const service = shop(handlers, { telemetry })
    await Promise.all([service(shopRequest('GET', '/books')), service(shopRequest('GET', '/books'))])
    expect(traces).toEqual(['trace 0', 'trace 1'])
    expect(telemetry.traceId()).toBeUndefined()
  })

  it('measures the duration of requests and how many are active, without paths of requests', async () => {
    const { measured, telemetry } = inMemory()
    await shop(shopHandlers, { telemetry })(shopRequest('GET', '/books/1'))
    const labels = { 'http.request.method': 'GET', 'url.scheme': 'http' }
    expect(measured).toEqual([
      ['http.server.active_requests', 1, labels],
      ['http.server.active_requests', -1, labels],
      [
        'http.server.request.duration',
        expect.any(Number),
        { ...labels, 'http.route': '/v1/books/{isbn}', 'http.response.status_code': 200 },
      ],
    ])
  })

  it('gives the request id to onError', async () => {
    const ids: unknown[] = []
    const broken = { books: { list: () => Promise.reject(new Error('disk full')) } }
    const service = shop(broken, { onError: (_error, _request, id) => ids.push(id) })
    const response = await service(shopRequest('GET', '/books'))
    expect(ids).toEqual([response.headers.get('request-id')])
  })
})
