import { buildServiceTable } from '../../spec/language/service-table.js'
import { openEngine } from '../store/engine/open-engine.js'
import { openStore } from '../store/migrate/open-store.js'
import { planStore } from '../store/migrate/plan-store.js'
import { buildSchema } from '../store/schema/build-schema.js'
import type { Store } from '../store/store.js'
import { createNormaliser } from '../store/value/normaliser.js'
import { sampleService } from './sample-spec.js'

/** A store for the samples, without the service around it. */
export async function openSampleStore(address: string): Promise<Store> {
  const service = sampleService()
  const engine = await openEngine(address)
  const schema = buildSchema(service)
  return {
    service,
    table: buildServiceTable(service),
    schema,
    engine,
    identity: await openStore(engine, planStore(schema, service)),
    normalise: createNormaliser(service, engine.dialect),
    now: () => new Date(Date.UTC(2024, 5, 1, 12)),
  }
}
