import { readData } from '../../reference/data/read-data.js'
import type { EntityRecord } from '../../reference/index.js'
import type { EntityType, Service } from '../../spec/language/index.js'
import { derivesFrom } from '../../spec/language/model/derives-from.js'

/**
 * The key of the first item in the data that somebody may sign in as: one of the type of the singleton that stands for
 * the caller. Undefined when there is none.
 */
export async function firstPrincipal(path: string, service: Service): Promise<string | undefined> {
  const type = principalSingleton(service)?.type
  if (type === undefined) return undefined
  for await (const record of readData(path, service)) {
    if (isOf(record, type, service)) return String(record.properties[type.key[0]?.name ?? ''])
  }
  return undefined
}

/** The singleton that stands for the caller. */
export function principalSingleton({ container }: Service): Service['container'][number] | undefined {
  return container.find(element => element.kind === 'singleton' && element.principal)
}

function isOf(record: EntityRecord, type: EntityType, service: Service): boolean {
  const own = service.entityTypes.find(({ name }) => name === record.type)
  return own !== undefined && derivesFrom(own, type)
}
