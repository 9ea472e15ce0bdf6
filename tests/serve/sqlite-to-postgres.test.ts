import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolders } from '../../bin/testing/temporary-folder.js'
import { readData } from '../../reference/data/read-data.js'
import { createReferenceService, type ReferenceService } from '../../reference/index.js'
import { type StoreMaker, storeMaker } from '../../reference/testing/engines.js'
import { openFile } from '../../reference/testing/sqlite-drivers.js'
import { loadSpec, type Service } from '../../spec/language/index.js'
import { decimalDigits } from '../../sql/values/sortable-decimal.js'
import { root } from '../root.js'

// The procedure in docs/operations.md, "Move from SQLite to PostgreSQL".

const folder = temporaryFolders()
let servers: StoreMaker
beforeAll(async () => {
  servers = await storeMaker('postgres')
})
afterAll(() => servers.stop())

async function open(service: Service, store: string): Promise<ReferenceService> {
  const scopes = service.authentication.scopes.map(({ name }) => name)
  return createReferenceService({ spec: service, store, authenticate: () => ({ id: 'mira', scopes }) })
}

async function answer(service: ReferenceService, method: string, path: string, body?: unknown): Promise<string> {
  const url = `http://sample.example/${service.table.version}${path}`
  const headers = { consistencylevel: 'eventual', 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await service.fetch(new Request(url, { method, headers, ...sent }))
  return `${response.status} ${await response.text()}`
}

/** Removes delta tokens, which contain the time. */
const timeless = (text: string): string => text.replaceAll(/deltatoken=[^"]*/g, 'deltatoken=…')

/** Copies all rows unchanged, except that Booleans are numbers in SQLite, and decimals are sortable texts. */
async function copyRows(file: string, address: string): Promise<void> {
  const from = openFile(`sqlite:${file}`)
  const to = new pg.Client({ connectionString: address })
  await to.connect()
  await to.query('SET session_replication_role = replica')
  const tables = await to.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  const all = tables.rows.map(({ relname }) => `"${String(relname)}"`)
  await to.query(`TRUNCATE ${all.join(', ')}`)
  for (const quoted of all) {
    const { rows: columns } = await to.query(
      `SELECT attname, atttypid::regtype::text AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0`,
      [quoted],
    )
    const names = columns.map(({ attname }) => `"${String(attname)}"`).join(', ')
    for (const row of from.prepare(`SELECT ${names} FROM ${quoted}`).all([])) {
      const values = Array.isArray(row) ? row : []
      const places = values.map((_, index) => `$${index + 1}`).join(', ')
      const given = values.map((value: unknown, index) => {
        const type: unknown = columns[index]?.type
        if (type === 'numeric') return decimalDigits(value)
        return type === 'boolean' && value !== null ? value === 1 : value
      })
      await to.query(`INSERT INTO ${quoted} (${names}) VALUES (${places})`, given)
    }
    if (columns.some(({ attname }) => attname === '$id')) {
      await to.query(`SELECT setval(pg_get_serial_sequence($1, '$id'), greatest(max("$id"), 1)) FROM ${quoted}`, [
        quoted,
      ])
    }
  }
  await to.end()
  from.close()
}

const directory = [
  '/users?$count=true&$expand=manager,memberOf&$orderby=displayName desc',
  '/users?$search="displayName:kim"',
  '/groups?$expand=members($select=id)',
  '/me/messages?$top=7&$expand=attachments,singleValueExtendedProperties',
  '/me/messages?$filter=isRead eq false and receivedDateTime ge 2026-02-20T00:00:00Z',
  '/drive/items/folder-designs/children?$expand=thumbnails',
  '/users/delta?$select=displayName',
] as const
const library = [
  '/books?$expand=authors,copies($expand=branch),reviews,sequels($levels=max)&$count=true',
  "/books?$filter=price gt 9.9 or readingTime gt duration'PT1H'&$orderby=rating desc",
  '/members?$expand=loans,favourites,homeBranch',
  '/rules',
] as const

it.each([
  ['directory', directory, '/me/messages', { subject: 'after' }],
  [
    'library',
    library,
    '/branches',
    { code: 'NEW', name: 'New', address: { street: 's', city: 'c', postalCode: '1', country: { code: 'DE' } } },
  ],
] as const)(
  '%s gives the same responses on PostgreSQL as on SQLite after its rows are copied',
  async (name, paths, set, body) => {
    const { service } = await loadSpec(join(root, `spec/${name}.yaml`))
    if (service === undefined) throw new Error('The spec is sound.')
    const file = join(folder(), 'service.db')
    const before = await open(service, `sqlite:${file}`)
    await before.load(readData(join(root, `spec/${name}.data.yaml`), service))
    const expected = await Promise.all(paths.map(path => answer(before, 'GET', path)))
    for (const text of expected) expect(text).toMatch(/^200 /)
    await before.close()

    const address = await servers.make()
    await (await open(service, address)).close()
    await copyRows(file, address)
    const after = await open(service, address)
    for (const [index, path] of paths.entries()) {
      expect(timeless(await answer(after, 'GET', path)), path).toBe(timeless(expected[index] ?? ''))
    }
    // Links that clients have from before stay valid, because the signing key was copied, too.
    for (const [, link = ''] of expected.join().matchAll(/"@odata\.(?:deltaLink|nextLink)":"([^"]+)"/g)) {
      const path = link.slice(link.indexOf(service.version) + service.version.length)
      expect(await answer(after, 'GET', path)).toMatch(/^200 /)
    }
    expect(await answer(after, 'POST', set, body)).toMatch(/^201 /)
    await after.close()
  },
)
