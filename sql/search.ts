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
  /**
   * Whether the words lead to the items, or each item is looked up among the items with the words, which is faster if the items are
   * read in order and most of them have the words. Default: the words.
   */
  readonly reads?: 'words' | 'items'
}

/**
 * Whether an item matches a search. A term matches if its words are adjacent in one property, as whole words in any letter
 * case. In a property with prefix search, the text must begin with the term. `"property:words"` searches one property only.
 */
export function searchCondition(search: SearchExpression, scope: SearchScope): Sql {
  switch (search.kind) {
    case 'term':
    case 'phrase': {
      const { text, properties } = soughtIn(search, scope)
      return found(text, properties, scope)
    }
    case 'not':
      return sql`NOT ${searchCondition(search.operand, scope)}`
    case 'and':
      return allOf(chain(search).map(operand => searchCondition(operand, scope)))
    case 'or':
      return anyOf(chain(search).map(operand => searchCondition(operand, scope)))
  }
}

/** A word that more rows have is common. */
const commonRows = 500

/**
 * Whether so many rows have the words of a search that reading all of them takes longer than looking up items until a page is full.
 * Undefined: the search has no words that lead to items, or a prefix, for which an item cannot be looked up.
 */
export function commonWordsCondition(search: SearchExpression, scope: SearchScope): Sql | undefined {
  const { table } = scope
  const { words } = table
  if (words === undefined || table.search !== undefined) return undefined
  switch (search.kind) {
    case 'not':
      return undefined
    case 'and':
    case 'or': {
      const operands = chain(search).map(operand => commonWordsCondition(operand, scope))
      const known = operands.filter(operand => operand !== undefined)
      // What is negated only narrows.
      if (search.kind === 'and') return known.length === 0 || hasPrefix(search, scope) ? undefined : allOf(known)
      return known.length < operands.length ? undefined : anyOf(known)
    }
    default: {
      const { text, properties } = soughtIn(search, scope)
      if (properties.some(isPrefix)) return undefined
      const parts = wordsOf(text)
      if (parts.length === 0) return undefined
      return anyOf(properties.map(property => allOf(parts.map(each => isCommon(each, property, words, scope)))))
    }
  }
}

function isPrefix({ search }: Property): boolean {
  return search === 'prefix'
}

/** Whether any term of a search, negated or not, looks for a prefix. */
function hasPrefix(search: SearchExpression, scope: SearchScope): boolean {
  switch (search.kind) {
    case 'not':
      return hasPrefix(search.operand, scope)
    case 'and':
    case 'or':
      return chain(search).some(operand => hasPrefix(operand, scope))
    default:
      return soughtIn(search, scope).properties.some(isPrefix)
  }
}

function isCommon(word: string, property: Property, words: WordTable, { dialect, table }: SearchScope): Sql {
  const name = dialect.bind(table.columnOf(property).name, 'text')
  const where = sql`property = ${name} AND word = ${dialect.bind(word, 'text')}`
  return sql`EXISTS (SELECT 1 FROM ${sql.id(words.name)} WHERE ${where} LIMIT 1 OFFSET ${sql.lit(commonRows)})`
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

type Term = Extract<SearchExpression, { readonly kind: 'term' | 'phrase' }>

/** What a term looks for, and where. */
function soughtIn(
  { kind, text }: Term,
  scope: SearchScope,
): { readonly text: string; readonly properties: readonly Property[] } {
  const all = searched(scope)
  if (kind === 'term') return { text, properties: all }
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0)).trim()
  const named = all.filter(property => property.name === name)
  return named.length === 0 ? { text, properties: all } : { text: text.slice(colon + 1), properties: named }
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
  { column, dialect, reads, table: { columnOf } }: SearchScope,
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
  const from = sql`FROM ${words} AS w0 ${sql.join(joins, sql` `)}`
  if (reads === 'items') {
    const all = sql.join([...conditions, sql`w0.row = ${column(idColumn)}`], sql` AND `)
    return sql`EXISTS (SELECT 1 ${from} WHERE ${all} LIMIT 1 OFFSET 0)`
  }
  const rows = sql`SELECT w0.row ${from} WHERE ${sql.join(conditions, sql` AND `)}`
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

/** The same words, one after the other: a long text has many. */
export function* eachWordOf(text: string): Iterable<string> {
  for (const [found] of text.toLowerCase().matchAll(word)) yield shortened(found)
}

/** A whole text as one word, for properties with prefix search. */
export function wholeWord(text: string): string {
  return shortened(text.toLowerCase())
}

function shortened(text: string): string {
  return text.length <= maxWordLength ? text : [...text].slice(0, maxWordLength).join('')
}
