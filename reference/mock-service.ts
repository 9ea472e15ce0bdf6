import type { Principal } from '../runtime/server/index.js'
import type { Service } from '../spec/language/index.js'
import { readLines } from './data/read-data.js'
import { seedLines } from './data/seed/seed-lines.js'
import { parseRowCounts, SeedError } from './data/seed/seed-rows.js'
import { createReferenceService, type ReferenceOptions, type ReferenceService } from './reference-service.js'
import { serviceOf } from './store/open-store.js'
import type { EntityRecord } from './store/store.js'

/** A described service with generated data, for tests. */
export interface MockOptions extends Omit<ReferenceOptions, 'spec' | 'store'> {
  /** A described service, or the path of its spec. */
  readonly spec: Service | string
  /** The address of an empty store. Default: in memory. */
  readonly store?: string
  /** The number of items in each set, and exceptions, as `seed --rows` takes them: `20`, `'20,groups=5'`. Default: 20. */
  readonly rows?: string | number
  /** The same seed gives the same data. Default: `mock`. */
  readonly seed?: string
  /** Decides for each request whether it is delayed, or fails. Undefined: the service answers at once. */
  readonly fault?: (request: Request) => Fault | undefined
}

/** What happens to a request instead of, or before, the answer of the service. */
export interface Fault {
  /** Milliseconds to wait first. */
  readonly delay?: number
  /** The status of an error. Without it, the service answers after the delay. */
  readonly status?: number
  /** The code of the error. Default: `mockFault`. */
  readonly code?: string
  /** The message of the error. */
  readonly message?: string
  /** Headers of the error, such as `{ 'retry-after': '1' }`. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface MockService extends Omit<ReferenceService, 'fetch'> {
  /** Answers a request and never throws. */
  readonly fetch: (request: Request) => Promise<Response>
}

/**
 * Runs a described service with generated data. Without `authenticate`, every request is that of the first item that can be
 * the caller, with all scopes.
 *
 * @throws {SeedError} if the data cannot be generated; otherwise as `createReferenceService`
 */
export async function createMockService({
  rows = 20,
  seed = 'mock',
  fault = () => undefined,
  store = 'sqlite::memory:',
  ...options
}: MockOptions): Promise<MockService> {
  const spec = await serviceOf(options.spec)
  const counts = parseRowCounts(String(rows))
  if (typeof counts === 'string') throw new SeedError(`rows: ${counts}`)
  const records: EntityRecord[] = []
  for await (const record of readLines(seedLines(spec, { rows: counts, seed }), 'seed', spec)) records.push(record)
  const caller = firstCaller(spec, records)
  const reference = await createReferenceService({
    ...options,
    spec,
    store,
    ...(spec.authentication.scheme === 'none' || options.authenticate !== undefined
      ? {}
      : { authenticate: () => caller }),
  })
  await reference.load(records)
  return {
    ...reference,
    fetch: async request => {
      const found = fault(request)
      if (found?.delay !== undefined) await elapsed(found.delay, request.signal)
      return found?.status === undefined ? reference.fetch(request) : errorResponse(found, found.status)
    },
  }
}

/** The first item whose type is that of the caller's singleton. */
function firstCaller(service: Service, records: readonly EntityRecord[]): Principal {
  const own = service.container.find(element => element.kind === 'singleton' && element.principal)
  const record = records.find(({ type }) => type === own?.type.name)
  const id = record?.properties[own?.type.key[0]?.name ?? '']
  return { id: String(id ?? 'nobody'), scopes: service.authentication.scopes.map(({ name }) => name) }
}

function elapsed(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, delay)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}

function errorResponse({ code = 'mockFault', message, headers }: Fault, status: number): Response {
  const error = { code, message: message ?? `The mock service answers this request with ${status}.` }
  return Response.json({ error }, { status, headers: { ...headers } })
}
