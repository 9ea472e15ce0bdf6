import { sql } from 'kysely'
import type { Sql } from '../dialect/dialect.js'
import { related } from '../filter/related.js'
import { idColumn, type Relation } from '../schema/store-schema.js'

/** How the targets of many items are read at once. */
export interface RelationRows {
  readonly from: Sql
  /** `$id` of the item that a row is a target of. */
  readonly parent: Sql
  readonly where: Sql
}

/** The targets of a relation, named `alias`, for the items whose ids the subquery `ids` gives. */
export function relationRows(relation: Relation, alias: string, ids: Sql): RelationRows {
  const target = sql`${sql.id(relation.target.name)} AS ${sql.id(alias)}`
  switch (relation.kind) {
    case 'contained':
    case 'referenced': {
      const parent = sql`${sql.id(alias, relation.column)}`
      return { from: target, parent, where: sql`${parent} IN (${ids})` }
    }
    case 'link': {
      const parent = sql`${sql.id('l', relation.from)}`
      const link = sql`${sql.id(relation.table)} AS l`
      const joined = sql`${sql.id(alias, idColumn)} = ${sql.id('l', relation.to)}`
      return { from: crossed(link, target), parent, where: sql`${parent} IN (${ids}) AND ${joined}` }
    }
    default: {
      const parent = sql`${sql.id('s', idColumn)}`
      const source = sql`${sql.id(relation.source.name)} AS s`
      const joined = related(relation, column => sql`${sql.id('s', column)}`, alias)
      return { from: crossed(source, target), parent, where: sql`${parent} IN (${ids}) AND ${joined}` }
    }
  }
}

/**
 * Few items lead to their targets. SQLite takes the order of the tables as it stands in a cross join; else it may begin
 * with all targets, which come in the wanted order, and look for items of each.
 */
function crossed(first: Sql, second: Sql): Sql {
  return sql`${first} CROSS JOIN ${second}`
}
