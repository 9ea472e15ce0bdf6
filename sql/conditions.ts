import { sql } from 'kysely'
import type { Sql } from './dialects/dialect.js'
import { idColumn, type Relation, rowsOf } from './schema/schema.js'

export const always: Sql = sql`TRUE`
export const never: Sql = sql`FALSE`

/** The conjunction of conditions, as a balanced tree: engines limit the depth of an expression. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? always : balanced(conditions, 0, conditions.length, sql` AND `)
}

/** The disjunction of conditions, as a balanced tree. */
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
 * The smallest text, in code-point order, that is greater than every text with the prefix; undefined if there is none.
 * Exactly the texts from the prefix up to this one begin with the prefix.
 */
export function afterPrefix(prefix: string): string | undefined {
  const characters = [...prefix]
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? lastCharacter
    if (last === lastCharacter) continue
    // Skip the surrogates, which are not characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return characters.join('') + String.fromCodePoint(next)
  }
  return undefined
}

/** Reads a column of the item at the end of a path. */
export type ColumnReader = (column: string) => Sql

/** Whether the row `target` is a target of the relation. `source` reads the columns of the source item. */
export function related(relation: Relation, source: ColumnReader, target: string): Sql {
  switch (relation.kind) {
    case 'contained':
    case 'referenced':
      return sql`${sql.id(target, relation.column)} = ${source(idColumn)}`
    case 'reference':
      return sql`${sql.id(target, idColumn)} = ${source(relation.column)}`
    case 'link': {
      const link = sql`SELECT ${sql.id(relation.to)} FROM ${linksOf(relation)} AS ${sql.id(`${target}l`)} WHERE ${sql.id(relation.from)} = ${source(idColumn)}`
      return sql`${sql.id(target, idColumn)} IN (${link})`
    }
    case 'constraint':
      return allOf(relation.pairs.map(pair => sql`${sql.id(target, pair.target.name)} = ${source(pair.source.name)}`))
  }
}

function linksOf({ table, links }: Extract<Relation, { kind: 'link' }>): Sql {
  return rowsOf({ name: table, ...(links === undefined ? {} : { source: links }) })
}

/** How to read the targets of many items at once. */
interface RelationRows {
  readonly from: Sql
  /** The `$id` of the item that a row belongs to. */
  readonly parent: Sql
  readonly where: Sql
}

/** The targets of a relation, named `alias`, for the items whose ids the subquery `ids` returns. */
export function relationRows(relation: Relation, alias: string, ids: Sql): RelationRows {
  const target = sql`${rowsOf(relation.target)} AS ${sql.id(alias)}`
  switch (relation.kind) {
    case 'contained':
    case 'referenced': {
      const parent = sql`${sql.id(alias, relation.column)}`
      return { from: target, parent, where: sql`${parent} IN (${ids})` }
    }
    case 'link': {
      const parent = sql`${sql.id('l', relation.from)}`
      const link = sql`${linksOf(relation)} AS l`
      const joined = sql`${sql.id(alias, idColumn)} = ${sql.id('l', relation.to)}`
      return { from: crossed(link, target), parent, where: sql`${parent} IN (${ids}) AND ${joined}` }
    }
    default: {
      const parent = sql`${sql.id('s', idColumn)}`
      const source = sql`${rowsOf(relation.source)} AS s`
      const joined = related(relation, column => sql`${sql.id('s', column)}`, alias)
      return { from: crossed(source, target), parent, where: sql`${parent} IN (${ids}) AND ${joined}` }
    }
  }
}

/**
 * A join that starts with the few source items. SQLite keeps the table order of a cross join. Otherwise it might scan all
 * targets, because they are already in the requested order.
 */
function crossed(first: Sql, second: Sql): Sql {
  return sql`${first} CROSS JOIN ${second}`
}
