import { sql } from 'kysely'
import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import type { Session } from '../engine/engine.js'
import { related } from '../filter/related.js'
import { idColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { InvalidValue } from './invalid-value.js'

/**
 * Sees to it that an item has the single relations that it must have: where the values of properties say which, there must
 * be an item with them, which stays until the transaction ends.
 *
 * @throws {InvalidValue} naming the property that leads nowhere
 */
export async function requireReferences(store: Store, session: Session, type: EntityType, id: number): Promise<void> {
  for (const navigation of type.navigation) {
    if (!navigation.collection && !navigation.nullable && navigation.constraint.length > 0) {
      await requireReference(navigation, store, session, id)
    }
  }
}

async function requireReference(
  navigation: NavigationProperty,
  store: Store,
  session: Session,
  id: number,
): Promise<void> {
  const relation = store.schema.relationOf(navigation)
  const from = sql`${sql.id(relation.source.name)} AS s JOIN ${sql.id(relation.target.name)} AS t ON ${related(relation, column => sql`${sql.id('s', column)}`, 't')}`
  const { bind, forReference } = store.engine.dialect
  const where = sql`${sql.id('s', idColumn)} = ${bind(id, 'integer')} ${forReference}`
  const rows = await session.all(store.engine.compile(sql`SELECT 1 FROM ${from} WHERE ${where}`))
  if (rows.length > 0) return
  const names = navigation.constraint.map(pair => pair.dependent)
  throw new InvalidValue(
    names[0] ?? navigation.name,
    `leads to no ${navigation.type.name}: there is none with this ${names.join(' and ')}`,
  )
}
