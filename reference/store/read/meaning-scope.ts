import { sql } from 'kysely'
import type { NavigationProperty } from '../../../spec/language/index.js'
import { related } from '../filter/related.js'
import { idColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { columnReader, type Scope } from './scope.js'

/** The targets of a relation of the one item of a scope. */
export function targetScope(binding: Scope, navigation: NavigationProperty, { schema }: Store): Scope {
  const relation = schema.relationOf(navigation)
  return {
    table: relation.target,
    type: navigation.type,
    where: alias => related(relation, columnReader(binding, `${alias}p`), alias),
    parent: { scope: binding, relation },
  }
}

/**
 * The targets of a relation, their targets, and so on to the end. Circles end where they began: a row that was found is
 * not followed again.
 */
export function closureScope(binding: Scope, navigation: NavigationProperty, store: Store): Scope {
  const direct = targetScope(binding, navigation, store)
  const { relation } = direct.parent ?? { relation: store.schema.relationOf(navigation) }
  const source = sql.id(relation.source.name)
  const target = sql.id(relation.target.name)
  const id = sql.id(idColumn)
  return {
    ...direct,
    where: alias => {
      const [first, from, next] = [`${alias}f`, `${alias}s`, `${alias}n`]
      const begin = sql`SELECT ${sql.id(first, idColumn)} FROM ${target} AS ${sql.id(first)} WHERE ${direct.where(first)}`
      const step = related(relation, column => sql`${sql.id(from, column)}`, next)
      const follow = sql`SELECT ${sql.id(next, idColumn)} FROM found JOIN ${source} AS ${sql.id(from)} ON ${sql.id(from, idColumn)} = found.${id} JOIN ${target} AS ${sql.id(next)} ON ${step}`
      const found = sql`WITH RECURSIVE found(${id}) AS (${begin} UNION ${follow}) SELECT ${id} FROM found`
      return sql`${sql.id(alias, idColumn)} IN (${found})`
    },
  }
}
