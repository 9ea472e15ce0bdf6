import { sql } from 'kysely'
import type { Session } from '../engine/engine.js'
import { Slot } from '../engine/sql-value.js'
import type { Statement } from '../engine/statement.js'
import type { Table, WordTable } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import type { ColumnValues } from './item-values.js'
import { type WordEntry, wordEntries } from './write-words.js'

/** Keeps the words of many new items. */
export interface BulkWords {
  readonly add: (table: Table, id: number, values: ColumnValues) => void
  readonly flush: () => Promise<void>
}

interface Entry extends WordEntry {
  readonly r: number
}

/** Entries of one statement. */
const mostEntries = 5_000

export function bulkWords(store: Store, session: Session): BulkWords {
  const waiting = new Map<WordTable, Entry[]>()
  const statements = new Map<WordTable, Statement>()
  const statementOf = (words: WordTable): Statement => {
    const statement = statements.get(words) ?? compileAdd(store, words)
    statements.set(words, statement)
    return statement
  }
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
        for (let start = 0; start < entries.length; start += mostEntries) {
          const part = entries.slice(start, start + mostEntries)
          await session.run(statementOf(words), { entries: JSON.stringify(part) })
        }
      }
      waiting.clear()
    },
  }
}

function compileAdd({ engine }: Store, { name }: WordTable): Statement {
  const { dialect } = engine
  const list = { json: dialect.json(dialect.bind(new Slot('entries'), 'text')), path: [] }
  const member = (path: string, storage: 'text' | 'integer') =>
    dialect.jsonValue({ json: dialect.jsonItemPart('e'), path: [path] }, storage)
  const entries = sql`SELECT ${member('p', 'text')}, ${member('w', 'text')}, ${member('r', 'integer')}, ${member('n', 'integer')}
    FROM ${dialect.jsonItems(list, 'e')}`
  return engine.compile(sql`INSERT INTO ${sql.id(name)} (property, word, row, position) ${entries}`)
}
