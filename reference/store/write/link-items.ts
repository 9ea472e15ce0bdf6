import { sql } from 'kysely'
import type { Dialect, Sql } from '../dialect/dialect.js'
import type { Session } from '../engine/engine.js'
import { Slot } from '../engine/sql-value.js'
import type { Statement } from '../engine/statement.js'
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
  await session.run(linkStatement(store, relation), { source, target })
}

const links = new WeakMap<Store, Map<Relation['navigation'], Statement>>()

function linkStatement(store: Store, relation: Relation): Statement {
  const known = links.get(store) ?? new Map<Relation['navigation'], Statement>()
  links.set(store, known)
  const statement = known.get(relation.navigation) ?? store.engine.compile(linkSql(relation, store.engine.dialect))
  known.set(relation.navigation, statement)
  return statement
}

function linkSql(relation: Relation, { bind }: Dialect): Sql {
  const source = bind(new Slot('source'), 'integer')
  const target = bind(new Slot('target'), 'integer')
  const update = (table: string, assignments: Sql, id: Sql): Sql =>
    sql`UPDATE ${sql.id(table)} SET ${assignments} WHERE ${sql.id(idColumn)} = ${id}`
  switch (relation.kind) {
    case 'reference':
      return update(relation.source.name, sql`${sql.id(relation.column)} = ${target}`, source)
    case 'referenced':
      return update(relation.target.name, sql`${sql.id(relation.column)} = ${source}`, target)
    case 'link':
      return sql`INSERT INTO ${sql.id(relation.table)} (${sql.id(relation.from)}, ${sql.id(relation.to)})
        VALUES (${source}, ${target}) ON CONFLICT DO NOTHING`
    case 'constraint': {
      const isSource = relation.dependent === 'source'
      const [dependent, principal] = isSource ? [relation.source, relation.target] : [relation.target, relation.source]
      const [dependentId, principalId] = isSource ? [source, target] : [target, source]
      const assignments = relation.pairs.map(pair => {
        const [to, from] = isSource ? [pair.source, pair.target] : [pair.target, pair.source]
        const where = sql`p.${sql.id(idColumn)} = ${principalId}`
        return sql`${sql.id(to.name)} = (SELECT p.${sql.id(from.name)} FROM ${sql.id(principal.name)} AS p WHERE ${where})`
      })
      return update(dependent.name, sql.join(assignments), dependentId)
    }
    case 'contained':
      throw new TypeError(`What ${relation.navigation.name} contains is not linked: it is made there.`)
  }
}
