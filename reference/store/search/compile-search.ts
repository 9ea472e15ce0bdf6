import { sql } from 'kysely'
import type { SearchExpression } from '../../../runtime/query/index.js'
import type { Property } from '../../../spec/language/index.js'
import type { Dialect, Sql } from '../dialect/dialect.js'
import { afterPrefix } from '../filter/after-prefix.js'
import { allOf, anyOf, never } from '../filter/combine.js'
import type { Table, WordTable } from '../schema/store-schema.js'
import { wholeWord, wordsOf } from './words-of.js'

/** What a search looks into. */
export interface SearchScope {
  readonly table: Table
  readonly dialect: Dialect
  /** `$id` of the item. */
  readonly id: Sql
  /** Names of the properties that may be searched; empty: all that are searchable. */
  readonly properties: readonly string[]
}

/**
 * That an item is found. A term is found where its words stand side by side in one property, as whole words in any letter
 * case; in a property whose beginning is searched, where the text begins with it. `"property:words"` looks into that one.
 */
export function searchCondition(search: SearchExpression, scope: SearchScope): Sql {
  switch (search.kind) {
    case 'term':
      return found(search.text, searched(scope), scope)
    case 'phrase':
      return phrase(search.text, scope)
    case 'not':
      return sql`NOT ${searchCondition(search.operand, scope)}`
    case 'and':
      return allOf(chain(search).map(operand => searchCondition(operand, scope)))
    case 'or':
      return anyOf(chain(search).map(operand => searchCondition(operand, scope)))
  }
}

type Chain = Extract<SearchExpression, { readonly kind: 'and' | 'or' }>

function chain(search: Chain): readonly SearchExpression[] {
  const operands: SearchExpression[] = []
  let rest: SearchExpression = search
  while (rest.kind === search.kind) {
    operands.push(rest.right)
    rest = rest.left
  }
  operands.push(rest)
  return operands.reverse()
}

function phrase(text: string, scope: SearchScope): Sql {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0)).trim()
  const named = searched(scope).filter(property => property.name === name)
  return named.length === 0 ? found(text, searched(scope), scope) : found(text.slice(colon + 1), named, scope)
}

function searched({ table, properties }: SearchScope): readonly Property[] {
  const all = table.words?.properties ?? []
  return properties.length === 0 ? all : all.filter(property => properties.includes(property.name))
}

function found(text: string, properties: readonly Property[], scope: SearchScope): Sql {
  const { words } = scope.table
  if (words === undefined) return never
  return anyOf(
    properties.map(property =>
      property.search === 'prefix' ? beginsWith(text, property, words, scope) : hasWords(text, property, words, scope),
    ),
  )
}

function hasWords(
  text: string,
  property: Property,
  table: WordTable,
  { id, dialect, table: { columnOf } }: SearchScope,
): Sql {
  const [first, ...others] = wordsOf(text)
  if (first === undefined) return never
  const name = dialect.bind(columnOf(property).name, 'text')
  const joins = others.map((word, index) => {
    const alias = `w${index + 1}`
    const place = sql`${sql.id(alias, 'row')} = w0.row AND ${sql.id(alias, 'position')} = w0.position + ${sql.lit(index + 1)}`
    return sql`JOIN ${sql.id(table.name)} AS ${sql.id(alias)} ON ${sql.id(alias, 'property')} = ${name} AND ${sql.id(alias, 'word')} = ${dialect.bind(word, 'text')} AND ${place}`
  })
  const rows = sql`SELECT w0.row FROM ${sql.id(table.name)} AS w0 ${sql.join(joins, sql` `)} WHERE w0.property = ${name} AND w0.word = ${dialect.bind(first, 'text')}`
  return sql`${id} IN (${rows})`
}

function beginsWith(text: string, property: Property, table: WordTable, scope: SearchScope): Sql {
  const { id, dialect } = scope
  const prefix = wholeWord(text)
  const end = afterPrefix(prefix)
  if (prefix === '' || end === undefined) return never
  const name = dialect.bind(scope.table.columnOf(property).name, 'text')
  const range = sql`word >= ${dialect.bind(prefix, 'text')} AND word < ${dialect.bind(end, 'text')}`
  return sql`${id} IN (SELECT row FROM ${sql.id(table.name)} WHERE property = ${name} AND ${range})`
}
