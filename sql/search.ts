import { sql } from 'kysely'
import type { SearchExpression } from '../runtime/query/index.js'
import type { Property } from '../spec/language/index.js'
import { afterPrefix, allOf, anyOf, type ColumnReader, never } from './conditions.js'
import type { Dialect, Sql } from './dialects/dialect.js'
import { unsupportedQuery } from './query-faults.js'
import { idColumn, type Table, type WordTable } from './schema/schema.js'

/** Where a search looks. */
interface SearchScope {
  readonly table: Table
  readonly dialect: Dialect
  /** Reads a column of the item. */
  readonly column: ColumnReader
  /** The properties to search; empty: all searchable properties. */
  readonly properties: readonly string[]
}

/**
 * Whether an item matches a search. A term matches if its words are adjacent in one property, as whole words in any letter
 * case. In a property with prefix search, the text must begin with the term. `"property:words"` searches one property only.
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
  const all = table.words?.properties ?? [...(table.search?.keys() ?? [])]
  if (properties.length === 0) return all
  const missing =
    table.search === undefined ? undefined : properties.find(name => !all.some(each => each.name === name))
  if (missing !== undefined) throw unsupportedQuery('$search', `The mapping does not say how to search '${missing}'.`)
  return all.filter(property => properties.includes(property.name))
}

function found(text: string, properties: readonly Property[], scope: SearchScope): Sql {
  const { words, search } = scope.table
  if (search !== undefined) return foundInTexts(text, properties, search, scope)
  if (words === undefined) return never
  return anyOf(
    properties.map(property =>
      property.search === 'prefix'
        ? prefixMatch(text, property, words, scope)
        : phraseMatch(text, property, words, scope),
    ),
  )
}

/** Without an index, the words of each text are compared. */
function foundInTexts(
  text: string,
  properties: readonly Property[],
  search: ReadonlyMap<Property, 'words' | 'prefix'>,
  { table, dialect, column }: SearchScope,
): Sql {
  if (properties.length === 0) throw unsupportedQuery('$search', 'The mapping does not say which properties to search.')
  return anyOf(
    properties.map(property => {
      const isPrefix = search.get(property) === 'prefix'
      const sought = isPrefix ? wholeWord(text) : wordsOf(text).join(' ')
      if (sought === '') return never
      const value = column(table.columnOf(property).name)
      const found = isPrefix
        ? sql`${dialect.position(dialect.lower(value), dialect.bind(sought, 'text'))} = 1`
        : sql`${dialect.position(dialect.words(value), dialect.bind(` ${sought} `, 'text'))} > 0`
      // Never null, because it can be negated.
      return sql`coalesce(${found}, FALSE)`
    }),
  )
}

/**
 * The number of words of a phrase that are joined. The planner of the engine orders joins by the frequency of their words,
 * which is fastest for a few, and takes exponential time for many.
 */
const maxJoinedWords = 3

/**
 * The rows in which the words are adjacent. The first words are joined. Each other one is a condition on what they leave, which
 * the engine neither joins nor orders: `LIMIT` and `OFFSET` see to that.
 */
function phraseMatch(
  text: string,
  property: Property,
  table: WordTable,
  { column, dialect, table: { columnOf } }: SearchScope,
): Sql {
  const [first, ...others] = wordsOf(text)
  if (first === undefined) return never
  const name = dialect.bind(columnOf(property).name, 'text')
  const words = sql.id(table.name)
  const isAt = (alias: string, word: string, offset: number): Sql =>
    sql`${sql.id(alias, 'property')} = ${name} AND ${sql.id(alias, 'word')} = ${dialect.bind(word, 'text')} AND ${sql.id(alias, 'row')} = w0.row AND ${sql.id(alias, 'position')} = w0.position + ${sql.lit(offset)}`
  const joins: Sql[] = []
  const conditions = [sql`w0.property = ${name} AND w0.word = ${dialect.bind(first, 'text')}`]
  for (const [index, word] of others.entries()) {
    const alias = `w${index + 1}`
    const at = isAt(alias, word, index + 1)
    if (index + 1 < maxJoinedWords) joins.push(sql`JOIN ${words} AS ${sql.id(alias)} ON ${at}`)
    else conditions.push(sql`EXISTS (SELECT 1 FROM ${words} AS ${sql.id(alias)} WHERE ${at} LIMIT 1 OFFSET 0)`)
  }
  const rows = sql`SELECT w0.row FROM ${words} AS w0 ${sql.join(joins, sql` `)} WHERE ${sql.join(conditions, sql` AND `)}`
  return sql`${column(idColumn)} IN (${rows})`
}

function prefixMatch(text: string, property: Property, table: WordTable, scope: SearchScope): Sql {
  const { column, dialect } = scope
  const prefix = wholeWord(text)
  const end = afterPrefix(prefix)
  if (prefix === '' || end === undefined) return never
  const name = dialect.bind(scope.table.columnOf(property).name, 'text')
  const range = sql`word >= ${dialect.bind(prefix, 'text')} AND word < ${dialect.bind(end, 'text')}`
  return sql`${column(idColumn)} IN (SELECT row FROM ${sql.id(table.name)} WHERE property = ${name} AND ${range})`
}

const word = /[\p{L}\p{N}]+/gu

/** Longer words are truncated, in texts and in searches alike: the size of an index entry is limited. */
const maxWordLength = 100

/** The words of a text in lower case: sequences of letters and digits. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(word)?.map(shortened) ?? []
}

/** A whole text as one word, for properties with prefix search. */
export function wholeWord(text: string): string {
  return shortened(text.toLowerCase())
}

function shortened(text: string): string {
  return text.length <= maxWordLength ? text : [...text].slice(0, maxWordLength).join('')
}
