import { loadSpec, type Service } from '../../spec/language/index.js'
import { buildServiceTable } from '../../spec/language/service-table.js'
import type { ReferenceOptions } from '../reference-options.js'
import { SpecError } from '../spec-error.js'
import { chosen } from './chosen.js'
import { openEngine } from './engine/open-engine.js'
import { alignVersions } from './migrate/align-versions.js'
import { fillNew } from './migrate/fill-new.js'
import { openStore, type StoreIdentity } from './migrate/open-store.js'
import { planStore } from './migrate/plan-store.js'
import { buildSchema } from './schema/build-schema.js'
import type { Store } from './store.js'
import { createNormaliser } from './value/normaliser.js'
import { forgetRemovals } from './write/forget-removals.js'
import { makeSingletons } from './write/make-singletons.js'

/**
 * Opens the store of a described service: its tables are made from the spec, or brought up to it.
 *
 * @throws {SpecError} when the spec has errors
 * @throws {MigrationError} when the store was made for a spec that this one cannot follow by adding to it
 * @throws {DriverError} when the package that talks to the database is not installed, or cannot be loaded
 */
export async function openServiceStore(
  options: Pick<ReferenceOptions, 'spec' | 'store' | 'choices' | 'now' | 'statementTimeout'>,
): Promise<Store> {
  const service = typeof options.spec === 'string' ? await loadedService(options.spec) : options.spec
  const table = chosen(buildServiceTable(service), service, options.choices ?? {})
  const engine = await openEngine(options.store, options.statementTimeout)
  try {
    const schema = buildSchema(service)
    const plan = planStore(schema, service)
    const normalise = createNormaliser(service, engine.dialect)
    const now = options.now ?? (() => new Date())
    const storeOf = (identity: StoreIdentity): Store => {
      return { service, table, schema, engine, identity, normalise, now }
    }
    const store = storeOf(await openStore(engine, plan, (session, found) => fillNew(storeOf(found), plan, session)))
    await alignVersions(store)
    await forgetRemovals(store)
    await makeSingletons(store)
    return store
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
