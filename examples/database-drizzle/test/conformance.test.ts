import { fileURLToPath } from 'node:url'
import { and, eq, gt, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { runConformance } from 'specwright/conformance'
import { type DrizzleMapping, drizzleQueries } from 'specwright/sql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../src/api/runtime/server.js'
import { createDesk } from '../src/api/server.js'
import { serviceTable } from '../src/api/service-table.js'
import { type Caller, mapping } from '../src/mapping.js'
import { cases } from '../src/schema.js'
import { deskService, options } from '../src/service.js'
import { startDatabase } from './postgres.js'

async function get(service: Service, path: string): Promise<Record<string, unknown>> {
  const headers = { authorization: 'Bearer token-of-acme' }
  const response = await service(new Request(`http://desk.example/v1.0${path}`, { headers }))
  const body: unknown = await response.json()
  return { code: response.status, ...(typeof body === 'object' ? body : {}) }
}

describe('the help desk over its own tables with Drizzle', () => {
  const statements: string[] = []
  let server: Awaited<ReturnType<typeof startDatabase>>
  let pool: pg.Pool
  let db: NodePgDatabase
  let service: Service
  beforeAll(async () => {
    server = await startDatabase()
    pool = new pg.Pool({ connectionString: server.address })
    // The server can end before the last connections have closed.
    pool.on('error', () => undefined)
    db = drizzle(pool, { logger: { logQuery: text => void statements.push(text) } })
    service = deskService(db)
  })
  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it('conforms to its spec', async () => {
    const spec = fileURLToPath(new URL('../desk.yaml', import.meta.url))
    const run = { spec, target: service, token: 'token-of-acme', requests: 400, seed: 1 }
    const { verdict, violations } = await runConformance(run)
    expect(violations.map(({ rule, message, exchanges }) => [rule, message, exchanges.at(-1)?.curl])).toEqual([])
    expect(verdict).toBe('conforms')
  })

  it('expands with one statement for each level', async () => {
    statements.length = 0
    await get(service, '/tickets?$expand=watchers($expand=tickets)&$top=30')
    expect(statements).toHaveLength(3)
  })

  it('limits the rows further with a query, also in a transaction', async () => {
    const { collection } = drizzleQueries(serviceTable, mapping, { dialect: 'postgres', sql })
    const list = (call: object) =>
      db.transaction(transaction => {
        const open = and(eq(cases.state, 'open'), gt(cases.priority, 1))
        return collection(transaction, call, { among: db.select({ id: cases.id }).from(cases).where(open) })
      })
    const limited = createDesk<Caller>({ tickets: { list } }, options)
    const all = await get(service, "/tickets?$filter=status eq 'open' and priority gt 1&$top=50&$select=id")
    expect(all).toMatchObject({ code: 200 })
    expect(await get(limited, '/tickets?$top=50&$select=id&$filter=id gt 0')).toEqual(all)
  })

  it.each<[string, Partial<DrizzleMapping<Caller>['tables'][string]>, string]>([
    ['a property without a column', { columns: {} }, "The table 'crm.cases' has no column 'subject'."],
    ['an unknown condition', { where: { gone: null } }, "The table 'crm.cases' has no column 'gone'."],
    [
      'a column of another type',
      { columns: { ...mapping.tables['ticket']?.columns, dueOn: { column: cases.deletedAt, type: 'interval' } } },
      "A column of type 'interval' cannot hold dueOn",
    ],
  ])('refuses a mapping with %s', (_what, changed, message) => {
    const { ticket, agent } = mapping.tables
    if (ticket === undefined || agent === undefined) throw new Error('The mapping lost its tables.')
    const wrong = { tables: { ticket: { ...ticket, ...changed }, agent } }
    expect(() => drizzleQueries(serviceTable, wrong, { dialect: 'postgres', sql })).toThrow(message)
  })
})
