import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createReferenceService } from '../../dist/reference.js'

// Stores of the Directory service with many items. The service creates the tables and stores one user with one message. SQL
// multiplies them, so that all other columns are as the service writes them. Secondary indexes and the keys of the word
// tables are dropped before and created after.

export const spec = new URL('../../spec/directory.yaml', import.meta.url).pathname

/** Of these, each user has one, in turn. */
export const departments = 100
const rowsPerInsert = 200_000

const template = [
  {
    type: 'user',
    properties: {
      id: 'u0',
      displayName: 'Template',
      userPrincipalName: 'u0@example.com',
      mail: 'u0@example.com',
      department: 'Department 0',
    },
    contained: {
      messages: [
        {
          type: 'message',
          properties: {
            id: 'm0',
            subject: 'template',
            body: { contentType: 'text', content: 'A text of the usual length. '.repeat(8) },
            from: { emailAddress: { name: 'Ada', address: 'ada@example.com' } },
            toRecipients: [{ emailAddress: { name: 'Bob', address: 'bob@example.com' } }],
            receivedDateTime: '2026-01-01T00:00:00Z',
            isRead: true,
          },
        },
      ],
    },
  },
]

async function createStore(store) {
  const service = await createReferenceService({ spec, store, authenticate: () => ({ id: 'u0', scopes: [] }) })
  await service.load(template)
  await service.close()
}

/** What differs from the template, by column. `n` is the number of the row, from 1. */
function userColumns(text) {
  return {
    $id: 'n + 1',
    $version: 'n + 1',
    id: text`u${'n'}`,
    displayName: text`User ${'n * 7919 % 1000003'}`,
    userPrincipalName: text`u${'n'}@example.com`,
    mail: text`u${'n'}@example.com`,
    department: text`Department ${`n % ${departments}`}`,
  }
}

function messageColumns(text, users, time) {
  return {
    $id: 'n + 1',
    $version: 'n + 1',
    id: text`m${'n'}`,
    // One word that all have, one that a tenth has, and one of its own.
    subject: text`report topic${`(n - 1) / ${users} % 10`} number${'n'}`,
    receivedDateTime: time('n'),
    isRead: `(n - 1) / ${users} % 5 <> 0`,
    '$owner.messages': `(n - 1) % ${users} + 2`,
  }
}

const words = {
  directoryObject: text => [
    ['displayName', "'user'", 0],
    ['displayName', text`${'n * 7919 % 1000003'}`, 1],
    ['mail', text`u${'n'}@example.com`, 0],
  ],
  message: (text, users) => [
    ['subject', "'report'", 0],
    ['subject', text`topic${`(n - 1) / ${users} % 10`}`, 1],
    ['subject', text`number${'n'}`, 2],
  ],
}

/** A text of parts and numbers in SQL. */
const sqlText = (parts, ...numbers) =>
  parts
    .flatMap((part, index) => [`'${part}'`, ...(index < numbers.length ? [`CAST(${numbers[index]} AS TEXT)`] : [])])
    .join(' || ')

/** The statements that fill a table from its template, in blocks of rows. */
function* inserts(table, columns, changed, count, series) {
  const names = columns.map(name => `"${name}"`).join(', ')
  const values = columns.map(name => changed[name] ?? `t."${name}"`).join(', ')
  for (let first = 1; first <= count; first += rowsPerInsert) {
    const last = Math.min(count, first + rowsPerInsert - 1)
    yield `INSERT INTO "${table}" (${names}) SELECT ${values} FROM "${table}" AS t, ${series(first, last)} WHERE t."$id" = 1`
  }
}

function* wordInserts(table, count, users, series) {
  const rows = words[table](sqlText, users)
  for (const [property, word, position] of rows) {
    for (let first = 1; first <= count; first += rowsPerInsert) {
      const last = Math.min(count, first + rowsPerInsert - 1)
      yield `INSERT INTO "${table}$words" (property, word, "row", position) SELECT '${property}', ${word}, n + 1, ${position} FROM ${series(first, last)}`
    }
  }
}

async function fill(run, columnsOf, { users, messages }, dialect) {
  const counts = { directoryObject: users, message: users * messages }
  const changed = {
    directoryObject: userColumns(sqlText),
    message: messageColumns(sqlText, users, dialect.time),
  }
  const start = performance.now()
  const dropped = await dialect.dropIndexes()
  for (const [table, count] of Object.entries(counts)) {
    const columns = await columnsOf(table)
    for (const statement of inserts(table, columns, changed[table], count, dialect.series)) await run(statement)
    for (const statement of wordInserts(table, count, users, dialect.series)) await run(statement)
    await run(`UPDATE "$change" SET last = ${count + 1} WHERE "table" = '${table}'`)
  }
  const loaded = performance.now()
  for (const statement of dropped) await run(statement)
  await dialect.finish()
  const seconds = milliseconds => Math.round(milliseconds / 1000)
  return { ...counts, load: seconds(loaded - start), index: seconds(performance.now() - loaded) }
}

/** Creates a store in a file of SQLite. */
export async function fillSqlite(folder, name, size) {
  const { default: Database } = await import('better-sqlite3')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.db`)
  await createStore(`sqlite:${file}`)
  const database = new Database(file)
  for (const each of [
    'journal_mode = WAL',
    'synchronous = OFF',
    'foreign_keys = OFF',
    'cache_size = -500000',
    'temp_store = MEMORY',
  ])
    database.pragma(each)
  const run = statement => void database.exec(statement)
  const filled = await fill(run, table => database.pragma(`table_info("${table}")`).map(each => each.name), size, {
    series: (first, last) =>
      `(WITH RECURSIVE s(n) AS (VALUES (${first}) UNION ALL SELECT n + 1 FROM s WHERE n < ${last}) SELECT n FROM s)`,
    time: n => `strftime('%Y-%m-%dT%H:%M:%S', '2020-01-01', (${n} * 17) || ' seconds')`,
    dropIndexes: () => {
      const found = database
        .prepare(
          "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND (tbl_name LIKE 'directoryObject%' OR tbl_name LIKE 'message%')",
        )
        .all()
      for (const each of found) database.exec(`DROP INDEX "${each.name}"`)
      return found.map(each => each.sql)
    },
    finish: () => {
      database.pragma('optimize')
      database.exec('ANALYZE')
      database.pragma('wal_checkpoint(TRUNCATE)')
    },
  })
  database.close()
  return { ...filled, store: `sqlite:${file}`, bytes: statSync(file).size }
}

/** Creates a store in a database of PostgreSQL. */
export async function fillPostgres(server, name, size) {
  const { default: pg } = await import('pg')
  const at = database => Object.assign(new URL(server), { pathname: `/${database}` }).href
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  const store = at(name)
  await createStore(store)
  const client = new pg.Client({ connectionString: store })
  await client.connect()
  for (const each of [
    'session_replication_role = replica',
    "maintenance_work_mem = '1GB'",
    'synchronous_commit = off',
    'max_parallel_maintenance_workers = 2',
  ])
    await client.query(`SET ${each}`)
  const rows = async text => (await client.query({ text, rowMode: 'array' })).rows
  const filled = await fill(
    text => client.query(text),
    async table =>
      (
        await rows(
          `SELECT attname FROM pg_attribute WHERE attrelid = '"${table}"'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
        )
      ).flat(),
    size,
    {
      series: (first, last) => `generate_series(${first}::bigint, ${last}::bigint) AS s(n)`,
      time: n => `to_char(timestamp '2020-01-01' + ${n} * interval '17 seconds', 'YYYY-MM-DD"T"HH24:MI:SS')`,
      dropIndexes: async () => {
        const tables = "('directoryObject', 'message', 'directoryObject$words', 'message$words')"
        const found = await rows(
          `SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid), x.conname, pg_get_constraintdef(x.oid), c.relname
           FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
           LEFT JOIN pg_constraint x ON x.conindid = i.indexrelid AND x.contype = 'p'
           WHERE c.relname IN ${tables} AND (x.oid IS NULL OR c.relname LIKE '%$words')`,
        )
        for (const [index, , constraint, , table] of found)
          await client.query(
            constraint === null ? `DROP INDEX ${index}` : `ALTER TABLE "${table}" DROP CONSTRAINT "${constraint}"`,
          )
        return found.map(([, definition, constraint, text, table]) =>
          constraint === null ? definition : `ALTER TABLE "${table}" ADD CONSTRAINT "${constraint}" ${text}`,
        )
      },
      finish: async () => {
        for (const table of ['directoryObject', 'message']) {
          await client.query(
            `SELECT setval(pg_get_serial_sequence('"${table}"', '$id'), (SELECT max("$id") FROM "${table}"))`,
          )
          await client.query(`SELECT setval('"${table}$version"', (SELECT max("$version") FROM "${table}"))`)
        }
        await client.query('VACUUM ANALYZE')
      },
    },
  )
  const [[bytes]] = await rows('SELECT pg_database_size(current_database())')
  await client.end()
  return { ...filled, store, bytes: Number(bytes) }
}
