import { type AnyHandler, createService, type HandlerLookup } from '../runtime/server/index.js'
import { genericHandlers } from './handlers/generic-handlers.js'
import type { ReferenceOptions } from './reference-options.js'
import type { ReferenceService } from './reference-service.js'
import { openServiceStore } from './store/open-service-store.js'
import { tokenSealer } from './store/read/token.js'
import { isEmpty } from './store/write/is-empty.js'
import { loadRecords } from './store/write/load-records.js'

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
    sealer: tokenSealer(store.identity),
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
