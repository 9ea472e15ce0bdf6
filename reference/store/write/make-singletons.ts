import { sql } from 'kysely'
import type { EntityType } from '../../../spec/language/index.js'
import { singletonColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { insertItem } from './insert-item.js'
import { isKeyMade, newValues } from './item-values.js'

/**
 * Makes the singletons that can be made from defaults alone. Others come with the data; those of the signed-in caller are
 * items of a set.
 */
export async function makeSingletons(store: Store): Promise<void> {
  const { engine, schema } = store
  for (const element of store.service.container) {
    if (element.kind !== 'singleton' || element.principal || !isMadeOfDefaults(element.type)) continue
    await engine.maintain(async session => {
      const name = engine.dialect.bind(element.name, 'text')
      const table = sql.id(schema.tableOf(element.type).name)
      const any = sql`SELECT 1 FROM ${table} WHERE ${sql.id(singletonColumn)} = ${name}`
      if ((await session.all(engine.compile(any))).length > 0) return
      await insertItem(store, session, element.type, newValues(element.type, {}, store), { singleton: element.name })
    })
  }
}

function isMadeOfDefaults({ properties, key, abstract }: EntityType): boolean {
  const isGiven = (property: (typeof properties)[number]): boolean =>
    property.nullable || property.collection || property.default !== undefined || property.stamp !== undefined
  return !abstract && properties.every(property => isGiven(property) || (key.includes(property) && isKeyMade(property)))
}
