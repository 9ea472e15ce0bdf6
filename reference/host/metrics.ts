import {
  createRouter,
  type ServerResponse,
  type ServiceTable,
  splitPath,
  splitTarget,
} from '../../runtime/server/index.js'
import type { HttpHandler } from './middleware.js'

/** What the metrics of a service need to know. */
export interface MetricsOptions {
  readonly table: ServiceTable
  /** The path of the service root on this server, `/v1.0`. */
  readonly root: string
  /** Paths besides those of the spec that are labels of their own, `/healthz`. */
  readonly paths: Iterable<string>
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  readonly usage: () => ProcessUsage
}

/** What the process uses now. */
export interface ProcessUsage {
  /** Seconds since the Unix epoch. */
  readonly startTime: number
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly heapBytes: number
}

/** Counts and times the requests of a service. */
export interface Metrics {
  /** Measures each request of a handler, and answers `GET /metrics` itself. */
  readonly measure: (answer: HttpHandler) => HttpHandler
  /** Counts a request or connection that the server refused before the service saw it. */
  readonly countRefused: (status: number) => void
}

/** The requests with one method and route. */
interface Series {
  readonly method: string
  readonly route: string
  readonly statuses: Map<number, number>
  /** The number of requests by the first bucket that they fit. The last one has no bound. */
  readonly buckets: number[]
  seconds: number
}

const metricsPath = '/metrics'

/** The upper bounds of the buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** The label of other methods, as in the semantic conventions of OpenTelemetry. */
const otherMethod = '_OTHER'

/** The label of all paths that the service does not have. The others begin with a slash. */
const unknownRoute = 'unknown'

/** The number of methods and routes that have series of their own. Later ones count as an unknown route. */
const maxSeries = 2_000

/** The statuses that say that the service cannot take a request now, or that the request is too large. */
const refusals: ReadonlySet<number> = new Set([413, 414, 429, 503])

/**
 * Creates the metrics of a service. Labels come from the spec and never from a request, so callers cannot create series. The
 * requests of a batch count as one.
 *
 * @see Prometheus, exposition formats (text-based format 0.0.4)
 */
export function createMetrics({ table, root, paths, now, usage }: MetricsOptions): Metrics {
  const routeOf = routeLabels(table, root, paths)
  const series = new Map<string, Series>()
  const refused = { server: new Map<number, number>(), service: new Map<number, number>() }
  let inProgress = 0

  const seriesOf = (method: string, route: string): Series => {
    const key = `${method} ${route}`
    const known = series.get(key)
    if (known !== undefined) return known
    if (series.size >= maxSeries && route !== unknownRoute) return seriesOf(method, unknownRoute)
    const added = { method, route, statuses: new Map(), buckets: new Array(bounds.length + 1).fill(0), seconds: 0 }
    series.set(key, added)
    return added
  }

  const record = (method: string, target: string, status: number, seconds: number): void => {
    const route = routeOf(target, status)
    const found = seriesOf(knownMethods.has(method) ? method : otherMethod, route)
    increment(found.statuses, status)
    const bucket = bounds.findIndex(bound => seconds <= bound)
    const index = bucket < 0 ? bounds.length : bucket
    found.buckets[index] = (found.buckets[index] ?? 0) + 1
    found.seconds += seconds
    if (refusals.has(status) && route !== '/healthz') increment(refused.service, status)
  }

  const text = (): string => {
    const all = [...series.values()]
    const { startTime, cpuSeconds, residentBytes, heapBytes } = usage()
    return [
      family('http_requests_total', 'counter', 'Requests that the service answered.', all.flatMap(countSamples)),
      family(
        'http_request_duration_seconds',
        'histogram',
        'Seconds from the header of a request until its response was ready to be sent.',
        all.flatMap(durationSamples),
      ),
      family('http_requests_in_progress', 'gauge', 'Requests that the service is answering.', [sample({}, inProgress)]),
      family(
        'http_requests_refused_total',
        'counter',
        'Requests and connections that were refused: by the server before the service saw them, or by the service.',
        Object.entries(refused).flatMap(([by, counts]) =>
          [...counts].map(([status, count]) => sample({ by, status: String(status) }, count)),
        ),
      ),
      family('process_start_time_seconds', 'gauge', 'Start of the process, in seconds since the Unix epoch.', [
        sample({}, startTime),
      ]),
      family('process_cpu_seconds_total', 'counter', 'CPU time of the process, in seconds.', [sample({}, cpuSeconds)]),
      family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [sample({}, residentBytes)]),
      family('nodejs_heap_size_used_bytes', 'gauge', 'Used part of the JavaScript heap.', [sample({}, heapBytes)]),
    ].join('')
  }

  const measure =
    (answer: HttpHandler): HttpHandler =>
    async incoming => {
      const { head, target } = incoming
      if (splitTarget(target).path === metricsPath) return metricsResponse(head.method, text)
      const began = now()
      inProgress += 1
      // A handler that throws is a bug. It is answered with 500.
      let status = 500
      try {
        const outgoing = await answer(incoming)
        status = outgoing.status
        return outgoing
      } finally {
        inProgress -= 1
        record(head.method, target, status, (now() - began) / 1000)
      }
    }
  return { measure, countRefused: status => increment(refused.server, status) }
}

function increment(counts: Map<number, number>, status: number): void {
  counts.set(status, (counts.get(status) ?? 0) + 1)
}

function metricsResponse(method: string, text: () => string): ServerResponse {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  if (method === 'GET' || method === 'HEAD') {
    const type = 'text/plain; version=0.0.4; charset=utf-8'
    return { status: 200, headers: { ...headers, 'content-type': type }, body: text() }
  }
  const error = { code: 'notAllowed', message: 'The metrics support GET and HEAD only.' }
  return {
    status: 405,
    headers: { ...headers, 'content-type': 'application/json;charset=utf-8', allow: 'GET, HEAD' },
    body: JSON.stringify({ error }),
  }
}

/**
 * Returns the function that finds the label of a request target: the path of its route in the spec, after the root, or `unknown`.
 * The core answers paths below those of routes, such as those of properties: they have the path of the route with `/*`.
 */
function routeLabels(
  table: ServiceTable,
  root: string,
  paths: Iterable<string>,
): (target: string, status: number) => string {
  const features = new Set(table.features)
  const fixed = new Set([
    root,
    ...paths,
    ...(features.has('batch') ? [`${root}/$batch`] : []),
    ...(features.has('references') ? [`${root}/$entity`] : []),
  ])
  const router = createRouter<string>(table.namespace)
  for (const { segments, path } of table.routes) router.add(segments, 'label', root + path)
  const labelOf = (segments: readonly string[]) => router.match(segments)?.resource.targets.get('label')
  return (target, status) => {
    // Some clients encode the dollar sign.
    const path = splitTarget(target).path.replaceAll('%24', '$')
    const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    if (fixed.has(trimmed)) return trimmed
    if (!path.startsWith(`${root}/`)) return unknownRoute
    if (features.has('respondAsync') && path.startsWith(`${root}/$async/`)) return `${root}/$async/{id}`
    const segments = splitPath(path.slice(root.length)) ?? []
    const label = labelOf(segments)
    // Only the core knows whether such a path exists.
    if (label !== undefined || (status >= 400 && status < 500)) return label ?? unknownRoute
    for (let length = segments.length - 1; length >= Math.max(1, segments.length - maxSegmentsBelow); length--) {
      const above = labelOf(segments.slice(0, length))
      if (above !== undefined) return `${above}/*`
    }
    return unknownRoute
  }
}

/** The segments below the path of a route that the core can answer: `/home/city/$value`, with a cast. */
const maxSegmentsBelow = 5

/** One line: a suffix of the name, labels and a value. */
interface Sample {
  readonly suffix: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const sample = (labels: Sample['labels'], value: number, suffix = ''): Sample => ({ suffix, labels, value })

function countSamples({ method, route, statuses }: Series): readonly Sample[] {
  return [...statuses].map(([status, count]) => sample({ method, route, status: String(status) }, count))
}

function durationSamples({ method, route, buckets, seconds }: Series): readonly Sample[] {
  let count = 0
  const cumulative = buckets.map((inBucket, index) => {
    count += inBucket
    return sample({ method, route, le: String(bounds[index] ?? '+Inf') }, count, '_bucket')
  })
  return [...cumulative, sample({ method, route }, seconds, '_sum'), sample({ method, route }, count, '_count')]
}

/** A metric in the text format, with its help and type. */
function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ suffix, labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
    return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join()}}`} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

/** A backslash, a quote and a line feed end or change a label. */
function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
