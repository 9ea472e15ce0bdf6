import { sql } from 'kysely'
import type { Session } from '../engine/engine.js'
import { Slot } from '../engine/sql-value.js'
import type { Statement } from '../engine/statement.js'
import type { Table, WordTable } from '../schema/store-schema.js'
import { wholeWord, wordsOf } from '../search/words-of.js'
import type { Store } from '../store.js'
import type { ColumnValues } from './item-values.js'

/** Keeps the words of an item's searchable properties, those among `values`. */
export async function writeWords(
  store: Store,
  session: Session,
  table: Table,
  id: number,
  values: ColumnValues,
  isNew: boolean,
): Promise<void> {
  const { words } = table
  if (words === undefined) return
  const entries = wordEntries(table, words, values)
  const changed = words.properties
    .map(property => table.columnOf(property).name)
    .filter(name => Object.hasOwn(values, name) && values[name] !== undefined)
  const { remove, add } = statementsOf(store, words)
  if (!isNew && changed.length > 0) await session.run(remove, { row: id, changed: JSON.stringify(changed) })
  if (entries.length > 0) await session.run(add, { row: id, entries: JSON.stringify(entries) })
}

/** A word of a property: column, word, position. */
export interface WordEntry {
  readonly p: string
  readonly w: string
  readonly n: number
}

/** The words of those searchable properties that have a value. */
export function wordEntries(table: Table, words: WordTable, values: ColumnValues): readonly WordEntry[] {
  return words.properties.flatMap(property => {
    const { name } = table.columnOf(property)
    const text = Object.hasOwn(values, name) ? values[name] : undefined
    if (typeof text !== 'string') return []
    const found = property.search === 'prefix' ? [wholeWord(text)] : wordsOf(text)
    return found.map((w, n) => ({ p: name, w, n }))
  })
}

interface WordStatements {
  readonly remove: Statement
  readonly add: Statement
}

const known = new WeakMap<WordTable, WordStatements>()

function statementsOf(store: Store, words: WordTable): WordStatements {
  const statements = known.get(words) ?? compileStatements(store, words)
  known.set(words, statements)
  return statements
}

function compileStatements({ engine }: Store, { name }: WordTable): WordStatements {
  const { dialect } = engine
  const row = dialect.bind(new Slot('row'), 'integer')
  const list = { json: dialect.json(dialect.bind(new Slot('entries'), 'text')), path: [] }
  const member = (path: string, storage: 'text' | 'integer') =>
    dialect.jsonValue({ json: dialect.jsonItemPart('e'), path: [path] }, storage)
  const entries = sql`SELECT ${member('p', 'text')}, ${member('w', 'text')}, ${row}, ${member('n', 'integer')} FROM ${dialect.jsonItems(list, 'e')}`
  return {
    remove: engine.compile(
      sql`DELETE FROM ${sql.id(name)} WHERE row = ${row} AND property IN (${dialect.listed(new Slot('changed'), 'text')})`,
    ),
    add: engine.compile(sql`INSERT INTO ${sql.id(name)} (property, word, row, position) ${entries}`),
  }
}
