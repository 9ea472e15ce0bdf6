import type { Service } from '../../spec/language/index.js'
import type { EntityRecord } from '../entity-record.js'
import { type EngineName, storeMaker } from './engines.js'
import { openService, type TestedService } from './open-service.js'

/** One service over a store of each engine, with the same items. */
export interface BothEngines {
  readonly services: Readonly<Record<EngineName, TestedService>>
  readonly stop: () => Promise<void>
}

/** Opens a service twice. */
export async function openBoth(
  spec: Service | string,
  records: readonly EntityRecord[],
  principal?: { readonly id: string; readonly scopes: readonly string[] },
): Promise<BothEngines> {
  const makers = { sqlite: await storeMaker('sqlite'), postgres: await storeMaker('postgres') }
  const services = {
    sqlite: await openService(spec, await makers.sqlite.make(), records, principal),
    postgres: await openService(spec, await makers.postgres.make(), records, principal),
  }
  return {
    services,
    stop: async () => {
      for (const service of Object.values(services)) await service.reference.close()
      for (const maker of Object.values(makers)) await maker.stop()
    },
  }
}
