import { sql } from 'kysely'
import type { Sql } from '../dialect/dialect.js'
import { idColumn, type Relation } from '../schema/store-schema.js'
import { allOf } from './combine.js'

/** Reads a column of the item that a path has come to. */
export type ColumnReader = (column: string) => Sql

/** That the row `target` is a target of the relation from the item whose columns `source` reads. */
export function related(relation: Relation, source: ColumnReader, target: string): Sql {
  switch (relation.kind) {
    case 'contained':
    case 'referenced':
      return sql`${sql.id(target, relation.column)} = ${source(idColumn)}`
    case 'reference':
      return sql`${sql.id(target, idColumn)} = ${source(relation.column)}`
    case 'link': {
      const link = sql`SELECT ${sql.id(relation.to)} FROM ${sql.id(relation.table)} WHERE ${sql.id(relation.from)} = ${source(idColumn)}`
      return sql`${sql.id(target, idColumn)} IN (${link})`
    }
    case 'constraint':
      return allOf(relation.pairs.map(pair => sql`${sql.id(target, pair.target.name)} = ${source(pair.source.name)}`))
  }
}
