import {
  type AnyHandler,
  type Authenticate,
  createService,
  type ExtraRoute,
  type HandlerLookup,
  type Service as HttpService,
  type RequestHead,
  type ServiceTable,
} from '../runtime/server/index.js'
import type { Service } from '../spec/language/index.js'
import { tokenSigner } from './handlers/continuation-token.js'
import { genericHandlers } from './handlers/generic-handlers.js'
import type { EntityRecord } from './store/entity-record.js'
import { openServiceStore } from './store/open-store.js'
import { isEmpty, loadRecords } from './store/write/load-records.js'

/**
 * Runs any described service over a store: its tables are made from the spec, its requests answered from SQL.
 *
 * @throws {SpecError} when the spec has errors
 * @throws {MigrationError} when the store was made for a spec that this one cannot follow by adding to it
 * @throws {DriverError} when the package that talks to the database is not installed, or cannot be loaded
 * @throws {TypeError} for an address that is none of a store, or a choice that cannot be made
 */
export async function createReferenceService(options: ReferenceOptions): Promise<ReferenceService> {
  const store = await openServiceStore(options)
  const { publicUrl, root = `/${store.table.version}` } = options
  const generic = genericHandlers({
    store,
    signer: tokenSigner(store.identity),
    ...(publicUrl === undefined ? {} : { publicAddress: url => publicUrl + new URL(url).pathname.slice(root.length) }),
  })
  return {
    fetch: createService(store.table, lookup(generic, options.handlers ?? {}), options),
    service: store.service,
    table: store.table,
    isEmpty: () => isEmpty(store),
    load: (records, loadOptions) => loadRecords(store, records, loadOptions),
    close: () => store.engine.close(),
  }
}

/** What was written for a route goes before what any route gets. */
function lookup(generic: HandlerLookup, own: Readonly<Record<string, AnyHandler>>): HandlerLookup {
  return route => (Object.hasOwn(own, route.name) ? own[route.name] : generic(route))
}

/** How items are stored. */
export interface LoadOptions {
  /** Stores nothing when there are items already: of several processes that begin at once, one loads. */
  readonly onlyIfEmpty?: boolean
}

/** A described service, running over its store. */
export interface ReferenceService {
  /** Answers a request; never throws. `toNodeListener(reference.fetch)` serves it from `node:http`. */
  readonly fetch: HttpService
  readonly service: Service
  /** The table that the server core runs from. */
  readonly table: ServiceTable
  /** Whether no item of any type has been stored. */
  readonly isEmpty: () => Promise<boolean>
  /**
   * Stores items in one transaction: all of them, or none when a record does not fit or the iteration throws. Links may
   * lead to items that come later.
   *
   * @returns how many items were stored, contained ones included
   * @throws {TypeError} for a record that does not fit the model, naming it
   */
  readonly load: (
    records: Iterable<EntityRecord> | AsyncIterable<EntityRecord>,
    options?: LoadOptions,
  ) => Promise<number>
  /** Waits for what runs and lets go of the store. Requests after that fail. */
  readonly close: () => Promise<void>
}

/** What a reference service runs, and on what. */
export interface ReferenceOptions {
  /** A described service, or the path of its spec. */
  readonly spec: Service | string
  /**
   * `sqlite:FILE`, made when it is not there; `sqlite::memory:`, gone with the process; or the connection string of a
   * PostgreSQL database, `postgres://…`. Tables are made, and brought up to the spec, at start.
   */
  readonly store: string
  /**
   * Milliseconds that PostgreSQL may take for one statement of a request, which is then answered 503. Default: 30 seconds;
   * 0: what the server allows. SQLite runs within the process, and its statements cannot be broken off.
   */
  readonly statementTimeout?: number
  /** Finds out who calls. A must where the spec declares authentication. */
  readonly authenticate?: Authenticate
  /** The address under which callers reach the service's root. Default: what each request was sent to. */
  readonly publicUrl?: string
  /** Where the root is on the server. Default: `/` and the service's version. */
  readonly root?: string
  /** What is served beside the spec's paths. */
  readonly extraRoutes?: readonly ExtraRoute[]
  /** Code for routes that the generic handlers cannot answer, or should not, by route name. */
  readonly handlers?: Readonly<Record<string, AnyHandler>>
  /** The service's own answers to choices that the spec leaves open, in place of the spec's `reference`. */
  readonly choices?: Readonly<Record<string, string | number>>
  /** Told of everything unexpected, which callers see as an internal error only. */
  readonly onError?: (error: unknown, request: RequestHead) => void
  /** The clock. Default: the computer's. */
  readonly now?: () => Date
}
