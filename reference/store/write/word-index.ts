import { type RawBuilder, sql } from 'kysely'
import { RequestFault } from '../../../runtime/server/index.js'
import {
  eachWordOf,
  Placeholder,
  type Session,
  type Statement,
  type Table,
  type WordTable,
  wholeWord,
} from '../../../sql/index.js'
import type { Store } from '../store.js'
import type { ColumnValues } from './item-values.js'

/** The maximum number of entries per statement. A long one would hold up other requests. */
const maxEntries = 5_000

/** Updates the words of an item's searchable properties, as far as they are in `values`. */
export async function updateWordIndex(
  store: Store,
  session: Session,
  table: Table,
  id: number,
  values: ColumnValues,
  isNew: boolean,
): Promise<void> {
  const { words } = table
  if (words === undefined) return
  const changed = words.properties
    .map(property => table.columnOf(property).name)
    .filter(name => Object.hasOwn(values, name) && values[name] !== undefined)
  const { remove, add } = statementsOf(store, words)
  if (!isNew && changed.length > 0) {
    const removed = await session.run(remove, { row: id, changed: JSON.stringify(changed) })
    // The first item of a transaction can be changed whatever it was loaded with.
    if (counted.has(session)) countWords(removed, store, session)
  }
  let entries: WordEntry[] = []
  for (const entry of wordEntries(table, words, values)) {
    entries.push(entry)
    if (entries.length < maxEntries) continue
    countWords(entries.length, store, session)
    await session.run(add, { row: id, entries: JSON.stringify(entries) })
    entries = []
  }
  countWords(entries.length, store, session)
  if (entries.length > 0) await session.run(add, { row: id, entries: JSON.stringify(entries) })
}

/** The default of the limit `indexedWords`. */
const defaultIndexedWords = 50_000

/** The words that each transaction has added and removed so far. */
const counted = new WeakMap<Session, number>()

/** @throws {RequestFault} `payloadTooLarge` if the transaction has more words than it may */
function countWords(count: number, { table }: Store, session: Session): void {
  const total = (counted.get(session) ?? 0) + count
  counted.set(session, total)
  const { indexedWords: limit = defaultIndexedWords } = table.limits
  if (total <= limit) return
  const reason = `The write changes more words for '$search' than the limit indexedWords, which is ${limit}.`
  throw new RequestFault('payloadTooLarge', { values: { limit, reason } })
}

/** A word: property (`p`), word (`w`) and position (`n`). */
interface WordEntry {
  readonly p: string
  readonly w: string
  readonly n: number
}

/** The words of the searchable properties that have a value. */
function* wordEntries(table: Table, words: WordTable, values: ColumnValues): Iterable<WordEntry> {
  for (const property of words.properties) {
    const { name } = table.columnOf(property)
    const text = Object.hasOwn(values, name) ? values[name] : undefined
    if (typeof text !== 'string') continue
    let n = 0
    for (const w of property.search === 'prefix' ? [wholeWord(text)] : eachWordOf(text)) yield { p: name, w, n: n++ }
  }
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

function compileStatements(store: Store, words: WordTable): WordStatements {
  const { dialect, compile } = store.engine
  const row = dialect.bind(new Placeholder('row'), 'integer')
  const changed = dialect.listValues(new Placeholder('changed'), 'text')
  return {
    remove: compile(sql`DELETE FROM ${sql.id(words.name)} WHERE row = ${row} AND property IN (${changed})`),
    add: compileAdd(store, words, row),
  }
}

/** @param row the row of all entries; default: each entry has its own */
function compileAdd({ engine }: Store, { name }: WordTable, row?: RawBuilder<unknown>): Statement {
  const { dialect } = engine
  const list = { json: dialect.json(dialect.bind(new Placeholder('entries'), 'text')), path: [] }
  const member = (path: string, storage: 'text' | 'integer') =>
    dialect.jsonValue({ json: dialect.jsonItemPart('e'), path: [path] }, storage)
  return engine.compile(sql`INSERT INTO ${sql.id(name)} (property, word, row, position)
    SELECT ${member('p', 'text')}, ${member('w', 'text')}, ${row ?? member('r', 'integer')}, ${member('n', 'integer')}
    FROM ${dialect.jsonItems(list, 'e')}`)
}

/** Indexes the words of many new items. */
interface BulkWordIndex {
  readonly add: (table: Table, id: number, values: ColumnValues) => void
  readonly flush: () => Promise<void>
}

interface Entry extends WordEntry {
  readonly r: number
}

export function bulkWordIndex(store: Store, session: Session): BulkWordIndex {
  const waiting = new Map<WordTable, Entry[]>()
  return {
    add: (table, id, values) => {
      const { words } = table
      if (words === undefined) return
      const entries = waiting.get(words) ?? []
      waiting.set(words, entries)
      for (const entry of wordEntries(table, words, values)) entries.push({ ...entry, r: id })
    },
    flush: async () => {
      for (const [words, entries] of waiting) {
        const statement = compileAdd(store, words)
        for (let start = 0; start < entries.length; start += maxEntries) {
          const part = entries.slice(start, start + maxEntries)
          await session.run(statement, { entries: JSON.stringify(part) })
        }
      }
      waiting.clear()
    },
  }
}
