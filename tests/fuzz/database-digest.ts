import { createHash } from 'node:crypto'
import pg from 'pg'
import { SqliteDriver } from '../../reference/store/engines/sqlite-driver.js'

/** A digest of every row of every table, read directly from the database. */
export async function databaseDigest(store: string): Promise<string> {
  const rows = store.startsWith('sqlite:') ? sqliteRows(store.slice('sqlite:'.length)) : await postgresRows(store)
  const hash = createHash('sha256')
  for (const row of rows) hash.update(row).update('\n')
  return hash.digest('hex')
}

function sqliteRows(file: string): readonly string[] {
  const database = new SqliteDriver(file, { readonly: true })
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all()
  const rows = tables.flatMap(name => {
    const table = `"${String(name)}"`
    return [
      table,
      ...database
        .prepare(`SELECT * FROM ${table}`)
        .raw()
        .all()
        .map(row => JSON.stringify(row))
        .toSorted(),
    ]
  })
  database.close()
  return rows
}

async function postgresRows(address: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const tables = await client.query<string[]>({
    text: 'SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
    rowMode: 'array',
  })
  const rows: string[] = []
  for (const [name] of tables.rows) {
    const found = await client.query<string[]>({ text: `SELECT t::text FROM "${name}" t`, rowMode: 'array' })
    rows.push(String(name), ...found.rows.map(String).toSorted())
  }
  await client.end()
  return rows
}
