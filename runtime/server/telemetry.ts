import type { ServerRequest, ServerResponse } from './http/message.js'
import { splitPath, splitTarget } from './routing/path.js'
import { createRouter } from './routing/router.js'
import type { Route, ServiceTable } from './service-table.js'

/** Observes the requests of a service. */
export interface Telemetry {
  /** Returns the function that answers requests and observes them. */
  readonly measure: (answer: AnswerRequest, service: MeasuredService) => AnswerRequest
  /** Records an unexpected error of the request that is being answered. */
  readonly failed: (error: unknown) => void
  /** The identifier of the trace of the request that is being answered. */
  readonly traceId: () => string | undefined
}

type AnswerRequest = (request: ServerRequest) => Promise<ServerResponse>

/** The routes whose paths are attributes. The paths of requests can be any number. */
export interface MeasuredService {
  readonly table: ServiceTable
  /** The path of the service root on this server, `/v1.0`. */
  readonly root: string
  /** Paths besides those of the table, `/v1.0/$metadata`. */
  readonly paths: Iterable<string>
}

type SpanAttributes = Record<string, string | number | string[]>

/** The part of a span that a service uses. */
export interface TelemetrySpan {
  setAttributes(attributes: SpanAttributes): unknown
  setStatus(status: { code: number; message?: string }): unknown
  recordException(error: string | Error): unknown
  end(): void
  spanContext(): { readonly traceId: string }
}

/** The part of the module `@opentelemetry/api` that a service uses. No package is imported for it. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { kind: number; attributes: SpanAttributes }, context?: object): TelemetrySpan
    }
    /** It has no delegate until an SDK is registered. */
    getTracerProvider?(): { getTracer(name: string): object; getDelegateTracer?(name: string): unknown }
    setSpan(context: object, span: TelemetrySpan): object
    getActiveSpan(): TelemetrySpan | undefined
  }
  readonly metrics: {
    getMeter(name: string): {
      createHistogram(name: string, options: object): { record(value: number, attributes: SpanAttributes): void }
      createUpDownCounter(name: string, options: object): { add(value: number, attributes: SpanAttributes): void }
    }
  }
  /** The meter that `getMeter` returns until an SDK is registered. */
  readonly createNoopMeter?: () => object
  readonly context: {
    active(): object
    with<Value>(context: object, run: () => Value): Value
  }
  readonly propagation: {
    extract(
      context: object,
      carrier: ServerRequest['head'],
      getter: { keys(): string[]; get(carrier: ServerRequest['head'], name: string): string | undefined },
    ): object
  }
}

const instrumentationName = 'specwright'
/** `SpanKind.SERVER` and `SpanStatusCode.ERROR`. */
const serverKind = 1
const errorStatus = 2

/** The bounds that the semantic conventions recommend, in seconds. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const methodsOfSpans: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

const parentGetter = {
  keys: () => ['traceparent', 'tracestate', 'baggage'],
  get: ({ headers }: ServerRequest['head'], name: string) => headers.get(name) ?? undefined,
}

/**
 * Creates a span and measurements for each request: `openTelemetry(await import('@opentelemetry/api'))`. The requests of a batch
 * have one span. Neither queries nor credentials are recorded; the path is, and with it keys of items.
 *
 * @see OpenTelemetry, Semantic Conventions for HTTP Spans and HTTP Metrics (1.23 and later)
 */
export function openTelemetry(api: OpenTelemetryApi): Telemetry {
  const { trace, metrics, context, propagation } = api
  const tracer = trace.getTracer(instrumentationName)
  // Instruments that are created before an SDK is registered measure nothing, so they are created with the first request.
  let instruments: ReturnType<typeof createInstruments> | undefined
  const createInstruments = () => {
    const meter = metrics.getMeter(instrumentationName)
    return {
      duration: meter.createHistogram('http.server.request.duration', {
        description: 'Duration of HTTP server requests.',
        unit: 's',
        advice: { explicitBucketBoundaries: durationBounds },
      }),
      active: meter.createUpDownCounter('http.server.active_requests', {
        description: 'Number of active HTTP server requests.',
        unit: '{request}',
      }),
    }
  }

  const measure = (answer: AnswerRequest, service: MeasuredService): AnswerRequest => {
    const routeOf = routeFinder(service)
    return async request => {
      if (recordsNothing(api)) return answer(request)
      instruments ??= createInstruments()
      const { duration, active } = instruments
      const began = performance.now()
      const labels = labelsOf(request)
      const route = routeOf(request)
      const parent = propagation.extract(context.active(), request.head, parentGetter)
      const name = `${labels['http.request.method']}${route === undefined ? '' : ` ${route.path}`}`
      const attributes = { ...labels, ...routeAttributes(route), ...addressAttributes(request) }
      const span = tracer.startSpan(name, { kind: serverKind, attributes }, parent)
      active.add(1, labels)
      // A function that throws is a bug. It is answered with 500.
      let outcome = statusAttributes(500)
      try {
        const response = await context.with(trace.setSpan(parent, span), () => answer(request))
        outcome = statusAttributes(response.status)
        const id = response.headers['request-id']
        if (id !== undefined) span.setAttributes({ 'http.response.header.request-id': [id] })
        return response
      } finally {
        span.setAttributes(outcome)
        if ('error.type' in outcome) span.setStatus({ code: errorStatus })
        span.end()
        active.add(-1, labels)
        const at: SpanAttributes = route === undefined ? {} : { 'http.route': route.path }
        duration.record((performance.now() - began) / 1000, { ...labels, ...at, ...outcome })
      }
    }
  }
  return {
    measure,
    failed: error => void trace.getActiveSpan()?.recordException(error instanceof Error ? error : String(error)),
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
  }
}

/** Whether no SDK is registered for spans or measurements. Then a request need not pay for them. */
function recordsNothing({ trace, metrics, createNoopMeter }: OpenTelemetryApi): boolean {
  const provider = trace.getTracerProvider?.()
  if (provider?.getDelegateTracer === undefined || createNoopMeter === undefined) return false
  const hasTracer = provider.getDelegateTracer(instrumentationName) !== undefined
  return !hasTracer && metrics.getMeter(instrumentationName) === createNoopMeter()
}

/** The attributes that a span and the measurements share from the start. */
function labelsOf({ head: { method }, origin }: ServerRequest): SpanAttributes {
  return {
    'http.request.method': methodsOfSpans.has(method) ? method : '_OTHER',
    'url.scheme': origin.slice(0, Math.max(0, origin.indexOf(':'))),
  }
}

function addressAttributes({ head: { method, headers }, origin, target }: ServerRequest): SpanAttributes {
  const agent = headers.get('user-agent')
  const { hostname = '', port = '' } = URL.canParse(origin) ? new URL(origin) : {}
  return {
    'url.path': splitTarget(target).path,
    ...(hostname === '' ? {} : { 'server.address': hostname }),
    ...(port === '' ? {} : { 'server.port': Number(port) }),
    ...(agent === null ? {} : { 'user_agent.original': agent }),
    ...(methodsOfSpans.has(method) ? {} : { 'http.request.method_original': method }),
  }
}

function statusAttributes(status: number): SpanAttributes {
  return { 'http.response.status_code': status, ...(status >= 500 ? { 'error.type': String(status) } : {}) }
}

/** The path of a route on the server, and the name of the operation that answers there. */
interface FoundRoute {
  readonly path: string
  readonly operation: string | undefined
}

function routeAttributes(route: FoundRoute | undefined): SpanAttributes {
  if (route === undefined) return {}
  const { path, operation } = route
  return { 'http.route': path, ...(operation === undefined ? {} : { 'specwright.operation': operation }) }
}

function routeFinder({ table, root, paths }: MeasuredService): (request: ServerRequest) => FoundRoute | undefined {
  const fixed = new Set(paths)
  const router = createRouter<Route>(table.namespace)
  for (const route of table.routes) router.add(route.segments, route.method, route)
  return ({ head: { method }, target }) => {
    const { path } = splitTarget(target)
    if (fixed.has(path)) return { path, operation: undefined }
    const segments = path.startsWith(`${root}/`) ? splitPath(path.slice(root.length)) : undefined
    const targets = segments === undefined ? undefined : router.match(segments)?.resource.targets
    if (targets === undefined) return undefined
    const found = targets.get(method === 'HEAD' ? 'GET' : method)
    const [first] = found === undefined ? targets.values() : [found]
    return first === undefined ? undefined : { path: root + first.path, operation: found?.name }
  }
}
