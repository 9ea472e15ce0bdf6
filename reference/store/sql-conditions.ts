import { sql } from 'kysely'
import type { Sql } from './engines/engine.js'
import { idColumn, type Relation } from './schema/schema.js'

export const always: Sql = sql`TRUE`
export const never: Sql = sql`FALSE`

/** That all conditions hold. They are paired in a balanced way: engines limit how deep an expression may be. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? always : balanced(conditions, 0, conditions.length, sql` AND `)
}

/** That one of the conditions holds. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? never : balanced(conditions, 0, conditions.length, sql` OR `)
}

function balanced(conditions: readonly Sql[], start: number, end: number, operator: Sql): Sql {
  const only = conditions[start]
  if (only === undefined || end - start === 1) return only ?? always
  const middle = (start + end) >> 1
  return sql`(${balanced(conditions, start, middle, operator)}${operator}${balanced(conditions, middle, end, operator)})`
}

const lastCharacter = 0x10_ff_ff

/**
 * The least text, by code points, that is greater than every text with the prefix; undefined when there is none. All texts
 * from the prefix up to it, and no others, begin with the prefix.
 */
export function afterPrefix(prefix: string): string | undefined {
  const characters = [...prefix]
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? lastCharacter
    if (last === lastCharacter) continue
    // Surrogates are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return characters.join('') + String.fromCodePoint(next)
  }
  return undefined
}

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

/** How the targets of many items are read at once. */
interface RelationRows {
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
