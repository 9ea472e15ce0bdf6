import { type AnyHandler, createService, type HandlerLookup, type ServiceTable } from '../runtime/server/index.js'
import { loadSpec, type Service } from '../spec/language/index.js'
import { buildServiceTable } from '../spec/language/service-table.js'
import { genericHandlers } from './handlers/generic-handlers.js'
import type { ReferenceOptions } from './reference-options.js'
import type { ReferenceService } from './reference-service.js'
import { SpecError } from './spec-error.js'
import { openEngine } from './store/engine/open-engine.js'
import { fillNew } from './store/migrate/fill-new.js'
import { openStore } from './store/migrate/open-store.js'
import { planStore } from './store/migrate/plan-store.js'
import { tokenSealer } from './store/read/token.js'
import { buildSchema } from './store/schema/build-schema.js'
import type { Store } from './store/store.js'
import { createNormaliser } from './store/value/normaliser.js'
import { isEmpty } from './store/write/is-empty.js'
import { loadRecords } from './store/write/load-records.js'
import { makeSingletons } from './store/write/make-singletons.js'

/**
 * Runs any described service over a store: its tables are made from the spec, its requests answered from SQL.
 *
 * @throws {SpecError} when the spec has errors
 * @throws {MigrationError} when the store was made for a spec that this one cannot follow by adding to it
 */
export async function createReferenceService(options: ReferenceOptions): Promise<ReferenceService> {
  const service = typeof options.spec === 'string' ? await loadedService(options.spec) : options.spec
  const table = tableOf(service, options)
  const engine = await openEngine(options.store)
  try {
    const schema = buildSchema(service)
    const plan = planStore(schema, service)
    const identity = await openStore(engine, plan)
    const normalise = createNormaliser(service, engine.dialect)
    const store: Store = { service, table, schema, engine, identity, normalise, now: options.now ?? (() => new Date()) }
    await fillNew(store, plan)
    await makeSingletons(store)
    const handlerOf = lookup(genericHandlers({ store, sealer: tokenSealer(identity) }), options.handlers ?? {})
    return {
      fetch: createService(table, handlerOf, options),
      service,
      table,
      isEmpty: () => isEmpty(store),
      load: (records, loadOptions) => loadRecords(store, records, loadOptions),
      close: () => engine.close(),
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

async function loadedService(path: string): Promise<Service> {
  const { service, diagnostics } = await loadSpec(path)
  if (service === undefined) throw new SpecError(path, diagnostics)
  return service
}

function tableOf(service: Service, { choices = {} }: ReferenceOptions): ServiceTable {
  const table = buildServiceTable(service)
  return { ...table, choices: { ...table.choices, ...choices } }
}

/** What was written for a route goes before what any route gets. */
function lookup(generic: HandlerLookup, own: Readonly<Record<string, AnyHandler>>): HandlerLookup {
  return route => (Object.hasOwn(own, route.name) ? own[route.name] : generic(route))
}
