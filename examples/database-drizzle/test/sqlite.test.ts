import init from '@sqlite.org/sqlite-wasm'
import { sql } from 'drizzle-orm'
import { integer, numeric, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { addSqliteFunctions, type DrizzleMapping, drizzleQueries } from 'specwright/sql'
import { expect, it } from 'vitest'
import { createDesk } from '../src/api/server.js'
import { serviceTable } from '../src/api/service-table.js'
import type { Caller } from '../src/mapping.js'
import { options } from '../src/service.js'

const people = sqliteTable('people', {
  id: text('person_id').primaryKey(),
  name: text('name').notNull(),
  active: integer('active', { mode: 'boolean' }).notNull(),
})

const cases = sqliteTable('cases', {
  id: integer().primaryKey(),
  company: integer().notNull(),
  subject: text().notNull(),
  status: text().notNull(),
  priority: integer(),
  openedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  dueOn: text(),
  estimate: numeric(),
  labels: text({ mode: 'json' }).notNull(),
  assigneeId: text().references(() => people.id),
  changes: integer().notNull(),
})

const mapping: DrizzleMapping<Caller> = {
  casing: 'snake_case',
  tables: {
    ticket: {
      table: cases,
      columns: { reporter: null },
      version: cases.changes,
      where: { company: ({ context }) => context.company },
      relations: { assignee: { column: cases.assigneeId } },
    },
    agent: { table: people, columns: { email: null }, relations: { tickets: { foreignKey: cases.assigneeId } } },
  },
}

/** SQLite without native code, with the functions of specwright/sql. */
async function openSqlite(statements: string): Promise<SqliteRemoteDatabase> {
  const { oo1 } = await init()
  const database = new oo1.DB(':memory:')
  addSqliteFunctions({
    function: (name, { deterministic }, work) =>
      void database.createFunction(
        name,
        // The functions take integers as bigints.
        (_context, ...values) =>
          work(...values.map(value => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value))),
        { arity: -1, deterministic },
      ),
  })
  database.exec(statements)
  return drizzle(async (query, bind) => ({
    rows: database.exec({ sql: query, bind, returnValue: 'resultRows', rowMode: 'array' }),
  }))
}

it('reads tables of SQLite with the types of the Drizzle schema', async () => {
  const db = await openSqlite(`
    CREATE TABLE people (person_id TEXT PRIMARY KEY, name TEXT NOT NULL, active INTEGER NOT NULL);
    INSERT INTO people VALUES ('00000000-0000-4000-8000-00000000000A', 'Éva', 1);
    CREATE TABLE cases (
      id INTEGER PRIMARY KEY, company INTEGER NOT NULL, subject TEXT NOT NULL, status TEXT NOT NULL, priority INTEGER,
      opened_at INTEGER NOT NULL, due_on TEXT, estimate NUMERIC, labels TEXT NOT NULL, assignee_id TEXT, changes INTEGER
    );
    INSERT INTO cases VALUES
      (1, 1, 'Größe', 'open', 2, 1709152206250, '2024-03-02', 1.25, '["vip"]', '00000000-0000-4000-8000-00000000000A', 1),
      (2, 1, 'Mail', 'solved', NULL, 1709152206000, NULL, NULL, '[]', NULL, 1),
      (3, 2, 'Größe', 'open', NULL, 1709152206000, NULL, NULL, '[]', NULL, 1);
  `)
  const { collection } = drizzleQueries(serviceTable, mapping, { dialect: 'sqlite', sql })
  const service = createDesk<Caller>({ tickets: { list: call => collection(db, call) } }, options)
  const query = "$filter=contains(tolower(subject),'grö') and openedAt gt 2024-02-28T20:30:06Z&$expand=assignee"
  const request = new Request(`http://desk.example/v1.0/tickets?${query}&$count=true&$orderby=priority desc`, {
    headers: { authorization: 'Bearer token-of-acme' },
  })
  expect(await (await service(request)).json()).toMatchObject({
    '@odata.count': 1,
    value: [
      {
        id: 1,
        status: 'open',
        priority: 2,
        openedAt: '2024-02-28T20:30:06.25Z',
        dueOn: '2024-03-02',
        estimate: 1.25,
        reporter: null,
        labels: ['vip'],
        assignee: { id: '00000000-0000-4000-8000-00000000000a', name: 'Éva', active: true },
      },
    ],
  })
})
