import { sql } from 'kysely'
import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import {
  type Dialect,
  idColumn,
  Placeholder,
  type Relation,
  related,
  type Session,
  type Sql,
  type Statement,
} from '../../../sql/index.js'
import type { Store } from '../store.js'
import { InvalidValue } from './item-values.js'

/** Links two items by their `$id`. An existing link stays. */
export async function linkItems(
  store: Store,
  session: Session,
  relation: Relation,
  source: number,
  target: number,
): Promise<void> {
  await session.run(linkStatement(store, relation), { source, target })
}

const linkStatements = new WeakMap<Store, Map<Relation['navigation'], Statement>>()

function linkStatement(store: Store, relation: Relation): Statement {
  const known = linkStatements.get(store) ?? new Map<Relation['navigation'], Statement>()
  linkStatements.set(store, known)
  const statement = known.get(relation.navigation) ?? store.engine.compile(linkSql(relation, store.engine.dialect))
  known.set(relation.navigation, statement)
  return statement
}

function linkSql(relation: Relation, { bind }: Dialect): Sql {
  const source = bind(new Placeholder('source'), 'integer')
  const target = bind(new Placeholder('target'), 'integer')
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
      throw new TypeError(`${relation.navigation.name} contains its items. They cannot be linked.`)
  }
}

/**
 * Checks the required single relations of an item with a referential constraint. A target must exist, and is kept from being
 * deleted until the transaction ends.
 *
 * @throws {InvalidValue} naming the property without a target
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
  const { bind, forKeyShare: forReference } = store.engine.dialect
  const where = sql`${sql.id('s', idColumn)} = ${bind(id, 'integer')} ${forReference}`
  const rows = await session.all(store.engine.compile(sql`SELECT 1 FROM ${from} WHERE ${where}`))
  if (rows.length > 0) return
  const names = navigation.constraint.map(pair => pair.dependent)
  throw new InvalidValue(
    names[0] ?? navigation.name,
    `has no matching ${navigation.type.name}: none has this ${names.join(' and ')}`,
  )
}
