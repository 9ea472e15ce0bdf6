import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyTargets, type ServiceTable } from '../../runtime/server/index.js'
import { shop, shopHandlers } from '../../runtime/server/testing/shop.js'
import { shopTable } from '../../runtime/server/testing/shop-table.js'
import { createMetrics } from './metrics.js'
import type { HttpHandler } from './middleware.js'

const usage = { startTime: 1_700_000_000.5, cpuSeconds: 1.25, residentBytes: 1000, heapBytes: 500 }
const table: ServiceTable = { ...shopTable, features: ['propertyPaths'] }
const service = shop(shopHandlers, {}, table, { propertyTargets }).handle

const head = {
  url: 'http://shop.example/',
  headers: new Headers({ authorization: 'Bearer x' }),
  signal: new AbortController().signal,
}

/** A measured handler, and what `/metrics` shows: a value for each name with its labels. */
function measured(
  answer: HttpHandler = service,
  paths: readonly string[] = ['/healthz'],
  clock: number[] = [],
  of = table,
) {
  const metrics = createMetrics({ table: of, root: '/v1', paths, now: () => clock.shift() ?? 0, usage: () => usage })
  const handle = metrics.measure(answer)
  const ask = (target: string, method = 'GET') =>
    handle({ head: { ...head, method }, origin: 'http://shop.example', target, readBody: async () => new Uint8Array() })
  const samples = async () => readSamples(String((await ask('/metrics')).body))
  return { ask, samples, countRefused: metrics.countRefused }
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"`
const sampleLine = new RegExp(
  `^(${name})(\\{${label}(?:,${label})*\\})? ([+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?|Inf)|NaN)$`,
)
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
}

const helpLine = new RegExp(`^# HELP (${name}) [^\\\\]+$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`)

/** Reads the text format strictly, line by line. */
function readSamples(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const families = new Set<string>()
  const wrong: string[] = []
  let [family, type] = ['', '']
  const lines = text.split('\n')
  if (lines.pop() !== '') wrong.push('The last line has no end.')
  lines.forEach((line, index) => {
    const help = helpLine.exec(line)
    const typed = typeLine.exec(line)
    const sample = sampleLine.exec(line)
    if (help !== null) {
      family = help[1] ?? ''
      if (families.has(family) || !lines[index + 1]?.startsWith(`# TYPE ${family} `)) wrong.push(line)
      families.add(family)
    } else if (typed !== null) {
      type = typed[2] ?? ''
      if (typed[1] !== family || (type === 'counter') !== family.endsWith('_total')) wrong.push(line)
    } else {
      const [, full = '', labels = '', value = ''] = sample ?? []
      const isOfFamily = suffixes[type]?.some(suffix => family + suffix === full) === true
      if (!isOfFamily || found.has(full + labels)) wrong.push(line)
      found.set(full + labels, Number(value))
    }
  })
  expect(wrong).toEqual([])
  return found
}

const counted = (samples: ReadonlyMap<string, number>, metric: string) =>
  Object.fromEntries([...samples].filter(([key]) => key.startsWith(`${metric}{`)))

const total = (method: string, route: string, status: number) =>
  `http_requests_total{method="${method}",route="${route}",status="${status}"}`

describe('GET /metrics', () => {
  it('is text of the format of Prometheus that no cache keeps', async () => {
    const { ask } = measured()
    const { status, headers, body } = await ask('/metrics?x=1')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    })
    const samples = readSamples(String(body))
    expect(samples.get('process_start_time_seconds')).toBe(usage.startTime)
    expect(samples.get('process_cpu_seconds_total')).toBe(usage.cpuSeconds)
    expect(samples.get('process_resident_memory_bytes')).toBe(usage.residentBytes)
    expect(samples.get('nodejs_heap_size_used_bytes')).toBe(usage.heapBytes)
  })

  it('is not counted, and refuses other methods', async () => {
    const { ask, samples } = measured()
    expect(await ask('/metrics', 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    expect((await ask('/metrics', 'HEAD')).status).toBe(200)
    expect(counted(await samples(), 'http_requests_total')).toEqual({})
  })

  it.each([
    ['/v1/books?$top=1', 'GET', '/v1/books', 200],
    ['/v1/books/1', 'GET', '/v1/books/{isbn}', 200],
    ["/v1/books('1')", 'GET', '/v1/books/{isbn}', 200],
    ['/v1/books/none', 'GET', '/v1/books/{isbn}', 404],
    ['/v1/books/1', 'BREW', '/v1/books/{isbn}', 405],
    ['/v1/books/%24count', 'GET', '/v1/books/$count', 400],
    ['/v1/books/1/title', 'GET', '/v1/books/{isbn}/*', 200],
    ['/v1/books/1/nowhere', 'GET', 'unknown', 404],
    ['/v1', 'GET', '/v1', 404],
    ['/v1/%E0%A4%A', 'GET', 'unknown', 400],
    ['/v2/books', 'GET', 'unknown', 404],
    ['*', 'OPTIONS', 'unknown', 204],
  ])('counts %s, method %s, under the path of its route', async (target, method, route, status) => {
    const { ask, samples } = measured()
    await ask(target, method)
    const shown = method === 'BREW' ? '_OTHER' : method
    expect(counted(await samples(), 'http_requests_total')).toEqual({ [total(shown, route, status)]: 1 })
  })

  it('counts durations in cumulative buckets', async () => {
    const clock = [0, 1, 0, 30, 0, 60_000]
    const { ask, samples } = measured(service, [], clock)
    for (let count = 0; count < 3; count++) await ask('/v1/books')
    const found = await samples()
    const labels = 'method="GET",route="/v1/books"'
    const bucket = (le: string) => found.get(`http_request_duration_seconds_bucket{${labels},le="${le}"}`)
    expect(['0.001', '0.0025', '0.025', '0.05', '10', '+Inf'].map(bucket)).toEqual([1, 1, 1, 2, 2, 3])
    expect(found.get(`http_request_duration_seconds_count{${labels}}`)).toBe(3)
    expect(found.get(`http_request_duration_seconds_sum{${labels}}`)).toBeCloseTo(60.031)
  })

  it('counts the requests that run, also if a handler throws', async () => {
    let fail: (error: Error) => void = () => {}
    const { ask, samples } = measured(
      () =>
        new Promise((_resolve, reject) => {
          fail = reject
        }),
    )
    const running = ask('/v1/books')
    expect((await samples()).get('http_requests_in_progress')).toBe(1)
    fail(new Error('broken'))
    await expect(running).rejects.toThrow('broken')
    const after = await samples()
    expect(after.get('http_requests_in_progress')).toBe(0)
    expect(after.get(total('GET', '/v1/books', 500))).toBe(1)
  })

  it('counts what the server and the service refuse, and no failed health check', async () => {
    const statuses = [429, 503, 413, 414, 400, 503]
    const answer: HttpHandler = async () => ({ status: statuses.shift() ?? 200, headers: {}, body: undefined })
    const { ask, samples, countRefused } = measured(answer)
    for (let count = 0; count < 5; count++) await ask('/v1/books')
    await ask('/healthz')
    countRefused(503)
    countRefused(503)
    expect(counted(await samples(), 'http_requests_refused_total')).toEqual({
      'http_requests_refused_total{by="server",status="503"}': 2,
      'http_requests_refused_total{by="service",status="413"}': 1,
      'http_requests_refused_total{by="service",status="414"}': 1,
      'http_requests_refused_total{by="service",status="429"}': 1,
      'http_requests_refused_total{by="service",status="503"}': 1,
    })
  })

  it('escapes what would end a label', async () => {
    const [route] = table.routes
    const routes = route === undefined ? [] : [{ ...route, path: '/a"b\\c\nd' }]
    const { ask, samples } = measured(service, [], [], { ...table, routes })
    await ask('/v1/books')
    const label = '/v1/a\\"b\\\\c\\nd'
    expect(Object.keys(counted(await samples(), 'http_requests_total'))).toEqual([total('GET', label, 200)])
  })

  it('has no more labels than the spec has routes and methods, whatever callers send', async () => {
    const templates = new Set(table.routes.flatMap(({ path }) => [`/v1${path}`, `/v1${path}/*`]))
    const routes = new Set([...templates, '/v1', '/healthz', 'unknown'])
    const segment = fc.oneof(
      fc.constantFrom('v1', 'books', 'reviews', 'me', '$count', '%24count', 'title', '$value', '..', ''),
      fc.string(),
    )
    const target = fc.array(segment, { maxLength: 8 }).map(segments => `/${segments.join('/')}`)
    const method = fc.oneof(fc.constantFrom('GET', 'POST', 'OPTIONS'), fc.string({ minLength: 1 }))
    const statuses = fc.constantFrom(200, 204, 400, 401, 404, 500, 503)
    let status = 200
    const { ask, samples } = measured(async () => ({ status, headers: {}, body: undefined }))
    await fc.assert(
      fc.asyncProperty(target, method, statuses, async (path, verb, next) => {
        status = next
        await ask(path, verb)
      }),
      { numRuns: 200 },
    )
    const seen = Object.keys(counted(await samples(), 'http_requests_total'))
    const shape =
      /^http_requests_total\{method="(GET|HEAD|POST|PATCH|PUT|DELETE|OPTIONS|_OTHER)",route="(.+)",status="\d{3}"\}$/
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.filter(key => !routes.has(shape.exec(key)?.[2] ?? ''))).toEqual([])
  })

  it('has series for 2,000 methods and routes at most', async () => {
    const paths = Array.from({ length: 2_500 }, (_, index) => `/p${index}`)
    const { ask, samples } = measured(async () => ({ status: 200, headers: {}, body: undefined }), paths)
    for (const path of paths) await ask(path)
    const found = await samples()
    expect(Object.keys(counted(found, 'http_requests_total'))).toHaveLength(2_001)
    expect(found.get(total('GET', 'unknown', 200))).toBe(500)
  })
})
