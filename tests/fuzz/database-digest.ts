import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openFile } from '../../reference/testing/sqlite-drivers.js'

/** A digest of every row of every table, read directly from the database. */
export async function databaseDigest(store: string): Promise<string> {
  const rows = store.startsWith('postgres') ? await postgresRows(store) : sqliteRows(store)
  const hash = createHash('sha256')
  for (const row of rows) hash.update(row).update('\n')
  return hash.digest('hex')
}

/** The rows in a copy of the file and its log, as not every driver shares a file. The service writes nothing meanwhile. */
function sqliteRows(store: string): readonly string[] {
  const [driver = ''] = store.split(':', 1)
  const file = store.slice(driver.length + 1)
  const folder = mkdtempSync(join(tmpdir(), 'specwright-digest-'))
  for (const part of ['', '-wal'].filter(each => existsSync(`${file}${each}`))) {
    cpSync(`${file}${part}`, join(folder, `copy.db${part}`))
  }
  const database = openFile(`${driver}:${join(folder, 'copy.db')}`)
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all([])
  const rows = tables.flatMap(([name]) => {
    const table = `"${String(name)}"`
    return [
      table,
      ...database
        .prepare(`SELECT * FROM ${table}`)
        .all([])
        .map(row => JSON.stringify(row))
        .toSorted(),
    ]
  })
  database.close()
  rmSync(folder, { recursive: true })
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
