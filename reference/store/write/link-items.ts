import { sql } from 'kysely'
import type { Sql } from '../dialect/dialect.js'
import type { Session } from '../engine/engine.js'
import { idColumn, type Relation } from '../schema/store-schema.js'
import type { Store } from '../store.js'

/** Relates two items, by the store's own names for them. A link that is there already stays one. */
export async function linkItems(
  store: Store,
  session: Session,
  relation: Relation,
  source: number,
  target: number,
): Promise<void> {
  const { bind } = store.engine.dialect
  const update = (table: string, assignments: Sql, id: number): Sql =>
    sql`UPDATE ${sql.id(table)} SET ${assignments} WHERE ${sql.id(idColumn)} = ${bind(id, 'integer')}`
  switch (relation.kind) {
    case 'reference':
      await session.run(
        store.engine.compile(
          update(relation.source.name, sql`${sql.id(relation.column)} = ${bind(target, 'integer')}`, source),
        ),
      )
      return
    case 'referenced':
      await session.run(
        store.engine.compile(
          update(relation.target.name, sql`${sql.id(relation.column)} = ${bind(source, 'integer')}`, target),
        ),
      )
      return
    case 'link':
      await session.run(
        store.engine.compile(
          sql`INSERT INTO ${sql.id(relation.table)} (${sql.id(relation.from)}, ${sql.id(relation.to)})
            VALUES (${bind(source, 'integer')}, ${bind(target, 'integer')}) ON CONFLICT DO NOTHING`,
        ),
      )
      return
    case 'constraint': {
      const isSource = relation.dependent === 'source'
      const [dependent, principal] = isSource ? [relation.source, relation.target] : [relation.target, relation.source]
      const [dependentId, principalId] = isSource ? [source, target] : [target, source]
      const assignments = relation.pairs.map(pair => {
        const [to, from] = isSource ? [pair.source, pair.target] : [pair.target, pair.source]
        const where = sql`p.${sql.id(idColumn)} = ${bind(principalId, 'integer')}`
        return sql`${sql.id(to.name)} = (SELECT p.${sql.id(from.name)} FROM ${sql.id(principal.name)} AS p WHERE ${where})`
      })
      await session.run(store.engine.compile(update(dependent.name, sql.join(assignments), dependentId)))
      return
    }
    case 'contained':
      throw new TypeError(`What ${relation.navigation.name} contains is not linked: it is made there.`)
  }
}
