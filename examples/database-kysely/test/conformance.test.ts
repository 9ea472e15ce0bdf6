import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { runConformance } from 'specwright/conformance'
import { addSqliteFunctions, kyselyQueries } from 'specwright/sql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../src/api/runtime/server.js'
import { createDesk } from '../src/api/server.js'
import { serviceTable } from '../src/api/service-table.js'
import type { Database } from '../src/database.js'
import { pgDeskService } from '../src/pg-service.js'
import { deskService, options } from '../src/service.js'
import { type Caller, mappingFor } from '../src/tables.js'
import { startDatabase } from './postgres.js'
import { openSqlite } from './sqlite.js'
import { sqliteTables } from './sqlite-tables.js'

async function violationsOf(target: Service, token: string): Promise<readonly unknown[]> {
  const spec = fileURLToPath(new URL('../desk.yaml', import.meta.url))
  const { verdict, violations } = await runConformance({ spec, target, token, requests: 400, seed: 1 })
  expect(['conforms', 'violations']).toContain(verdict)
  return violations.map(({ rule, message, exchanges }) => [rule, message, exchanges.at(-1)?.curl])
}

async function get(service: Service, path: string, token = 'token-of-acme'): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await service(new Request(`http://desk.example/v1.0${path}`, { headers }))
  const body: unknown = await response.json()
  return { code: response.status, ...(typeof body === 'object' ? body : {}) }
}

describe('the help desk over its own tables in PostgreSQL', () => {
  const statements: string[] = []
  let server: Awaited<ReturnType<typeof startDatabase>>
  let db: Kysely<Database>
  let service: Service
  let pool: pg.Pool
  beforeAll(async () => {
    server = await startDatabase()
    pool = new pg.Pool({ connectionString: server.address })
    // The server can end before the last connections have closed.
    pool.on('error', () => undefined)
    db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void statements.push(query.sql),
    })
    service = deskService(db)
  })
  afterAll(async () => {
    await db.destroy()
    await server.stop()
  })

  it.each(['token-of-acme', 'token-of-ajax'])('conforms to its spec for %s', async token => {
    expect(await violationsOf(service, token)).toEqual([])
  })

  it('conforms to its spec with the package pg alone', async () => {
    expect(await violationsOf(pgDeskService(pool), 'token-of-acme')).toEqual([])
  })

  it('limits the rows further with the conditions of a query', async () => {
    const { collection } = kyselyQueries(serviceTable, mappingFor('postgres'), { dialect: 'postgres' })
    const handler = (call: object) =>
      collection(db.selectFrom('crm.cases as c').where('c.state', '=', 'open').where('c.urgency', '>', 1), call)
    const limited = createDesk<Caller>({ tickets: { list: handler } }, options)
    const all = await get(service, "/tickets?$filter=status eq 'open' and priority gt 1&$top=50&$select=id")
    expect(await get(limited, '/tickets?$top=50&$select=id')).toEqual(all)
    const wrong = createDesk<Caller>(
      { tickets: { list: call => collection(db.selectFrom('crm.staff'), call) } },
      { ...options, onError: () => undefined },
    )
    expect((await get(wrong, '/tickets'))['code']).toBe(500)
  })

  it('shows no row that is deleted or belongs to another company, also behind a relation', async () => {
    const all = await get(service, '/tickets/?$count=true')
    const visible = await db
      .selectFrom('crm.cases')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('company', '=', 1)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    expect(all).toMatchObject({ code: 200, '@odata.count': Number(visible?.count) })
    for (const [path, status] of [
      ['/tickets/13', 404],
      ['/tickets/1', 404],
      ['/tickets/2', 200],
    ] as const)
      expect([path, (await get(service, path))['code']]).toEqual([path, status])
    const page = await get(service, '/tickets?$filter=watchers/any()&$expand=watchers&$top=50')
    const value = page['value']
    const shown = Array.isArray(value)
      ? value.flatMap(({ watchers }) => watchers.map(({ id }: { id: string }) => id))
      : []
    const staff = await db
      .selectFrom('crm.staff')
      .select('staff_id')
      .where('company', '=', 1)
      .where('left_at', 'is', null)
      .execute()
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter(id => !staff.some(row => row.staff_id === id))).toEqual([])
  })

  it('expands with one statement for each level', async () => {
    statements.length = 0
    await get(service, '/tickets?$expand=watchers($expand=tickets)&$top=30')
    expect(statements).toHaveLength(3)
  })

  it('compares columns in their own types, so that indexes serve', async () => {
    statements.length = 0
    const id = 'c4ca4238-a0b9-2382-0dcc-509a6f75849b'
    await get(service, `/agents?$filter=id eq ${id} and name eq 'Fay'`)
    expect(statements[0]).toMatch(/"t"\."\$=id" = \$\d::uuid/)
    await db.schema.createIndex('by_creation').on('crm.cases').columns(['created', 'case_no']).execute()
    const { sql: text, parameters } = await queryOf(
      '/tickets?$filter=openedAt gt 2024-03-01T00:00:00Z&$orderby=openedAt&$top=5',
    )
    const client = new pg.Client(server.address)
    await client.connect()
    await client.query('SET enable_seqscan = off')
    const plan = await client.query(`EXPLAIN ${text}`, [...parameters])
    await client.end()
    expect(plan.rows.map(row => row['QUERY PLAN']).join('\n')).toMatch(
      /Index Scan (?:on|using) by_creation[\s\S]*Index Cond: \(created > /,
    )
  })

  async function queryOf(path: string): Promise<{ readonly sql: string; readonly parameters: readonly unknown[] }> {
    const queries: { readonly sql: string; readonly parameters: readonly unknown[] }[] = []
    const pool = new pg.Pool({ connectionString: server.address, max: 1 })
    pool.on('error', () => undefined)
    const logged = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: pool }),
      log: ({ query }) => void queries.push(query),
    })
    await get(deskService(logged), path)
    await logged.destroy()
    return queries[0] ?? { sql: '', parameters: [] }
  }
})

describe('the help desk over its own tables in SQLite', () => {
  it('conforms to its spec', async () => {
    const database = await openSqlite()
    addSqliteFunctions(database)
    database.exec(sqliteTables)
    const db = new Kysely<Database>({ dialect: new SqliteDialect({ database }) })
    expect(await violationsOf(deskService(db, 'sqlite'), 'token-of-acme')).toEqual([])
    await db.destroy()
  })
})
