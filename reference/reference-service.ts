import {
  type AnyHandler,
  type Authenticate,
  asynchronous,
  type BatchLimits,
  batches,
  createService,
  type ExtraRoute,
  type HandlerLookup,
  type Service as HttpService,
  type Principal,
  propertyTargets,
  queryFunctionsByName,
  type RequestHead,
  type ServiceLimits,
  type ServiceTable,
  type Telemetry,
  transformations,
} from '../runtime/server/index.js'
import type { Service } from '../spec/language/index.js'
import { responseLimits } from '../sql/index.js'
import { tokenSigner } from './handlers/continuation-token.js'
import { genericHandlers } from './handlers/generic-handlers.js'
import { callsHandlers } from './handlers/handled-calls.js'
import { publicAddressOf, writeTurns } from './handlers/handler-context.js'
import {
  defaultPrincipalLimits,
  limitPrincipals,
  type OwnService,
  ownService,
  type PrincipalLimits,
} from './handlers/own-service.js'
import { createExpensiveReads } from './readers/expensive-reads.js'
import { createReaderPool, defaultReadLimits, type ReaderPool, type ReadLimits } from './readers/reader-pool.js'
import { readerConnections } from './store/engines/open-engine.js'
import { openStore, type StoreOptions } from './store/open-store.js'
import type { EntityRecord, Store } from './store/store.js'
import { isEmpty, type LoadOptions, loadRecords } from './store/write/load-records.js'

/** What the functions of handlers may take. */
export interface FunctionLimits {
  /** The items for which one request may compute them. */
  readonly functionItems: number
}

const defaultFunctionLimits: FunctionLimits = { functionItems: 10_000 }

/** What a reference service runs, and on which store. */
export interface ReferenceOptions
  extends Omit<StoreOptions, 'limits' | 'readMilliseconds' | 'replicaMilliseconds' | 'waitingWrites'> {
  /** Limits that replace those of the spec and the defaults, `{ filterNodes: 100, principalRequests: 4 }`. */
  readonly limits?: Partial<ServiceLimits & BatchLimits & PrincipalLimits & ReadLimits & FunctionLimits>
  /**
   * The threads that answer expensive reads, on a store that several connections can open: PostgreSQL, or a file with a native
   * driver of SQLite. They start when they are first needed. Default: 0, everything runs in this thread.
   */
  readonly workers?: number
  /** The program of these threads, for tests. */
  readonly readerModule?: URL
  /** The functions that queries can call and that the spec does not define, by name. */
  readonly functions?: object
  /** Identifies the caller. Required if the spec declares authentication. */
  readonly authenticate?: Authenticate
  /** The URL of the service root as callers know it. Default: the URL that each request was sent to. */
  readonly publicUrl?: string
  /** The path of the service root on this server. Default: `/` and the version of the service. */
  readonly root?: string
  /** Routes to serve in addition to the paths of the spec. */
  readonly extraRoutes?: readonly ExtraRoute[]
  /** Handlers that replace the generic ones, by route name. */
  readonly handlers?: Readonly<Record<string, AnyHandler>>
  /** Creates the `context` of these handlers, once per request. Default: the service itself. */
  readonly context?: (request: RequestHead, principal: Principal, service: OwnService) => unknown
  /**
   * Called with every unexpected error. Callers see only that there was an internal error, and the header `request-id`, which is
   * the third argument.
   */
  readonly onError?: (error: unknown, request: RequestHead, requestId?: string) => void
  /** Observes each request: `openTelemetry(api)` of `specwright/server`. */
  readonly telemetry?: Telemetry
}

/** A described service that runs on its store. */
export interface ReferenceService {
  /** Answers a request and never throws. To serve it from `node:http`, use `toNodeListener(reference.fetch)`. */
  readonly fetch: HttpService
  readonly service: Service
  /** The table that drives the server core. */
  readonly table: ServiceTable
  /** Resolves if the store responds. It does not wait for requests. */
  readonly check: () => Promise<void>
  /** Whether the service works, but its replica for reads is away or too late. */
  readonly isDegraded: () => boolean
  /** Whether the store has no items yet. */
  readonly isEmpty: () => Promise<boolean>
  /**
   * Stores items in one transaction: all of them, or none if a record does not fit or the iteration throws. A link may point
   * to an item that comes later.
   *
   * @returns the number of stored items, contained items included
   * @throws {TypeError} if a record does not fit the model; the message names the record
   */
  readonly load: (
    records: Iterable<EntityRecord> | AsyncIterable<EntityRecord>,
    options?: LoadOptions,
  ) => Promise<number>
  /** Runs requests in one transaction, which is rolled back if the work throws. The work may run more than once. */
  readonly atomically: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Waits for running requests, then closes the store. Later requests fail. */
  readonly close: () => Promise<void>
}

/**
 * Runs any described service: creates its tables from the spec and answers its requests from SQL.
 *
 * @throws {SpecError} if the spec has errors
 * @throws {MigrationError} if the existing store cannot be migrated to this spec by adding tables and columns
 * @throws {DriverError} if the package that connects to the database is not installed or cannot be loaded
 * @throws {TypeError} for an address of an unknown kind, or an invalid choice
 */
export async function createReferenceService(options: ReferenceOptions): Promise<ReferenceService> {
  const limits = { ...defaultReadLimits, ...options.limits }
  const { readMilliseconds, replicaMilliseconds, principalWaiting: waitingWrites } = limits
  const store = await openStore({ ...options, readMilliseconds, replicaMilliseconds, waitingWrites })
  const { publicUrl, root = `/${store.table.version}` } = options
  // An embedded engine runs one read at a time, and gives each principal its turn to write.
  const limited =
    store.engine.dialect.name === 'sqlite'
      ? (handler: AnyHandler) => handler
      : limitPrincipals({ ...defaultPrincipalLimits, ...options.limits })
  const pool = readersOf(store, options, limits, root)
  const turns = writeTurns(store)
  const expensive = pool === undefined ? undefined : createExpensiveReads(turns.store, pool, limits)
  const handlers = queryFunctionsByName(options.functions ?? {}, store.table.functions ?? {})
  const { functionItems } = { ...defaultFunctionLimits, ...options.limits }
  const generic = genericHandlers({
    store: expensive?.store ?? turns.store,
    signer: tokenSigner(store.identity),
    ...(Object.keys(handlers).length === 0 ? {} : { handled: { handlers, items: functionItems } }),
    publicAddress: publicAddressOf(publicUrl, root),
    // What runs elsewhere takes no connection of this pool.
    wrap: (route, scope, handler) => {
      const here = limited(route.method === 'GET' ? handler : turns.wrap(handler))
      if (expensive === undefined) return here
      const there = expensive.wrap(route, scope, here)
      // The threads have no handlers.
      return call => (callsHandlers(call.query, store.table.functions) ? here(call) : there(call))
    },
  })
  const settings = { fetch: (): HttpService => fetch, root, publicUrl }
  const { context: contextOf = (_head, _principal, service) => service } = options
  const context = (head: RequestHead, principal: Principal): unknown =>
    contextOf(head, principal, ownService(head, { ...settings, atomically: work => store.atomically(work, principal) }))
  const fetch: HttpService = createService(
    store.table,
    lookup(generic, options.handlers ?? {}, limited),
    // Generic handlers need no context.
    {
      ...options,
      atomically: (work, principal, bytes) => store.atomically(() => work(), principal, bytes),
      context: options.handlers === undefined ? () => undefined : context,
    },
    { asynchronous, batches, propertyTargets, transformations },
  )
  return {
    fetch,
    service: store.service,
    table: store.table,
    check: () => store.engine.check(),
    isDegraded: () => store.engine.isDegraded?.() ?? false,
    isEmpty: () => isEmpty(store),
    load: (records, loadOptions) => loadRecords(store, records, loadOptions),
    atomically: store.atomically,
    close: async () => {
      await pool?.close()
      await store.engine.close()
    },
  }
}

/** A handler for this very route takes precedence over the generic one. */
function lookup(
  generic: HandlerLookup,
  own: Readonly<Record<string, AnyHandler>>,
  limited: (handler: AnyHandler) => AnyHandler,
): HandlerLookup {
  return route => {
    const handler = Object.hasOwn(own, route.name) ? own[route.name] : undefined
    return handler === undefined ? generic(route) : limited(handler)
  }
}

/** The reader threads of a service; undefined if it has none. */
function readersOf(
  store: Store,
  { workers = 0, publicUrl, statementTimeout, onError, readerModule }: ReferenceOptions,
  limits: ReadLimits,
  root: string,
): ReaderPool | undefined {
  const { service, table, identity, engine } = store
  if (workers === 0 || engine.shared === undefined) return undefined
  const { readMilliseconds } = limits
  const { responseBytes } = responseLimits(table)
  return createReaderPool({
    threads: workers,
    concurrency: engine.dialect.name === 'sqlite' ? 1 : readerConnections,
    limits,
    data: {
      ...{ service, table, identity, root, publicUrl, readMilliseconds, statementTimeout, responseBytes },
      store: engine.shared,
    },
    ...(readerModule === undefined ? {} : { module: readerModule }),
    onError: (error, request) => onError?.(error, request ?? noRequest),
  })
}

/** For an error of a thread that concerns no single request. */
const noRequest: RequestHead = {
  method: 'GET',
  url: 'reader:',
  headers: { get: () => null },
  signal: new AbortController().signal,
}
